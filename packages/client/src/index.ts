export { attachAgent } from './agent/attach-agent.ts';
export type { Agent, AgentEnd, AgentOptions, NewSessionOptions, Timeouts } from './agent/agent.ts';
export type { FrameTap } from './agent/tap.ts';
export type { ProcessExit } from './launch/agent-process.ts';
export { commandWords, type CommandWords } from './launch/command-words.ts';
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
export type { Session, UpdateListener } from './session/session.ts';
export type { Turn, TurnResult } from './session/turn.ts';
