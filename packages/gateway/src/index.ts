export { TokenFile, type TokenGrant, type TokenPrincipal, type TokenRecord } from './auth/token-file.ts';
export { ClientConnection } from './clients/client-connection.ts';
export type { WantedSession } from './clients/client-sessions.ts';
export type { AuditEntry } from './audit-entry.ts';
export { PageLoginFile } from './auth/page-login-file.ts';
export type {
  StoredPageToken,
  PageGrant,
  PageTokenStore,
  PageTokenKind,
  PageTokenOwner,
} from './auth/page-token-store.ts';
export { digestOf } from './auth/secret.ts';
export type { SignedTokens } from './auth/signed-tokens.ts';
export type { ClusterNode, SendPrompts, RoutedClient, SessionMove } from './cluster-node.ts';
export type { QuotaEnforcer } from './quota-enforcer.ts';
export type { Principal, Scope } from './auth/principal.ts';
export { type AttachOptions, Gateway, type GatewayOptions, type ObservedEvent } from './gateway.ts';
export { gatewayError } from './clients/wire-error.ts';
