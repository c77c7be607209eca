import type { AgentOptions, FrameTap } from '@turnwire/client';
import type { HostedAgent } from '@turnwire/runtime';
import { startOptionsFor } from '@turnwire/client/known-agents';
import { localFiles, localTerminals } from '@turnwire/client/node';
import type { AgentCommand } from '../driving/agent-command.ts';
import { clientInfo, driving, environmentFor, startAgent, timeoutsFor } from '../driving/drive.ts';
import { connectedWords, reconnectOptionsFor } from '../driving/remote-agent.ts';
import { loginLine } from '../driving/terminal-login.ts';
import { refuseUnknownLogin } from '../driving/session-setup.ts';

/** What the options say about an agent, besides how it is started. Default: what a server gives every agent. */
export interface HostedAgentSettings {
  /** Whether it is offered files of this machine. Default: true. */
  readonly files?: boolean;
  /** Whether it is offered commands on this machine. Default: true. */
  readonly terminals?: boolean;
  /** The login method for an agent that wants a login. */
  readonly auth?: string | undefined;
  /** With `fail` an agent that offers logins is not used without one. */
  readonly authPolicy?: 'skip' | 'fail';
  /** Runs logins at a terminal; absent: the agent gets the answer that there is no terminal. */
  readonly terminalLogin?: AgentOptions['terminalLogin'];
  /** Shows clients the command of a login at a terminal, which a user runs on this machine. */
  readonly showsLogins?: boolean;
  /** Servers that each session has, as far as the agent can connect to them. */
  readonly mcpServers?: HostedAgent['mcpServers'];
  /** Retries when it ends or does not answer while a session is opened with it. */
  readonly retry?: HostedAgent['retry'];
  /** Receives every frame. */
  readonly tap?: FrameTap | undefined;
  readonly log?: NonNullable<AgentOptions['peer']>['log'];
}

/** The agent of a command, for the sessions of a gateway: each starts it in its own folder. */
export function hostedAgent(command: AgentCommand, settings: HostedAgentSettings = {}): HostedAgent {
  const { words, env, inheritEnv, differences } = command;
  const { files = true, terminals = true, auth, authPolicy = 'skip', terminalLogin, tap, log } = settings;
  const { mcpServers, retry, showsLogins = false } = settings;
  return {
    differences,
    ...startOptionsFor(differences),
    mcpServers,
    retry,
    ...(showsLogins && { loginCommand: (method) => loginLine(method, command) }),
    ...reconnectOptionsFor(words),
    host: () => ({
      ...(files && { files: localFiles({ missingFile: differences?.missingFile }) }),
      ...(terminals && { terminals: localTerminals({ inheritEnv }) }),
    }),
    start: async (options, { cwd }) => {
      const agent = await startAgent(words, {
        ...options,
        cwd,
        env: environmentFor(differences, env),
        inheritEnv,
        clientInfo: clientInfo(),
        // A gateway has files and commands of its own, where the agent is, and judges them by its own rules.
        ...(connectedWords(words) && { clientMeta: { turnwire: { services: false } } }),
        ...(auth !== undefined && { onLoginNeeded: () => auth }),
        // The user says when it is done.
        terminalLogin: showsLogins ? () => Promise.resolve(true) : terminalLogin,
        tap: (direction, frame) => {
          const written = tap?.(direction, frame);
          return options.tap?.(direction, frame) ?? written;
        },
        timeouts: timeoutsFor(differences),
        peer: { ...options.peer, limits: { ...driving.peer?.limits, ...options.peer?.limits }, log },
      });
      try {
        refuseUnknownLogin(agent, { auth, authPolicy });
        return agent;
      } catch (error) {
        await agent.close();
        throw error;
      }
    },
  };
}
