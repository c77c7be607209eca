import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fetchedCommand, type KnownAgent, type KnownCommand } from '@turnwire/client/known-agents';
import { withoutProjectPackages } from '@turnwire/client/node';
import { KeptConsents, type ProjectProposal } from '@turnwire/machine';
import { exitCodes } from '../exit-codes.ts';
import { CommandError } from '../failure.ts';
import { stderr } from '../terminal/output.ts';
import { canAsk, isAgreed } from './agent-consent.ts';

/** Whether the user agreed to get this version of the agent with npx. */
export function isFetchAgreed(agent: KnownAgent): boolean {
  const proposal = proposalOf(agent);
  return proposal !== undefined && new KeptConsents().find(proposal) === 'allowed';
}

/**
 * Returns the command that gets the tested version of an agent with npx, if the user agreed to that before or agrees now. Resolves with undefined
 * without such a version or without a user. Rejects with CommandError, exit code 5, if the user refuses.
 */
export async function offeredFetch(agent: KnownAgent): Promise<KnownCommand | undefined> {
  const command = fetchedCommand(agent);
  if (!command || isFetchAgreed(agent)) return command;
  if (!canAsk()) return undefined;
  const { title, package: name, version, needs } = agent;
  const besides = needs === undefined ? '' : ` It also needs ${needs}, which npx does not install.`;
  stderr.printLine(`${title} is not installed. npx can download ${name}@${version}, the tested version.${besides}`);
  if (!(await isAgreed(`Download it? It runs with your rights, as do the packages that it installs. (y/n) `)))
    throw new CommandError(`${agent.name} is not installed, and was not started`, exitCodes.denied);
  await fetchAgent(agent);
  return command;
}

/** Gets an agent with npx, which prints its progress to stderr, and stores the consent of the user. Rejects with CommandError if that fails. */
export async function fetchAgent(agent: KnownAgent): Promise<void> {
  const command = fetchedCommand(agent);
  const proposal = proposalOf(agent);
  if (!command || !proposal) throw new CommandError(`npx has no tested version of ${agent.name}`, exitCodes.usage);
  const [program, ...words] = command;
  // The same call up to `--`, but it runs Node instead of the agent.
  const fetching = [program, ...words.slice(0, words.indexOf('--') + 1), 'node', '--version'] as const;
  const [file, ...args] = await withoutProjectPackages(fetching);
  const child = spawn(file, args, { stdio: ['ignore', 'ignore', 'inherit'], shell: process.platform === 'win32' });
  const [code] = (await once(child, 'close').catch((error: unknown) => [(error as Error).message])) as [unknown];
  if (code !== 0) throw new CommandError(`npx could not download ${agent.name} (${String(code)})`, exitCodes.error);
  await new KeptConsents().keep(proposal, 'allowed');
}

/** The proposal contains the version, so another version needs another consent. */
function proposalOf(agent: KnownAgent): ProjectProposal | undefined {
  const entry = fetchedCommand(agent);
  return entry && { file: 'npx', name: agent.name, entry };
}
