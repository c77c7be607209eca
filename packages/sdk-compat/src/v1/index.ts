export type { AgentConnectionLifecycle, AgentConnectOptions, AgentConnector } from '../apps/agent-connector.ts';
export type { AcpConnection, AppOptions } from '../apps/app.ts';
export { AgentSideConnection } from '../classes/agent-side-connection.ts';
export { ClientSideConnection } from '../classes/client-side-connection.ts';
export type { Agent, Client } from '../classes/interfaces.ts';
export type { ParamsParser } from '../connection/registrations.ts';
export type * from '../generated/v1-types.ts';
export type {
  AnyMessage,
  AnyNotification,
  AnyRequest,
  AnyResponse,
  ErrorResponse,
  JsonRpcId,
  MaybePromise,
  Result,
  SendRequestOptions,
} from '../json-rpc/messages.ts';
export { RequestError } from '../json-rpc/request-error.ts';
export { TerminalHandle } from '../sessions/terminal-handle.ts';
export { ndJsonStream } from '../streams/nd-json-stream.ts';
export {
  DEFAULT_MAX_MESSAGE_BYTES,
  MessageTooLargeError,
  type NdJsonStreamOptions,
  type Stream,
} from '../streams/stream.ts';
export {
  ActiveSession,
  agent,
  AgentApp,
  AgentContext,
  client,
  ClientApp,
  ClientContext,
  SessionBuilder,
} from './app.ts';
export type * from '../classes/deprecated-types.ts';
export {
  CreateElicitationRequest,
  CreateElicitationResponse,
  ElicitationPropertySchema,
  MultiSelectItems,
} from '../guards/v1-guards.ts';
export { AGENT_METHODS, CLIENT_METHODS, methods, PROTOCOL_METHODS, PROTOCOL_VERSION } from './method-names.ts';
export type * from './types.ts';
