import type { PermissionMode } from '@turnwire/permissions';

/** Who answers what an agent asks permission for. Holds nothing but JSON: it travels to the owner of a session. */
export interface PermissionSettings {
  /** `ask` asks a user about everything; `approve-reads` about all but reading and searching. */
  readonly base: 'ask' | 'approve-reads' | 'approve-all' | 'deny-all';
  /** What becomes of a question nobody can be asked: refused, or the end of the turn. */
  readonly whenNobodyAnswers: 'deny' | 'fail';
  readonly mode?: PermissionMode;
  /** A policy: `autoApprove`, `autoDeny`, `escalate`, `defaultAction`. */
  readonly policy?: object;
  /** The only tools that may be used. */
  readonly allowedTools?: string;
}
