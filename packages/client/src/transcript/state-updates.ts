/** The kinds of updates about the current state of a session, which do not belong to a prompt. */
export const stateUpdates: readonly string[] = [
  'available_commands_update',
  'current_mode_update',
  'config_option_update',
  'session_info_update',
  'usage_update',
  'notice',
];
