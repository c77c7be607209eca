export type { AgentConnectionLifecycle, AgentConnectOptions, AgentConnector } from '../../apps/agent-connector.ts';
export type { AcpConnection, AppOptions } from '../../apps/app.ts';
export type { ParamsParser } from '../../connection/registrations.ts';
export type * from '../../generated/v2-unstable-types.ts';
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
  AuthMethod,
  AvailableCommand,
  AvailableCommandInput,
  BackgroundWork,
  ContentBlock,
  CreateElicitationRequest,
  CreateElicitationResponse,
  DiffChange,
  ElicitationPropertySchema,
  IdleStateUpdate,
  McpServer,
  MultiSelectItems,
  PlanUpdateContent,
  ReplayFrom,
  RequestPermissionOutcome,
  RequestPermissionSubject,
  SessionConfigOption,
  SessionUpdate,
  SetSessionConfigOptionRequest,
  StateUpdate,
  ToolCallContent,
} from '../../guards/v2-unstable-guards.ts';
export { agentProtocolRouter, AgentProtocolRouter } from '../agent-protocol-router.ts';
export { assertSupportedMcpServers } from '../assert-supported-mcp-servers.ts';
export { PROXY_METHODS } from '../../v1/unstable/method-names.ts';
export { PROTOCOL_METHODS, PROTOCOL_VERSION } from '../method-names.ts';
export { AGENT_METHODS, CLIENT_METHODS, methods } from './method-names.ts';
export type * from './types.ts';
