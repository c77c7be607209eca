import type { Implementation } from '@turnwire/protocol';
import type { AgentOffers } from './agent-facts.ts';
import type { ConversationState } from '@turnwire/client/conversation';

/**
 * What the agent of a session does, as clients see it: the states of a conversation, and `parked` while there is no agent, which the next
 * prompt starts. One that could not be started is `dead`.
 */
export type SessionState = (Exclude<ConversationState, { readonly name: 'closed' }> | { readonly name: 'parked' }) & {
  /** As the agent introduced itself, once it has. */
  readonly agent?: Implementation;
  /** What the agent offers, while it runs. */
  readonly offers?: AgentOffers;
};

/** A session without an agent. */
export const parked: SessionState = { name: 'parked' };

/** The agent has ended or does not react: only a restart helps. */
export function isBroken(state: ConversationState): boolean {
  return (
    state.name === 'dead' || state.name === 'reconnecting' || (state.name === 'cancelling' && state.isOverdue === true)
  );
}
