import { type AgentWork, invalidParams, TurnwireError } from '@turnwire/protocol';
import type { Agent } from '../agent/agent.ts';

/**
 * Asks the agent to cancel a tool call, a terminal or a child session of a session, and nothing else. Updates report its end. Rejects with
 * the agent's ProtocolError, with -32602 for other work, or with TurnwireError `not-advertised`. A transcript knows what the agent can
 * cancel: see `cancellableItems` of `@turnwire/client/view`.
 */
export async function cancelWork(
  { peer }: Pick<Agent, 'peer'>,
  sessionId: string,
  { type, toolCallId, terminalId, sessionId: child }: AgentWork,
): Promise<void> {
  if (type === 'subagent' && typeof child === 'string') return peer.notify('session/cancel', { sessionId: child });
  if (peer.version === 1 && (type === 'tool_call' || type === 'terminal'))
    throw new TurnwireError('not-advertised', 'An agent of version 1 can cancel only whole turns and child sessions');
  // Only version 2 has these methods.
  const request = (method: string, params: object): Promise<unknown> => peer.request(method as 'logout', params);
  if (type === 'tool_call' && typeof toolCallId === 'string')
    await request('tool_call/cancel', { sessionId, toolCallId });
  else if (type === 'terminal' && typeof terminalId === 'string')
    await request('terminal/cancel', { sessionId, terminalId });
  else throw invalidParams('work: expected a tool call, a terminal or a child session, with its id');
}
