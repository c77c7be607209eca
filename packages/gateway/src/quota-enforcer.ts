import type { Transport } from '@turnwire/protocol';
import type { SessionQuotas } from '@turnwire/runtime';

/**
 * Counts what tenants use of a gateway, and limits it: what would exceed a quota is refused with the ProtocolError to answer with.
 * `TenantUse` of `@turnwire/cluster` implements it.
 */
export interface QuotaEnforcer extends SessionQuotas {
  /** A transport whose frames are counted, both ways. */
  metered(transport: Transport, tenant: string): Transport;
  /** Rejects if the tenant may not open a session at the moment. */
  opening(tenant: string): Promise<void>;
}
