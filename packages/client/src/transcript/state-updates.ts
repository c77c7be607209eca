/** The kinds of updates about the present state of a session: they belong to no prompt. */
export const stateUpdates: readonly string[] = [
  'available_commands_update',
  'current_mode_update',
  'config_option_update',
  'session_info_update',
  'usage_update',
  'notice',
];
