import type { AgentCapabilities, AuthMethod, Implementation } from '@turnwire/protocol';

/** What the agent of a session does. Each state has its own ways to continue. */
export type AgentState =
  /** There is no agent: the next prompt starts it. */
  | { readonly name: 'parked' }
  /** The agent is being started or restarted. `waiting` is set while that must not continue before a time, in milliseconds since 1970. */
  | {
      readonly name: 'starting';
      readonly since: number;
      readonly waiting?: { readonly until: number; readonly reason: string };
    }
  | { readonly name: 'ready' }
  /** A turn runs. `silentSince` is set while the agent has sent nothing for longer than the limit: cancel or restart. */
  | { readonly name: 'working'; readonly since: number; readonly silentSince?: number }
  /** A cancel was sent. `isOverdue`: the agent did not obey in time: restart. */
  | { readonly name: 'cancelling'; readonly since: number; readonly isOverdue: boolean }
  /** The connection to the agent broke, and is made again at that time, in milliseconds since 1970: a prompt or `restart` does it at once. */
  | { readonly name: 'reconnecting'; readonly attempt: number; readonly until: number; readonly message: string }
  /** The agent has ended, cannot be reached any more, or could not be started: restart. */
  | { readonly name: 'dead'; readonly message: string }
  /** The agent requires a login: see `offers.authMethods`. */
  | { readonly name: 'login-needed'; readonly message: string };

/** What an agent offers, as it said in `initialize`. */
export interface AgentOffers {
  readonly capabilities: AgentCapabilities;
  readonly authMethods: readonly AuthMethod[];
  /** It takes prompts into a running turn. Absent: it does not. */
  readonly steering?: true;
}

/** The same as subscribers see it. */
export type SessionState = AgentState & {
  /** As the agent introduced itself, once it has. */
  readonly agent?: Implementation;
  /** What the agent offers, while it runs. */
  readonly offers?: AgentOffers;
};

/** A session without an agent. */
export const parked: AgentState = { name: 'parked' };

/** The agent has ended or does not react: only a restart helps. */
export function isBroken(state: AgentState): boolean {
  return (
    state.name === 'dead' || state.name === 'reconnecting' || (state.name === 'cancelling' && state.isOverdue === true)
  );
}
