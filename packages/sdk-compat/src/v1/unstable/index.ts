export type { AgentConnectionLifecycle, AgentConnectOptions, AgentConnector } from '../../apps/agent-connector.ts';
export type { AcpConnection, AppOptions } from '../../apps/app.ts';
export type { ParamsParser } from '../../connection/registrations.ts';
export type * from '../../generated/v1-unstable-types.ts';
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
} from '../../json-rpc/messages.ts';
export { RequestError } from '../../json-rpc/request-error.ts';
export { TerminalHandle } from '../../sessions/terminal-handle.ts';
export {
  isMcpServerAcp,
  MCP_MESSAGE_METHOD,
  MCP_META_CLIENT_CAPABILITIES,
  MCP_META_CLIENT_INFO,
  MCP_META_PROTOCOL_VERSION,
  MCP_PROTOCOL_VERSION,
  McpBindingErrorCode,
  McpOverAcpCaller,
  McpOverAcpProvider,
  McpProtocolError,
  type McpServerAcpDeclaration,
  McpServerRegistration,
  parseMcpOutcome,
  withMcpRequestMeta,
} from '../../mcp/mcp-over-acp.ts';
export { ndJsonStream } from '../../streams/nd-json-stream.ts';
export {
  DEFAULT_MAX_MESSAGE_BYTES,
  MessageTooLargeError,
  type NdJsonStreamOptions,
  type Stream,
} from '../../streams/stream.ts';
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
export {
  CreateElicitationRequest,
  CreateElicitationResponse,
  ElicitationPropertySchema,
  MultiSelectItems,
} from '../../guards/v1-guards.ts';
export { IdleStateUpdate, StateUpdate } from '../../guards/v1-unstable-guards.ts';
export { PROTOCOL_METHODS, PROTOCOL_VERSION } from '../method-names.ts';
export { AGENT_METHODS, CLIENT_METHODS, methods, PROXY_METHODS } from './method-names.ts';
export type * from './types.ts';
