import type { PermissionMode } from '@turnwire/permissions';
import type { permissionBases, withoutUser } from '../config/config-values.ts';

/** How permission requests are answered. Plain JSON: it goes with each prompt. */
export interface PermissionSettings {
  /** `ask` asks a user about everything; `approve-reads` about all but reading and searching. */
  readonly base: (typeof permissionBases)[number];
  /** What to do if there is no user to ask: refuse, or end the turn. */
  readonly nonInteractive: (typeof withoutUser)[number];
  readonly mode?: PermissionMode;
  /** A policy: `autoApprove`, `autoDeny`, `escalate`, `defaultAction`. */
  readonly policy?: object;
  /** The only tools that may be used. */
  readonly allowedTools?: string;
}
