import { absent } from '../json-rpc/absent.ts';

/** Not available: MCP servers that run in the client need the official package. */
export class McpOverAcpHttpBridge {
  constructor() {
    throw absent(
      'McpOverAcpHttpBridge',
      'handle requests of the method "mcp/message" yourself, or use the official package',
    );
  }
}
