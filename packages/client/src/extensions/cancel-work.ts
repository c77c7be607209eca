import type { AgentWork } from '@turnwire/protocol';
import type { Agent } from '../agent/agent.ts';

/**
 * Asks the agent to cancel a tool call, a terminal or a child session of a session, and nothing else. Updates report its end. Rejects with
 * the agent's ProtocolError, or with TurnwireError `not-advertised`. A transcript knows what the agent can cancel: see `cancellableItems` of
 * `@turnwire/client/view`.
 */
export async function cancelWork(
  { peer }: Pick<Agent, 'peer'>,
  sessionId: string,
  { type, ...ids }: AgentWork,
): Promise<void> {
  if (type === 'subagent') return peer.notify('session/cancel', { sessionId: ids.sessionId ?? sessionId });
  // Only version 2 has these methods.
  await peer.request(`${type}/cancel` as 'logout', { sessionId, ...ids } as object);
}
