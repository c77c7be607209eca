import type { PermissionMode } from '@turnwire/permissions';
import type { permissionBases, withoutUser } from '../config/config-values.ts';

/** The settings for permission requests. Plain JSON: each prompt carries them. */
export interface PermissionSettings {
  /** `ask` asks a user about every request, `approve-reads` about all but reading and searching. */
  readonly base: (typeof permissionBases)[number];
  /** The reaction without a user: refuse, or end the turn. */
  readonly nonInteractive: (typeof withoutUser)[number];
  readonly mode?: PermissionMode;
  /** A policy: `autoApprove`, `autoDeny`, `escalate`, `defaultAction`. */
  readonly policy?: object;
  /** The only tools that may be used. */
  readonly allowedTools?: string;
}
