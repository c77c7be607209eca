export { memoryStore } from './store/memory-store.ts';
export type {
  Cursor,
  EventPage,
  GapReason,
  IndexedTexts,
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
export { type FoundSession, mostMatches, type TextQuery } from './texts/found-sessions.ts';
export type { Passage, PassageKind } from './texts/passage.ts';
export { type Snippet, snippetOf } from './texts/snippet.ts';
export { queryWords } from './texts/words.ts';
export { SessionTexts, type SessionTextsParts } from './search/session-texts.ts';
export { StoreError, type StoreErrorCode } from './store/store-error.ts';
export { sqliteStore, type SqliteStoreOptions } from './store/sqlite/sqlite-store.ts';
export type { WarmAgents } from './warm-agents.ts';
export { exactTransport } from './exact-transport.ts';
export type { HostedAgent } from './agent/hosted-agent.ts';
export type { ReconnectOptions } from './agent/reconnecting.ts';
export { beginning, cursorText, readCursor } from './log/cursor-text.ts';
export { joinedTexts } from './log/joined-texts.ts';
export { type LoggedEvent, type PlacedEvent, updateText } from './log/session-event.ts';
export { turnInterrupted } from './log/turn-history.ts';
export type { OpenSessions } from './open-sessions.ts';
export { askingModeId, neverAsks } from './agent/agent-asking.ts';
export { type AgentFacts, unknownAgent } from './agent/agent-facts.ts';
export type { TurnEnd } from './session/prompt-answers.ts';
export type { SessionPrompt } from './session/prompt-queue.ts';
export type { SessionFacts } from './session/session-facts.ts';
export type { Session, SessionSetUp } from './session/session.ts';
export type { Metering } from './session/session-budget.ts';
export type { SessionRules, SessionRulesParts } from './session/session-rules.ts';
export type { HandedPrompt } from './session/session-turns.ts';
export type {
  ExtensionCalls,
  SessionChange,
  ShownSession,
  Subscriber,
  TerminalRequests,
} from './session/subscriber.ts';
export type { Subscription, SubscriptionStart } from './session/subscription.ts';
export type { StoppedTurn, TurnLimits } from './session/turn-limits.ts';
export type { SessionLimits } from './session-limits.ts';
export { type LivePrompt, LiveSession, type LiveSessionParts } from './live-session.ts';
export { type NewSession, type SessionQuotas, Sessions, type SessionsOptions } from './sessions.ts';
export type { Amount, TurnUsage, UsageQuery, UsageRecord } from './usage/usage-record.ts';
export type { Budget, Spending, TokenPrice } from './usage/budgets.ts';
export type { UsageFacts } from './usage/session-usage.ts';
