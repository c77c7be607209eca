import type { GivenRule, Permissions, PermissionsOptions } from '@turnwire/permissions';
import type { SessionRecord } from '../store/session-store.ts';

/** The inputs of a session's rules. */
export interface SessionRulesParts extends Pick<PermissionsOptions, 'ask' | 'onWarning'> {
  /**
   * `_meta.turnwire.rules` in the prompt of a client of the scope `admin`: JSON that only the rules read. Undefined between turns, and for prompts
   * of other clients.
   */
  readonly given?: unknown;
  /** The rules that answers of users have made in the session so far. */
  readonly made: readonly GivenRule[];
  /** Ends the running turn. Its answer contains the message. */
  readonly stop: (message: string) => void;
}

/**
 * Makes the rules of a session's agent for one turn; `ask` asks the clients in control. Throws the ProtocolError to answer the prompt with if
 * `given` is invalid.
 */
export type SessionRules = (session: SessionRecord, parts: SessionRulesParts) => Permissions;
