export type { AuditTable } from './nodes/audit-table.ts';
export { GatewayNode, type GatewayNodeOptions } from './nodes/gateway-node.ts';
export { type MoveOrder, moveSession } from './nodes/move-session.ts';
export type { NodeFigures, NodeState, SessionOwner } from './nodes/node-state.ts';
export type { TenantTotals } from './nodes/shared-use.ts';
export { postgresStore, type PostgresStoreOptions } from './postgres/postgres-store.ts';
export {
  quotaNames,
  type LiveUse,
  type QuotaName,
  type TenantFigures,
  type TenantBudgets,
  type TenantQuota,
  type TenantQuotas,
  TenantUse,
  type TenantUseOptions,
} from './quotas/tenant-use.ts';
export { TokenIssuer, type TokenIssuerOptions } from './token-issuer.ts';
