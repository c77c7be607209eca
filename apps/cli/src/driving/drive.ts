import { type Agent, type AgentOptions, attachAgent, type Host } from '@turnwire/client';
import { type Environment, launchAgent, type LaunchOptions } from '@turnwire/client/node';
import type { AgentDifferences } from '@turnwire/client/known-agents';
import { hostActionOf, hostPreviewOf, limitsMeta, type Permissions } from '@turnwire/permissions';
import { type Implementation, invalidParams } from '@turnwire/protocol';
import { connectedWords } from './remote-agent.ts';
import { version } from '../version.ts';

/** How long an agent may take to stop when asked, in milliseconds. */
const cancelTimeout = 5_000;
/** How long an agent may take to cancel a request it has not answered. */
const takeBackTimeout = 500;

/** The limits of every agent we drive. */
export const driving: Pick<LaunchOptions, 'timeouts' | 'peer'> = {
  timeouts: { cancel: cancelTimeout },
  peer: { limits: { cancel: takeBackTimeout } },
};

/** The client info we send to agents. */
export function clientInfo(): Implementation {
  return { name: 'turnwire', title: 'Turnwire', version: version() };
}

/** The parts a driven agent is started with. */
export interface DriveParts {
  readonly words: readonly string[];
  readonly cwd: string;
  readonly env: Environment;
  readonly inheritEnv: readonly string[];
  readonly differences?: AgentDifferences | undefined;
  readonly host: Host;
  /** The permissions of the current turn; undefined outside a turn. */
  readonly permissions: () => Permissions | undefined;
  /** The login method for an agent that wants a login. */
  readonly auth?: string | undefined;
  /** Runs logins at a terminal; absent: the agent gets the answer that there is no terminal. */
  readonly terminalLogin?: AgentOptions['terminalLogin'];
  readonly tap?: AgentOptions['tap'];
  readonly log?: NonNullable<AgentOptions['peer']>['log'];
  readonly signal?: AbortSignal | undefined;
}

/** Starts an agent with the host services of this machine; the permissions decide everything it asks for. */
export function drive(parts: DriveParts): Promise<Agent> {
  const { words, cwd, env, inheritEnv, differences, auth, terminalLogin, tap, log, signal } = parts;
  return startAgent(words, {
    cwd,
    env: environmentFor(differences, env),
    inheritEnv,
    clientInfo: clientInfo(),
    ...decidedBy(parts),
    ...(auth !== undefined && { onLoginNeeded: () => auth }),
    terminalLogin,
    tap,
    signal,
    timeouts: timeoutsFor(differences),
    peer: { ...driving.peer, log },
  });
}

/** Starts an agent, or connects to one on another machine: without a process in between, so its errors name its URL and nothing else. */
export async function startAgent(words: readonly string[], options: LaunchOptions): Promise<Agent> {
  const connected = connectedWords(words);
  if (connected === undefined) return launchAgent(words, options);
  const { remoteAgent, remoteEnvironment, remoteTransport } = await import('./remote-connection.ts');
  const { cwd = process.cwd(), inheritEnv, env } = options;
  const remote = remoteAgent(connected, { env: remoteEnvironment(inheritEnv, env), cwd });
  return attachAgent(remoteTransport(remote), options);
}

/** Applies the permissions to what the agent asks, to what it uses of ours, and to the limits each prompt brings. */
export function decidedBy({ host, permissions }: Pick<DriveParts, 'host' | 'permissions'>): AgentOptions {
  return {
    host,
    permission: (request, context) => permissions()?.policy(request, context),
    promptMeta: (agent) => limitsMeta(agent.capabilities, permissions()?.limits),
    hostGate: async (call) => {
      const deciding = permissions();
      if (!deciding) throw invalidParams('Nothing may be done outside a turn');
      await deciding.allowHostCall(hostActionOf(call, host.terminals), call.signal, () =>
        hostPreviewOf(call, host.files),
      );
    },
  };
}

/** The variables an agent is started with: those that make it ask, then those of the user. */
export function environmentFor({ environment, asking }: AgentDifferences = {}, own: Environment = {}): Environment {
  return { ...environment, ...(asking?.by === 'environment' && asking.variables), ...own };
}

/** The limits of an agent, with its known exit time. */
export function timeoutsFor({ exitTimeout }: AgentDifferences = {}): NonNullable<LaunchOptions['timeouts']> {
  return { ...driving.timeouts, ...(exitTimeout !== undefined && { exit: exitTimeout }) };
}
