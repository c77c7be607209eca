import type { Transport } from '@turnwire/protocol';
import type { SessionQuotas } from '@turnwire/runtime';

/**
 * Counts and limits what each tenant uses of a gateway. A request that would exceed a quota is refused with the ProtocolError to answer with.
 * `TenantUse` of `@turnwire/cluster` implements it.
 */
export interface QuotaEnforcer extends SessionQuotas {
  /** Wraps a transport to count its frames in both directions. */
  metered(transport: Transport, tenant: string): Transport;
  /** Rejects if the tenant may not open a session at the moment. */
  opening(tenant: string): Promise<void>;
}
