export type {
  Agent,
  AgentEnd,
  AgentOptions,
  NewSessionOptions,
  StoredSessionOptions,
  Timeouts,
} from './agent/agent.ts';
export { attachAgent } from './agent/attach-agent.ts';
export { errorText } from './agent/error-text.ts';
export type { HostCall, HostGate } from './agent/host-gate.ts';
export type { LoginResult, TerminalLogin } from './agent/login.ts';
export type { ListSessionsOptions, SessionList } from './agent/session-list.ts';
export type { FrameTap } from './agent/tap.ts';
export { terminalLoginCommand, type TerminalLoginCommand } from './agent/terminal-login-command.ts';
export type { ProcessExit } from './launch/agent-process.ts';
export { commandWords, type CommandWords } from './launch/command-words.ts';
export { withoutProjectPackages } from './launch/npx-command.ts';
export { type Environment, inheritedVariables } from './launch/environment.ts';
export { launchAgent, type LaunchOptions } from './launch/launch-agent.ts';
export {
  approveAll,
  denyAll,
  optionOfKind,
  type PermissionContext,
  type PermissionDecision,
  type PermissionPolicy,
} from './permission/permission-policy.ts';
export type { PermissionEvent, PermissionListener } from './session/permission-broker.ts';
export { selectValues, type SessionConfigOptions } from './session/session-config-options.ts';
export { lossText, type MessageLoss } from './session/message-loss.ts';
export type { SessionModes } from './session/session-modes.ts';
export type { SessionDetails } from './session/session-state.ts';
export type { QueuedTurn, Session, UpdateContext, UpdateListener } from './session/session.ts';
export type { Turn, TurnResult } from './session/turn.ts';
