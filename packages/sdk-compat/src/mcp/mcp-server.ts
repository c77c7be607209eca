import { absent } from '../json-rpc/absent.ts';

/** Not available: MCP servers that run in the client need the official package. */
export function fromMcpServer(_factory: unknown): never {
  throw absent('fromMcpServer', 'handle requests of the method "mcp/message" yourself, or use the official package');
}
