import type { McpServer } from '@turnwire/protocol';
import type { AgentCommand } from '../driving/agent-command.ts';
import type { HostedAgentSettings } from '../sessions/hosted-agent.ts';

/** What a session host is started with. Sent, never stored: it may hold secrets. */
export interface HostStart {
  readonly recordId: string;
  readonly command: AgentCommand;
  readonly settings: Pick<HostedAgentSettings, 'files' | 'terminals' | 'auth' | 'authPolicy'>;
  readonly mcpServers: readonly McpServer[];
  /** Where to write every frame of the agent to. */
  readonly trace?: string;
  /** Milliseconds without clients and work; 0: no limit. */
  readonly idle: number;
}

/** What a started session host reports to the command that started it. */
export type HostNews =
  | { readonly type: 'listening'; readonly warnings: readonly string[] }
  | { readonly type: 'refused'; readonly pid: number }
  | { readonly type: 'failed'; readonly message: string };

/** What the lock of a session host says besides its holder. */
export interface HostDetails {
  /** Where it listens for clients of the protocol. */
  readonly socket: string;
  /** ISO 8601. */
  readonly startedAt: string;
}
