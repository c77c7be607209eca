import type { McpCapabilities, McpServer } from '../generated/v2-types.ts';
import { RequestError } from '../json-rpc/request-error.ts';

const transports: ReadonlySet<string> = new Set(['stdio', 'http', 'acp']);

/** @throws {RequestError} -32602 for two servers with one name, and for a server over a transport that the agent did not advertise */
export function assertSupportedMcpServers(
  mcpServers: ReadonlyArray<McpServer> | null | undefined,
  capabilities: McpCapabilities | null | undefined,
): void {
  const names = new Set<unknown>();
  for (const server of mcpServers ?? []) {
    const { name, type } = server as { readonly name?: unknown; readonly type: string };
    if (typeof name === 'string' && names.has(name))
      throw RequestError.invalidParams({ name }, `Duplicate MCP server name ${name}`);
    names.add(name);
    if (!transports.has(type) || !(capabilities as { readonly [type: string]: unknown } | null | undefined)?.[type])
      throw RequestError.invalidParams({ type }, `Unsupported MCP server transport ${type}`);
  }
}
