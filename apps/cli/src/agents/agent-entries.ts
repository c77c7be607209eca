import { originFolder } from '../own-places/place-folders.ts';
import { commandWords, programPath } from '@turnwire/client/node';
import {
  fetchedCommand,
  installedCommand,
  type KnownAgent,
  knownAgent,
  knownAgents,
} from '@turnwire/client/known-agents';
import { KeptConsents } from '@turnwire/machine';
import { builtInAgentName } from '../built-in-agent.ts';
import type { ConfiguredAgent } from '../config/config.ts';
import { ownCommand } from '../own-command.ts';
import { isFetchAgreed } from '../driving/fetched-agent.ts';
import { isRemoteAgent } from '../driving/remote-agent.ts';
import { type AgentEntry, type AgentSource, agentSources } from './agent-entry.ts';
import { configFiles } from './config-files.ts';

type Found = Omit<AgentEntry, 'hidden'>;

/** All agents that can be named in a folder: configured, built-in and well-known ones. Starts nothing. */
export async function agentEntries(cwd: string): Promise<readonly AgentEntry[]> {
  const { user, project } = await configFiles(cwd);
  const found = [
    ...(user ? configured('user', user, cwd) : []),
    ...(project ? configured('project', project, cwd) : []),
    builtIn(),
    ...knownAgents.map((agent) => wellKnown(agent, cwd)),
  ];
  const names = [...new Set(found.map(({ name }) => name))];
  return names.map((name) => winner(found.filter((entry) => entry.name === name)));
}

/** The agent that a name refers to, with the agents that it hides. */
function winner(candidates: readonly Found[]): AgentEntry {
  const [first, ...others] = candidates.toSorted((one, other) => rank(one.source) - rank(other.source));
  const hidden = others.map(({ source, file }) => ({ source, ...(file !== undefined && { file }) }));
  return { ...(first as Found), hidden };
}

function rank(source: AgentSource): number {
  return agentSources.indexOf(source);
}

function configured(
  source: AgentSource,
  {
    path,
    config,
  }: { readonly path: string; readonly config: { readonly agents?: Readonly<Record<string, ConfiguredAgent>> } },
  cwd: string,
): readonly Found[] {
  return Object.entries(config.agents ?? {}).map(([name, entry]) => {
    const { command, args = [], env = {}, protocol, place } = entry;
    const { prefix = [] } = place ?? {};
    const words = [...(typeof prefix === 'string' ? split(prefix) : prefix), ...split(command), ...args];
    const isWaiting =
      source === 'project' && new KeptConsents().find({ file: originFolder(path), name, entry }) !== 'allowed';
    return {
      ...onThisMachine(words, cwd, env),
      ...{ name, source, file: path, variables: Object.keys(env) },
      ...(protocol && { protocol }),
      ...(isWaiting && { isAccepted: false as const }),
    };
  });
}

function wellKnown(agent: KnownAgent, cwd: string): Found {
  const installed = onThisMachine(installedCommand(agent, process.platform), cwd);
  const isAgreed = installed.path === undefined && isFetchAgreed(agent);
  const found = isAgreed ? onThisMachine(fetchedCommand(agent) ?? [], cwd) : installed;
  const fetching = isAgreed
    ? ('agreed' as const)
    : installed.path === undefined && fetchedCommand(agent)
      ? ('offered' as const)
      : undefined;
  return { ...found, known: agent, name: agent.name, source: 'known', variables: [], ...(fetching && { fetching }) };
}

function builtIn(): Found {
  const words = ownCommand(builtInAgentName);
  return { name: builtInAgentName, source: 'built-in', words, variables: [], path: words[0] };
}

function onThisMachine(
  words: readonly string[],
  cwd: string,
  env: Readonly<Record<string, string>> = {},
): Pick<Found, 'words' | 'path' | 'lacks' | 'version' | 'known'> {
  const searchContext = { cwd, env: { ...(process.env as Record<string, string>), ...env } };
  const known = knownAgent({ command: words });
  const version = pinnedVersion(words);
  const { needs } = known ?? {};
  return {
    words,
    path: words[0] === undefined || isRemoteAgent(words) ? words[0] : programPath(words[0], searchContext),
    ...(needs !== undefined && programPath(needs, searchContext) === undefined && { lacks: needs }),
    ...(version !== undefined && { version }),
    ...(known && { known }),
  };
}

/** `npx package@1.2.3`, `npx --package=@scope/package@1.2.3`, `uvx package==1.2.3`. */
function pinnedVersion(words: readonly string[]): string | undefined {
  const [program = '', ...others] = words;
  if (!/(?:^|[\\/])(?:npx|uvx|bunx|pnpx)(?:\.cmd|\.exe)?$/i.test(program)) return undefined;
  return others.map((word) => /^[^\s]+?(?:@|==)(\d+\.\d+[^\s]*)$/.exec(word)?.[1]).find((each) => each !== undefined);
}

function split(command: string): readonly string[] {
  try {
    return commandWords(command);
  } catch {
    return [];
  }
}
