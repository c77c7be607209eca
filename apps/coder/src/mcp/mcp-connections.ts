import type { McpServer } from '@agentwire/protocol';
import type { Tool } from '../tools/tool.ts';

/** The MCP servers of one session. They are connected in the background; what they offer is there as soon as they are. */
export class McpConnections {
  /** Begins to connect. Never throws: a server that cannot be reached is a trouble to tell, not an end. */
  static connect(_servers: readonly McpServer[], _surroundings: { readonly cwd: string }): McpConnections {
    return new McpConnections();
  }

  /** The tools of all servers that are connected, each named for its server: `server__tool`. */
  get tools(): readonly Tool[] {
    return [];
  }

  /** Disconnects from every server and ends those that were started. */
  async close(): Promise<void> {}
}
