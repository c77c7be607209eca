import type { AgentOptions, FrameTap, HostTerminals } from '@turnwire/client';
import type { HostedAgent } from '@turnwire/runtime';
import { PlaceTerminals } from '@turnwire/runtime/places';
import { startOptionsFor } from '@turnwire/client/known-agents';
import { localFiles, localTerminals } from '@turnwire/client/node';
import type { AgentCommand } from '../driving/agent-command.ts';
import { clientInfo, driving, environmentFor, startAgent, timeoutsFor } from '../driving/drive.ts';
import { connectedWords } from '../driving/remote-agent.ts';
import { loginLine } from '../driving/terminal-login.ts';
import { refuseUnknownLogin } from '../driving/session-setup.ts';

/** The settings of an agent besides its command. The defaults are those of a server. */
export interface HostedAgentSettings {
  /** Whether the agent may use files of this machine. Default: true. */
  readonly files?: boolean;
  /** Whether the agent may run commands on this machine. Default: true. */
  readonly terminals?: boolean;
  /** The login method for an agent that requires a login. */
  readonly auth?: string | undefined;
  /** `fail`: an agent that offers logins is not used without one. Default: `skip`. */
  readonly authPolicy?: 'skip' | 'fail';
  /** Runs logins at a terminal. Default: this client has no terminal. */
  readonly terminalLogin?: AgentOptions['terminalLogin'];
  /** Whether clients see the command of a login at a terminal, which a user runs on this machine. */
  readonly showsLogins?: boolean;
  /** The MCP servers of each session. The agent gets those that it can connect to. */
  readonly mcpServers?: HostedAgent['mcpServers'];
  /** Retries if the agent ends or does not answer while a session opens. */
  readonly retry?: HostedAgent['retry'];
  /** Receives every frame. */
  readonly tap?: FrameTap | undefined;
  readonly log?: NonNullable<AgentOptions['peer']>['log'];
}

/** Makes the agent of a command startable for sessions, each in its own folder. */
export function hostedAgent(command: AgentCommand, settings: HostedAgentSettings = {}): HostedAgent {
  const { words, env, inheritEnv, differences, place } = command;
  const isRemote = connectedWords(words) !== undefined;
  const { files = true, terminals = true, auth, authPolicy = 'skip', terminalLogin, tap, log } = settings;
  const { mcpServers, retry, showsLogins = false } = settings;
  return {
    differences,
    ...startOptionsFor(differences),
    mcpServers,
    retry,
    ...(showsLogins && { loginCommand: (method) => loginLine(method, command) }),
    // A broken connection to a remote agent is made again.
    ...(isRemote && { reconnect: {} }),
    host: () => ({
      ...(files && place?.sharesFiles !== false && { files: localFiles({ missingFile: differences?.missingFile }) }),
      ...(terminals && { terminals: terminalsOf(command) }),
    }),
    start: async (options, { cwd }) => {
      const agent = await startAgent(command, {
        ...options,
        cwd,
        env: environmentFor(differences, env),
        inheritEnv,
        clientInfo: clientInfo(),
        // A remote gateway offers files and commands on the agent's machine, by its own rules.
        ...(isRemote && { clientMeta: { turnwire: { services: false } } }),
        ...(auth !== undefined && { onLoginNeeded: () => auth }),
        // The user runs the login elsewhere and says when it is complete.
        terminalLogin: showsLogins ? () => Promise.resolve(true) : terminalLogin,
        tap: tap
          ? (direction, frame) => {
              const written = tap(direction, frame);
              return options.tap?.(direction, frame) ?? written;
            }
          : options.tap,
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

/** Terminals of this machine, or of the place where the agent runs. */
function terminalsOf({ inheritEnv, place }: AgentCommand): HostTerminals {
  const own = localTerminals({ inheritEnv });
  return place ? new PlaceTerminals(own, place) : own;
}
