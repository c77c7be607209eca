import type { McpServer } from '@agentwire/protocol';

/** What a client asks for when it begins a session. */
export interface SessionSetup {
  /** Absolute working directory: relative paths start here, and tools stay inside. */
  readonly cwd: string;
  /** Further absolute folders tools may use; empty unless the definition allows them. */
  readonly additionalDirectories: readonly string[];
  /** MCP servers the client wants the agent to connect to. */
  readonly mcpServers: readonly McpServer[];
}

/** One conversation with one client. */
export interface Session<Memory = unknown> extends SessionSetup {
  readonly id: string;
  /** What `openSession` returned. */
  readonly memory: Memory;
}
