import { fetchedCommand, type KnownAgent } from '@turnwire/client/known-agents';
import type { AgentEntry } from '../../agents/agent-entry.ts';
import { agentEntries } from '../../agents/agent-entries.ts';
import { describeDifferences } from '../../agents/differences.ts';
import { exitCodes } from '../../exit-codes.ts';
import { CommandError } from '../../failure.ts';
import type { GlobalOptions } from '../../options.ts';
import { report } from '../report.ts';
import { entryFacts } from './entry-facts.ts';
import { shownCommand } from '../../shown-command.ts';

/** Shows the details of an agent without starting it. Resolves with the exit code. */
export async function showAgent(name: string, options: GlobalOptions): Promise<number> {
  const entry = (await agentEntries(options.cwd)).find((each) => each.name === name);
  if (!entry) throw new CommandError(`there is no agent '${name}'. See turnwire agents list`, exitCodes.usage);
  report(options, entryFacts(entry), () => (options.format === 'quiet' ? shownCommand(entry.words) : lines(entry)));
  return exitCodes.ok;
}

function lines(entry: AgentEntry): string {
  const { name, source, file, words, variables, version, known, hidden } = entry;
  const rows: readonly (readonly [string, string | undefined])[] = [
    ['agent', known ? `${name} (${known.title})` : name],
    ['source', file === undefined ? source : `${source}, ${file}`],
    ['accepted', entry.isAccepted === false ? `no; to agree: turnwire agents accept ${name}` : undefined],
    ['command', words.length > 0 ? shownCommand(words) : 'cannot be split into words: a quote is not closed'],
    ['variables', variables.length > 0 ? variables.join(', ') : undefined],
    ['protocol', protocol(entry)],
    ['program', program(entry)],
    ['version', versions(version, known)],
    ['install', entry.path === undefined ? installation(known) : undefined],
    ['documentation', known?.documentation],
    ...describeDifferences(known?.differences).map((each) => ['difference', each] as const),
    ...hidden.map(
      (each) => ['not used', each.file === undefined ? each.source : `${each.source}, ${each.file}`] as const,
    ),
  ];
  return rows.flatMap(([key, value]) => (value === undefined ? [] : [`${key}: ${value}`])).join('\n');
}

function protocol({ protocol: version }: AgentEntry): string | undefined {
  return version === 2 ? 'version 2, or 1 if it has only that' : version && 'only version 1';
}

function program({ path, lacks }: AgentEntry): string {
  if (path === undefined) return 'not installed';
  return lacks === undefined ? path : `${path}; it needs ${lacks}, which is not installed`;
}

function versions(pinned: string | undefined, known: KnownAgent | undefined): string | undefined {
  if (pinned !== undefined) return `${pinned} (pinned)`;
  return known?.version === undefined ? undefined : `the installed one; tested with ${known.version}`;
}

function installation(known: KnownAgent | undefined): string | undefined {
  if (known?.package === undefined) return undefined;
  const fetched = fetchedCommand(known);
  const exact = known.version === undefined ? known.package : `${known.package}@${known.version}`;
  const without = fetched ? `; or through npx: turnwire agents get ${known.name}` : '';
  return `npm install -g ${exact}${without}`;
}
