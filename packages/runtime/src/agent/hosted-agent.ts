import type { Agent, AgentOptions, Host } from '@turnwire/client';
import type { AgentDifferences } from '@turnwire/client/known-agents';
import type { AuthMethodTerminal, McpServer } from '@turnwire/protocol';
import type { StartOptions } from './agent-start.ts';

/** An agent that a gateway starts for its sessions: one process, or connection, each. */
export interface HostedAgent extends Pick<StartOptions, 'loadNotBefore' | 'replaysLate' | 'retry' | 'reconnect'> {
  /**
   * Starts and initializes it in a folder, with these options: `launchAgent(command, { ...options, cwd })` or `attachAgent(transport, options)`.
   */
  readonly start: (options: AgentOptions, place: { readonly cwd: string }) => Promise<Agent>;
  /**
   * Makes the services of this machine for one session, used where its client in control does not offer them. Default: files, and commands
   * that inherit harmless variables.
   */
  readonly host?: (() => Pick<Host, 'files' | 'terminals'>) | undefined;
  /** Servers that each of its sessions has beside those its client names, as far as the agent can connect to them. They are not stored. */
  readonly mcpServers?: readonly McpServer[] | undefined;
  /**
   * The command of a login at a terminal, for agents on whose machine the clients are not: clients see it with the login, and log in with it
   * once a user has run it there. `start` gives the agent a `terminalLogin` that resolves at once. Default: clients run such logins.
   */
  readonly loginCommand?: ((method: AuthMethodTerminal) => string) | undefined;
  /** How it differs from other agents, if it is a known one. */
  readonly differences?: AgentDifferences | undefined;
}
