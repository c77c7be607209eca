import type { McpServer } from '@turnwire/protocol';
import type { Spending } from '@turnwire/runtime';
import type { AgentCommand } from '../driving/agent-command.ts';
import type { HostedAgentSettings } from '../sessions/hosted-agent.ts';

/** The inputs of a session host. They are sent, never stored: they may contain secrets. */
export interface HostStart {
  readonly recordId: string;
  readonly command: AgentCommand;
  readonly settings: Pick<HostedAgentSettings, 'files' | 'terminals' | 'auth' | 'authPolicy'>;
  readonly mcpServers: readonly McpServer[];
  /** The limits of its usage. */
  readonly spending: Spending;
  /** The path of a file for every frame of the agent. */
  readonly trace?: string;
  /** Whether the changes of its turns are recorded. */
  readonly review: boolean;
  /** Milliseconds without clients and work; 0: no limit. */
  readonly idle: number;
}

/** The report of a session host to the command that started it. */
export type HostNews =
  | { readonly type: 'listening'; readonly warnings: readonly string[] }
  | { readonly type: 'refused'; readonly pid: number }
  | { readonly type: 'failed'; readonly message: string };

/** The details in the lock of a session host. */
export interface HostDetails {
  /** The path of its socket. */
  readonly socket: string;
  /** ISO 8601. */
  readonly startedAt: string;
}
