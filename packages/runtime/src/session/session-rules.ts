import type { GivenRule, Permissions, PermissionsOptions } from '@turnwire/permissions';
import type { SessionRecord } from '../store/session-store.ts';

/** What the rules of a session are made with. */
export interface SessionRulesParts extends Pick<PermissionsOptions, 'ask' | 'onWarning'> {
  /**
   * What a client of the scope `admin` gave with its prompt, as `_meta.turnwire.rules`: JSON that the gateway does not look into. Undefined
   * between turns, and for the prompts of others.
   */
  readonly given?: unknown;
  /** The rules that were made in the session so far, by answers that are to be remembered. */
  readonly made: readonly GivenRule[];
  /** Ends the running turn, whose answer then has the message. */
  readonly stop: (message: string) => void;
}

/**
 * Makes the rules that decide what the agent of a session may do, for one turn; `ask` puts a question to the clients in control. Throws the
 * ProtocolError to answer the prompt with if `given` cannot be used.
 */
export type SessionRules = (session: SessionRecord, parts: SessionRulesParts) => Permissions;
