export {
  authenticationRequired,
  errorCodes,
  invalidParams,
  ProtocolError,
  resourceNotFound,
  TurnwireError,
} from '@turnwire/protocol';
export type { AgentAuth } from './agent-auth.ts';
export { defineAgent } from './definition.ts';
export type { AgentDefinition, Meta, SessionFork } from './definition.ts';
export type {
  ChildTask,
  PromptEnd,
  PermissionAnswer,
  PlanStep,
  ToolAnnouncement,
  Turn,
  TurnCommands,
  WaitingPrompt,
} from './turn/turn.ts';
export type { Login, LoginForm, LoginPage, LoginQuestions } from './login.ts';
export { serveAgent } from './serve-agent.ts';
export type { ServedAgent, ServeOptions } from './serve-agent.ts';
export type { RestoredSession, Session, SessionSetup } from './session/session.ts';
export type { TurnLimits } from './turn/turn-limits.ts';
export { memoryStore, type MemoryStoreOptions } from './store/memory-store.ts';
export type {
  OpenedSession,
  ReadSession,
  SessionEntry,
  SessionHeader,
  SessionJournal,
  SessionPage,
  SessionQuery,
  SessionStore,
  StoredSession,
} from './store/session-store.ts';
export type { FormValues, GivenAnswer, UserAnswer, UserQuestion } from './turn/ask-user.ts';
export type { ClientTerminal, ClientTerminals } from './turn/client-terminals.ts';
export type { CommandOutcome, CommandRequest } from './turn/turn-commands.ts';
export type { CompactionReport } from './turn/compaction-report.ts';
export type { LineRange } from './turn/line-range.ts';
export type { ToolChanges, ToolContent, ToolReport } from './turn/tool-report.ts';
export type { TurnClient } from './turn/turn-client.ts';
export type { TurnFiles } from './turn/turn-files.ts';
