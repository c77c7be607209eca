import type { AgentState } from '@turnwire/protocol';

/** The offers of an agent, from its answer to `initialize`. */
export type AgentOffers = NonNullable<AgentState['offers']>;

/** A session without an agent. */
export const parked: AgentState = { name: 'parked' };

/** The agent has ended or does not react: only a restart helps. */
export function isBroken(state: AgentState): boolean {
  return (
    state.name === 'dead' || state.name === 'reconnecting' || (state.name === 'cancelling' && state.isOverdue === true)
  );
}
