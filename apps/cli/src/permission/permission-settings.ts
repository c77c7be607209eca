import type { PermissionMode } from '@turnwire/permissions';

/** How permission requests are answered. Plain JSON: it goes with each prompt. */
export interface PermissionSettings {
  /** `ask` asks a user about everything; `approve-reads` about all but reading and searching. */
  readonly base: 'ask' | 'approve-reads' | 'approve-all' | 'deny-all';
  /** What to do if there is no user to ask: refuse, or end the turn. */
  readonly nonInteractive: 'deny' | 'fail';
  readonly mode?: PermissionMode;
  /** A policy: `autoApprove`, `autoDeny`, `escalate`, `defaultAction`. */
  readonly policy?: object;
  /** The only tools that may be used. */
  readonly allowedTools?: string;
}
