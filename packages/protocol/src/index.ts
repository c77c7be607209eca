export { asideKey, goReference, lenient, pharo, SeveralValues, strict } from './dialects/index.ts';
export type { DialectContext, Dialect, Reading, SessionLookup } from './dialects/index.ts';
export type { WireError } from './json-rpc/wire-error.ts';
export {
  type Edition,
  type EditionTypes,
  type MethodRow,
  type Ordering,
  type SessionEffect,
  v1,
  type V1,
} from './edition.ts';
export { TurnwireError, type TurnwireErrorCode } from './turnwire-error.ts';
export { checks } from './generated/checks.ts';
export { shapes } from './generated/shapes.ts';
export type * from './generated/types.ts';
export { feedbackOf, selectedOutcome, takesFeedback } from './feedback.ts';
export type { AskingChild, ConfinedRun, HostCall, PermissionContext } from './host-call.ts';
export type { Log, LogEntry } from './log/log.ts';
export { redact } from './log/redact.ts';
export { redactText } from './log/redact-text.ts';
export { mergeCapabilities } from './merge-capabilities.ts';
export type {
  DefinitionOf,
  ExtensionMethod,
  MethodName,
  NotificationMethod,
  Params,
  RequestMethod,
  Result,
} from './method-types.ts';
export type { Opposite, Side } from './side.ts';
export { methods } from './methods.ts';
export type {
  ReviewedChange,
  ReviewedFile,
  ReviewedHunk,
  ReviewedText,
  ReviewedTurn,
  ReviewOverview,
  ReviewResult,
  UnsentComment,
} from './review-view.ts';
export { isThisMachine } from './this-machine.ts';
export type { Agreement, ParamGate, Refusal } from './gates.ts';
export { connectAgent, connectClient } from './peer/connect.ts';
export { keptValue } from './peer/kept-value.ts';
export { defaultLimits, type Limits } from './peer/limits.ts';
export { frameAbout, RelayedFrames } from './peer/relayed-frames.ts';
export type {
  Closed,
  ExtensionHandler,
  HandlerContext,
  Handlers,
  NotificationHandler,
  Peer,
  PeerOptions,
  RequestContext,
  RequestHandler,
  RawCalls,
  AddedHandlers,
  Extensions,
  RequestOptions,
} from './peer/peer-types.ts';
export {
  authenticationRequired,
  errorCodes,
  invalidParams,
  methodNotFound,
  ProtocolError,
  requestCancelled,
  resourceNotFound,
} from './protocol-error.ts';
export { negotiateVersion, protocolVersion } from './protocol-version.ts';
export type { QuestionChoice, QuestionView, ShownPath } from './question-view.ts';
export {
  isSteerable,
  promptRequiredWhenIdle,
  steeringAdvertised,
  type SteeringAnswer,
  steeringMethod,
  type SteeringOutcome,
  steeringRequest,
} from './steering.ts';
export type {
  AgentWork,
  FoundSession,
  HistoryPage,
  PlacedEvent,
  SessionFork,
  TextMatch,
  TurnwireMethods,
  TurnwireNotification,
  TurnwireRequest,
  WaitingPrompt,
} from './turnwire-methods.ts';
export { type AgentState, type EventAuthor, type TurnwireMeta, turnwireMeta } from './turnwire-meta.ts';
export { type ToolCallChanges, toolCallChanges } from './tool-call-changes.ts';
export type { FrameAbout, FrameReceiver, Transport, TransportWarning } from './transport.ts';
export { grownText, type NewestText, newestText } from './newest-text.ts';
export { describe, type Problem } from './validation/problem.ts';
export { repair } from './repair.ts';
export { repairAs, type Repaired } from './validation/repair.ts';
export type { FieldShape, FieldShapes, Shape, TaggedShape } from './definition-shapes.ts';
export type { IntegerShape, Shapes } from './validation/shape.ts';
export type { UnknownTag, UnknownVariant } from './validation/unknown-variant.ts';
export {
  limitNames,
  type TokenCount,
  type UsageDimension,
  usageDimensions,
  type UsageLimits,
  type UsageRow,
  type UsageSum,
} from './usage-row.ts';
