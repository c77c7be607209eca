import type { AgentEntry } from '../../agents/agent-entry.ts';
import { agentEntries } from '../../agents/agent-entries.ts';
import { readCache } from '../../agents/registry/registry-cache.ts';
import { distributionWords } from '../../agents/registry/registry-command.ts';
import { registryAt, registryUrl } from '../../agents/registry/registry.ts';
import { exitCodes } from '../../exit-codes.ts';
import { warn } from '../../failure.ts';
import type { GlobalOptions } from '../../options.ts';
import { stdout } from '../../terminal/output.ts';
import { printRows } from '../../output/print-rows.ts';
import { entryFacts } from './entry-facts.ts';
import { shownCommand } from '../../shown-command.ts';

/** Lists the agents that can be named here. Starts nothing and uses no network. Resolves with the exit code. */
export async function listAgents(options: GlobalOptions): Promise<number> {
  const entries = hereFirst(await agentEntries(options.cwd));
  const kept = await readCache(registryUrl(options.config));
  const others = (kept?.agents ?? []).filter(({ id }) => !entries.some(({ name }) => name === id));
  if (options.format === 'json') {
    const registry = others.map(({ id, name, version, description }) => ({
      name: id,
      source: 'registry',
      title: name,
      version,
      description,
    }));
    stdout.printJson(JSON.stringify([...entries.map(entryFacts), ...registry]));
    return exitCodes.ok;
  }
  if (options.format === 'quiet') {
    printRows({ rows: entries.map(({ name }) => [name]) });
    return exitCodes.ok;
  }
  printRows({
    head: ['agent', 'from', 'here', 'command'],
    rows: entries.map((entry) => [entry.name, sourceText(entry), installation(entry), shownCommand(entry.words)]),
  });
  if (kept && others.length > 0) {
    const asOf = kept.fetchedAt.slice(0, 10);
    stdout.printLine(`\nIn the registry, as of ${asOf} (turnwire agents add --from-registry ID):`);
    printRows({ rows: others.map(({ id, version, description }) => [id, version, description]) });
  }
  return exitCodes.ok;
}

/** Lists the agents of the registry. */
export async function listRegistry(options: GlobalOptions): Promise<number> {
  const { agents, fetchedAt } = await registryAt(registryUrl(options.config), warn);
  if (options.format === 'json') {
    const facts = agents.map((agent) => ({ ...agent, distribution: distributionWords(agent) }));
    stdout.printJson(JSON.stringify({ fetchedAt, agents: facts }));
  } else if (options.format === 'quiet') printRows({ rows: agents.map(({ id }) => [id]) });
  else
    printRows({
      head: ['agent', 'version', 'fetched by', 'what it is'],
      rows: agents.map((agent) => [agent.id, agent.version, distributionWords(agent), agent.description]),
    });
  return exitCodes.ok;
}

/** `user`, and the sources it hides. */
function sourceText({ source, hidden }: AgentEntry): string {
  const [first] = hidden;
  return first === undefined ? source : `${source}, not ${hidden.map((each) => each.source).join(', ')}`;
}

/** The installation state of an agent. */
function installation({ path, lacks, source, isAccepted, fetching }: AgentEntry): string {
  if (isAccepted === false) return 'not accepted';
  if (path === undefined) return fetching ? 'not installed; npx can download it' : 'not installed';
  if (lacks !== undefined) return `needs ${lacks}`;
  if (fetching) return 'through npx';
  return source === 'built-in' ? 'built in' : 'installed';
}

/** The agents in order, those that can start now first. */
function hereFirst(entries: readonly AgentEntry[]): readonly AgentEntry[] {
  const isHere = ({ path, lacks, isAccepted }: AgentEntry): boolean =>
    path !== undefined && lacks === undefined && isAccepted !== false;
  return [...entries.filter(isHere), ...entries.filter((entry) => !isHere(entry))];
}
