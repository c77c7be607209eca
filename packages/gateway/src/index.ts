export { TokenFile, type TokenGrant, type TokenPrincipal, type TokenRecord } from './auth/token-file.ts';
export { memoryStore } from './store/memory-store.ts';
export type {
  Cursor,
  EventPage,
  GapReason,
  NewEvent,
  RecordChange,
  SessionClaim,
  SessionPage,
  SessionQuery,
  SessionRecord,
  SessionStore,
  StoredEvent,
  StoredUse,
} from './store/session-store.ts';
export { StoreError, type StoreErrorCode } from './store/store-error.ts';
export { sqliteStore, type SqliteStoreOptions } from './store/sqlite/sqlite-store.ts';
export { ClientConnection } from './clients/client-connection.ts';
export type { WantedSession } from './clients/client-sessions.ts';
export type { AuditEntry } from './audit-entry.ts';
export { PageLoginFile } from './auth/page-login-file.ts';
export type { KeptPass, PagePass, PagePasses, PassKind, PassOwner } from './auth/page-passes.ts';
export { digestOf } from './auth/secret.ts';
export type { SignedTokens } from './auth/signed-tokens.ts';
export type { ClusterNode, HandPrompts, RoutedClient, SessionMove } from './cluster-node.ts';
export type { QuotaEnforcer } from './quota-enforcer.ts';
export type { Principal, Scope } from './auth/principal.ts';
export type { GatewayLimits } from './gateway-limits.ts';
export { type AttachOptions, Gateway, type GatewayOptions, type ObservedEvent } from './gateway.ts';
export type { HostedAgent } from './hosted-agent.ts';
export { turnInterrupted } from './log/turn-history.ts';
export type { Author, SessionEvent } from './log/session-event.ts';
export type { Fork } from './session/fork-session.ts';
export type { HandedPrompt } from './session/session-turns.ts';
export type { SessionFacts } from './session/session-facts.ts';
export type { SessionRules, SessionRulesParts } from './session/session-rules.ts';
export type { SessionState } from './session/session-state.ts';
export { gatewayError } from './clients/wire-error.ts';
export { askingModeId, neverAsks } from './session/agent-asking.ts';
