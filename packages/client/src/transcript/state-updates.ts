import type { SessionUpdate, UnknownVariant } from '@turnwire/protocol';

/** The kinds of updates that belong to a prompt, or to the replay of one. */
type PromptUpdate =
  | `${'user_message' | 'agent_message' | 'agent_thought' | 'compaction_summary'}_chunk`
  | 'tool_call'
  | 'tool_call_update'
  | 'plan'
  | 'plan_update'
  | 'plan_removed'
  | 'compaction_update'
  | 'subagent_update'
  | 'session_message'
  | 'session_message_chunk';

/** The kinds of updates that the stable protocol has. */
export type KnownUpdate = Exclude<SessionUpdate, UnknownVariant<'sessionUpdate'>>['sessionUpdate'];

/** The other kinds: they are about the present state of a session. A new kind of update has to be here or above. */
const stateUpdates: Record<Exclude<KnownUpdate, PromptUpdate> | 'state_update' | 'terminal_update', true> = {
  available_commands_update: true,
  current_mode_update: true,
  config_option_update: true,
  session_info_update: true,
  usage_update: true,
  notice: true,
  // Only version 2 has these.
  state_update: true,
  terminal_update: true,
};

/** Whether an update is about the present state of a session, and so belongs to no prompt. */
export function isStateUpdate({ sessionUpdate }: SessionUpdate): boolean {
  return Object.hasOwn(stateUpdates, sessionUpdate);
}
