import { redactText } from '@turnwire/protocol';
import type { AgentEntry } from '../../agents/agent-entry.ts';
import { describeDifferences } from '../../agents/differences.ts';
import { ownCommand } from '../../own-command.ts';

/** An agent as JSON output shows it. Values of variables are left out. */
export function entryFacts(entry: AgentEntry): Readonly<Record<string, unknown>> {
  const { name, source, file, words, variables, path, lacks, version, known, hidden } = entry;
  return {
    name,
    source,
    ...(file !== undefined && { file }),
    ...(known && { title: known.title }),
    command: words.map((word) => redactText(word, [])),
    variables,
    installed: path !== undefined && lacks === undefined,
    ...(path !== undefined && { path }),
    ...(entry.isAccepted === false && { accepted: false }),
    ...(lacks !== undefined && { lacks }),
    ...(version !== undefined && { version }),
    ...(known?.package !== undefined && { package: known.package, testedVersion: known.version }),
    differences: describeDifferences(known?.differences),
    hidden,
  };
}

/** A command as a user would type it, without secrets: of a remote agent its URL. */
export function shownCommand(words: readonly string[]): string {
  const own = ownCommand('connect');
  const isRemote = own.every((word, index) => word === words[index]);
  const line = words
    .slice(isRemote ? own.length : 0)
    .map((word) => (/^[\w@%+=:,./\\-]+$/.test(word) ? word : `'${word.replaceAll("'", `'"'"'`)}'`))
    .join(' ');
  return redactText(line, []);
}
