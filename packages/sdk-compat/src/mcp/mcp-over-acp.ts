import { absent } from '../json-rpc/absent.ts';

/** The method that carries messages of MCP. */
export const MCP_MESSAGE_METHOD = 'mcp/message';
/** The revision of MCP that the official package carries. */
export const MCP_PROTOCOL_VERSION = '2026-07-28';
/** The field of `_meta` with the revision of MCP. */
export const MCP_META_PROTOCOL_VERSION = 'io.modelcontextprotocol/protocolVersion';
/** The field of `_meta` with the capabilities of the MCP client. */
export const MCP_META_CLIENT_CAPABILITIES = 'io.modelcontextprotocol/clientCapabilities';
/** The field of `_meta` with the name of the MCP client. */
export const MCP_META_CLIENT_INFO = 'io.modelcontextprotocol/clientInfo';

/** Codes of errors of the carrier, not of the MCP server. */
export const McpBindingErrorCode = {
  invalidParams: -32602,
  requestCancelled: -32800,
  resourceLimitExceeded: -33000,
  serverUnavailable: -33001,
  backendFailed: -33002,
} as const;

/** An MCP server that the client runs. */
export type McpServerAcpDeclaration = { type: 'acp'; name: string; serverId: string };

/** Whether an MCP server is one that the client runs. */
export function isMcpServerAcp(server: unknown): server is McpServerAcpDeclaration {
  const { type, name, serverId } = (server ?? {}) as { readonly [field: string]: unknown };
  return type === 'acp' && typeof name === 'string' && typeof serverId === 'string';
}

/** An error of an MCP server. */
export class McpProtocolError extends Error {
  override name = 'McpProtocolError';
  readonly code: number;
  readonly data?: unknown;

  constructor(code: number, message: string, data?: unknown) {
    super(message);
    this.code = code;
    this.data = data;
  }

  /** The error as MCP sends it. */
  toMcpError(): { code: number; message: string; data?: unknown } {
    return { code: this.code, message: this.message, ...(this.data !== undefined && { data: this.data }) };
  }
}

/** Not available: MCP servers that run in the client need the official package. */
export class McpOverAcpProvider {
  constructor() {
    throw unavailable('McpOverAcpProvider');
  }
}

/** Not available: MCP servers that run in the client need the official package. */
export class McpOverAcpCaller {
  constructor() {
    throw unavailable('McpOverAcpCaller');
  }
}

/** Not available: MCP servers that run in the client need the official package. */
export class McpServerRegistration {
  constructor() {
    throw unavailable('McpServerRegistration');
  }
}

/** Not available: MCP servers that run in the client need the official package. */
export function parseMcpOutcome(_value: unknown): never {
  throw unavailable('parseMcpOutcome');
}

/** Not available: MCP servers that run in the client need the official package. */
export function withMcpRequestMeta(_params: unknown): never {
  throw unavailable('withMcpRequestMeta');
}

function unavailable(name: string): Error {
  return absent(name, 'handle requests of the method "mcp/message" yourself, or use the official package');
}
