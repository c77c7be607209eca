import type { Requirement } from './requirement.ts';
import sources from './source-pages.json' with { type: 'json' };

const documentation = 'https://agentclientprotocol.com/protocol/v1';

/** Sources whose page has another name than they have. */
const renamed: Readonly<Record<string, string>> = sources.renamed;

/** Sources that are no page of the official documentation, and what they are. */
export const otherSources: Readonly<Record<string, string>> = sources.others;

/** The address of a source of a requirement; undefined for those in {@link otherSources}. */
export function sourcePage(source: string): string | undefined {
  if (otherSources[source] !== undefined) return undefined;
  const [kind, name] = source.includes(': ') ? source.split(': ', 2) : ['', source];
  const page = (name ?? '').replaceAll(' ', '-');
  if (renamed[source] !== undefined) return renamed[source];
  if (kind === 'proposal') return `https://agentclientprotocol.com/rfds/${page}`;
  if (kind === 'draft') return `${documentation}/draft/${page}`;
  return `${documentation}/${page}`;
}

/** Where a requirement comes from, in words for the reader of a report: how they begin, and the sources that follow. */
export function originOf({ basis, sources: all }: Requirement): {
  readonly begins: string;
  readonly named: readonly string[];
} {
  const named = all.filter((source) => source !== 'derived');
  if (named.length === 0) return { begins: 'Said nowhere: it follows from the text or from JSON-RPC', named };
  return { begins: basis === 'stated' ? 'Stated in' : 'Implied by', named };
}
