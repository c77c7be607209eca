export {
  type ConfinedRun,
  errorCodes,
  type HostCall,
  type PermissionContext,
  ProtocolError,
  type SessionUpdate,
  TurnwireError,
  type TurnwireErrorCode,
} from '@turnwire/protocol';
export type { Agent, AgentEnd, AgentOptions, ProcessExit } from './agent/agent.ts';
export { attachAgent } from './agent/attach-agent.ts';
export type { LoginResult, TerminalLogin } from './agent/login.ts';
export type { ListSessionsOptions, SessionList } from './agent/session-list.ts';
export type { FrameTap } from './agent/tap.ts';
export type { HostGate } from './host/host-gate.ts';
export type {
  Host,
  HostContext,
  HostElicitation,
  HostFiles,
  HostService,
  HostTerminals,
  TerminalSnapshot,
} from './host/host.ts';
export {
  approveAll,
  denyAll,
  optionOfKind,
  type PermissionDecision,
  type PermissionPolicy,
} from './permission/permission-policy.ts';
export type { PermissionEvent, PermissionListener, UnsentFeedback } from './session/permission-broker.ts';
export { selectValues, type SessionConfigOptions } from './session/session-config-options.ts';
export { lossText, type MessageLoss } from './session/message-loss.ts';
export type { SessionModes } from './session/session-modes.ts';
export type { SessionDetails } from './session/session-state.ts';
export type { ChildUpdateListener, PromptOptions, Session, UpdateContext, UpdateListener } from './session/session.ts';
export type { NewSessionOptions, StoredSessionOptions } from './session/session-options.ts';
export type { Timeouts } from './session/timeouts.ts';
export type { Turn, TurnResult } from './session/turn.ts';
