import type { Requirement } from './requirement.ts';
import sources from './source-pages.json' with { type: 'json' };

const documentation = 'https://agentclientprotocol.com/protocol/v1';

/** Sources whose page has a different name. */
const renamed: Readonly<Record<string, string>> = sources.renamed;

/** Descriptions of sources that are not pages of the official documentation. */
export const otherSources: Readonly<Record<string, string>> = sources.others;

/** The URL of a source; undefined for those in {@link otherSources}. */
export function sourcePage(source: string): string | undefined {
  if (source === '' || otherSources[source] !== undefined) return undefined;
  const [kind, name] = source.includes(': ') ? source.split(': ', 2) : ['', source];
  const page = (name ?? '').replaceAll(' ', '-');
  if (renamed[source] !== undefined) return renamed[source];
  if (kind === 'proposal') return `https://agentclientprotocol.com/rfds/${page}`;
  if (kind === 'version 2') return `https://agentclientprotocol.com/protocol/v2/${page}`;
  if (kind === 'draft') return `${documentation}/draft/${page}`;
  return `${documentation}/${page}`;
}

/** The origin of a requirement for readers of a report: an introduction, and the sources that follow it. */
export function originOf({ basis, sources: all }: Requirement): {
  readonly begins: string;
  readonly named: readonly string[];
} {
  const named = all.filter((source) => source !== 'derived');
  if (named.length === 0) return { begins: 'Not stated anywhere: it follows from the text or from JSON-RPC', named };
  return { begins: basis === 'stated' ? 'Stated in' : 'Implied by', named };
}

/** The page that a requirement quotes, at its section; without a quote its first page. Undefined if it has none. */
export function linkOf({ quote, sources: all }: Requirement): string | undefined {
  const page = sourcePage(quote?.source ?? '') ?? all.map(sourcePage).find((each) => each !== undefined);
  if (page === undefined || quote?.anchor === undefined || sourcePage(quote.source) === undefined) return page;
  const isSchema = quote.source.endsWith('schema');
  return `${page}#${isSchema ? quote.anchor.replace(/\..*/, '').toLowerCase() : quote.anchor}`;
}
