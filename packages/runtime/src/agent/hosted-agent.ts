import type { Agent, AgentOptions, Host } from '@turnwire/client';
import type { AgentDifferences } from '@turnwire/client/known-agents';
import type { AuthMethodTerminal, McpServer } from '@turnwire/protocol';
import type { StartOptions } from './agent-start.ts';

/** An agent that a gateway starts for its sessions: each session has its own process or connection. */
export interface HostedAgent extends Pick<StartOptions, 'loadNotBefore' | 'replaysLate' | 'retry' | 'reconnect'> {
  /**
   * Starts and initializes the agent in a folder, with these options: `launchAgent(command, { ...options, cwd })` or `attachAgent(transport, options)`.
   */
  readonly start: (options: AgentOptions, location: { readonly cwd: string }) => Promise<Agent>;
  /**
   * Makes the services of this machine for one session, which uses them if its client in control offers none. Default: files, and commands that
   * inherit harmless variables.
   */
  readonly host?: (() => Pick<Host, 'files' | 'terminals'>) | undefined;
  /** MCP servers for each of its sessions, in addition to those of the client. The agent gets those that it can connect to. They are not stored. */
  readonly mcpServers?: readonly McpServer[] | undefined;
  /**
   * Returns the command of a login at a terminal, for an agent on another machine than its clients. Clients see the command with the login, and log
   * in after a user has run it on the agent's machine. `start` needs a `terminalLogin` that resolves at once. Default: clients run such logins.
   */
  readonly loginCommand?: ((method: AuthMethodTerminal) => string) | undefined;
  /** The differences of a known agent from others. */
  readonly differences?: AgentDifferences | undefined;
}
