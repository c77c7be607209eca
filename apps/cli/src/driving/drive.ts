import { type Agent, attachAgent } from '@turnwire/client';
import { type Environment, launchAgent, type LaunchOptions } from '@turnwire/client/node';
import type { AgentDifferences } from '@turnwire/client/known-agents';
import { type Implementation, TurnwireError } from '@turnwire/protocol';
import { CommandError } from '../failure.ts';
import type { AgentCommand } from './agent-command.ts';
import { offeredVersions } from './offered-versions.ts';
import { connectedWords } from './remote-agent.ts';
import { version } from '../version.ts';

/** How long an agent may take to cancel a turn, in milliseconds. */
const cancelTimeout = 5_000;
/** How long an agent may take to cancel a request, in milliseconds. */
const takeBackTimeout = 500;

/** The limits of every agent. */
export const driving: Pick<LaunchOptions, 'timeouts' | 'peer'> = {
  timeouts: { cancel: cancelTimeout },
  peer: { limits: { cancel: takeBackTimeout } },
};

/** The client info for agents. */
export function clientInfo(): Implementation {
  return { name: 'turnwire', title: 'Turnwire', version: version() };
}

/** Starts an agent, or connects to one on another machine. No process is in between, so errors name only its URL. */
export async function startAgent(
  { words, protocol, isBuiltIn, place }: Pick<AgentCommand, 'words' | 'protocol' | 'isBuiltIn' | 'place'>,
  launch: LaunchOptions,
): Promise<Agent> {
  // The built-in agent has version 1, so no other one is tried.
  const options = { ...launch, versions: await offeredVersions(isBuiltIn ? (protocol ?? 1) : protocol) };
  if (place) return (await import('./placed-agent.ts')).launchPlaced(words, place, options);
  const connected = connectedWords(words);
  if (connected === undefined) return launchAgent(words, options);
  const { remoteAgent, remoteEnvironment, remoteTransport } = await import('./remote-connection.ts');
  const { cwd = process.cwd(), inheritEnv, env } = options;
  try {
    const remote = remoteAgent(connected, { env: remoteEnvironment(inheritEnv, env), cwd });
    return await attachAgent(remoteTransport(remote), options);
  } catch (error) {
    // A gateway passes the message of such an error on to its client.
    throw error instanceof CommandError ? new TurnwireError('launch-failed', error.message, { cause: error }) : error;
  }
}

/** The variables of an agent: those that make it ask, then those of the user. */
export function environmentFor({ environment, asking }: AgentDifferences = {}, own: Environment = {}): Environment {
  return { ...environment, ...(asking?.by === 'environment' && asking.variables), ...own };
}

/** The timeouts of an agent, with the known duration of its exit. */
export function timeoutsFor({ exitTimeout }: AgentDifferences = {}): NonNullable<LaunchOptions['timeouts']> {
  return { ...driving.timeouts, ...(exitTimeout !== undefined && { exit: exitTimeout }) };
}
