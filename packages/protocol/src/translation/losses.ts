import type { SessionUpdate as V1Update, ToolCallUpdate } from '../generated/types.ts';
import type { SessionUpdate } from '../generated/v2-types.ts';

/** The kinds of content that clients of version 1 do not get from agents of version 2, each with a sentence for the user. */
export const losses = {
  services: 'The agent uses its own files and terminals: those of this client are not used.',
  message: 'The agent changed a message that is shown already: this client shows its first text.',
  content: 'The agent sent content of a type that this client does not know.',
  terminal: 'A command of the agent belongs to no tool call: this client does not show its output.',
  cancelled: 'A tool call was cancelled: this client shows that it failed.',
  plan: 'The agent sent a plan in a form that this client does not know.',
  option: 'The agent has a setting of a type that this client does not know.',
  notice: 'The agent sent a notice, and this client does not show notices.',
  compaction: 'The agent shortened the conversation, and this client does not show that.',
  child: 'The agent started other sessions for parts of its work, and this client does not show them.',
} as const;

/** A key of {@link losses}. */
export type Loss = keyof typeof losses;

/** The losses of updates that are left out. Others are not lost: the answer to a prompt has the states, for example. */
const ofKinds: Readonly<Record<string, Loss | undefined>> = {
  user_message: 'message',
  agent_message: 'message',
  agent_thought: 'message',
  user_message_chunk: 'content',
  agent_message_chunk: 'content',
  agent_thought_chunk: 'content',
  plan_update: 'plan',
  notice: 'notice',
  compaction_update: 'compaction',
  compaction_summary_chunk: 'compaction',
  subagent_update: 'child',
  session_message: 'child',
  session_message_chunk: 'child',
};

/**
 * Returns the loss of a client that receives an update in the form `plain`. Undefined: nothing is lost.
 * @param plain undefined if the client receives nothing
 * @param said the update that the agent sent, or null, as in the log
 */
export function lossOf(
  update: V1Update,
  plain: V1Update | undefined,
  said: SessionUpdate | null | undefined,
): Loss | undefined {
  if (said?.sessionUpdate === 'terminal_update' && plain?.sessionUpdate !== 'tool_call_update')
    return said.exitStatus ? 'terminal' : undefined;
  if (plain === update) return undefined;
  return plain === undefined ? ofKinds[update.sessionUpdate] : lossOfPart(update, plain);
}

/** The loss in an update that was changed for the client. */
function lossOfPart(update: V1Update, plain: V1Update): Loss | undefined {
  if (update.sessionUpdate === 'config_option_update')
    return update.configOptions.some(({ type }) => type !== 'select' && type !== 'boolean') ? 'option' : undefined;
  if (update.sessionUpdate !== 'tool_call' && update.sessionUpdate !== 'tool_call_update') return undefined;
  const [call, shown] = [update as ToolCallUpdate, plain as ToolCallUpdate];
  if ((call.status as string) === 'cancelled') return 'cancelled';
  return (shown.content?.length ?? 0) < (call.content?.length ?? 0) ? 'content' : undefined;
}
