import { redactText } from '@turnwire/protocol';
import type { AgentEntry } from '../../agents/agent-entry.ts';
import { describeDifferences } from '../../agents/differences.ts';

/** The facts about an agent for JSON output, without values of variables. */
export function entryFacts(entry: AgentEntry): Readonly<Record<string, unknown>> {
  const { name, source, file, words, variables, path, lacks, version, known, hidden, fetching, protocol } = entry;
  return {
    name,
    source,
    ...(file !== undefined && { file }),
    ...(known && { title: known.title }),
    command: words.map((word) => redactText(word, [])),
    variables,
    protocol,
    installed: path !== undefined && lacks === undefined,
    ...(path !== undefined && { path }),
    ...(fetching && { fetching }),
    ...(entry.isAccepted === false && { accepted: false }),
    ...(lacks !== undefined && { lacks }),
    ...(version !== undefined && { version }),
    ...(known?.package !== undefined && { package: known.package, testedVersion: known.version }),
    differences: describeDifferences(known?.differences),
    hidden,
  };
}
