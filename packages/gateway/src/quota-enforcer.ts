import type { Transport } from '@turnwire/protocol';

/**
 * Counts what tenants use of a gateway, and limits it: what would exceed a quota is refused with the ProtocolError to answer with.
 * `TenantUse` of `@turnwire/cluster` implements it.
 */
export interface QuotaEnforcer {
  /** A transport whose frames are counted, both ways. */
  metered(transport: Transport, tenant: string): Transport;
  /** Does what stores a new session, unless the tenant may have no more of them. */
  beginning<Result>(tenant: string, store: () => Promise<Result>): Promise<Result>;
  /** Rejects if the tenant may not open a session at the moment. */
  opening(tenant: string): Promise<void>;
  /** Counts a prompt. Throws if it is one too many. */
  admitPrompt(tenant: string): void;
  /** Throws if the tenant may have no further agent. */
  admitAgent(tenant: string): void;
}
