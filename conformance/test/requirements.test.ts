import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { describe, expect, test } from 'vitest';
import type { Level, Quote, Requirement } from '../src/requirements/requirement.ts';
import { requirements, sourceCommit } from '../src/requirements/requirements.ts';
import { sourcePage } from '../src/requirements/source-pages.ts';
import quotedPages from './quoted-pages.json' with { type: 'json' };

interface Quoting extends Requirement {
  readonly quote: Quote;
}

const quoting = requirements.filter((each): each is Quoting => each.quote !== undefined);

/** The words that express each level. */
const words: Readonly<Record<Exclude<Level, 'DERIVED'>, RegExp>> = {
  MUST: /\b(?:must|required)\b/i,
  'MUST NOT': /\bmust (?:not|never)\b/i,
  SHOULD: /\bshould\b/i,
  'SHOULD NOT': /\bshould not\b/i,
};

const freedom = /\b(?:may|optional|optionally)\b/i;

/** A text without markup and with single spaces. */
function plain(text: string): string {
  return text
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replaceAll(/[*`\\]|<[^>]+>/g, '')
    .replaceAll(/\s+/g, ' ');
}

/** All descriptions in a value, in order. */
function descriptionsIn(value: unknown): string {
  if (typeof value !== 'object' || value === null) return '';
  return Object.entries(value)
    .map(([key, each]) => (key === 'description' && typeof each === 'string' ? plain(each) : descriptionsIn(each)))
    .join('\n');
}

/** The schema's description of a definition or one of its properties: `RequestId`, `Error.message`. */
function descriptionAt(schema: { readonly $defs: Readonly<Record<string, unknown>> }, anchor = ''): string {
  const [definition = '', property] = anchor.split('.');
  const found = schema.$defs[definition];
  return descriptionsIn(property === undefined ? found : propertyIn(found, property));
}

function propertyIn(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null) return undefined;
  const { properties } = value as { readonly properties?: Readonly<Record<string, unknown>> };
  return (
    properties?.[name] ??
    Object.values(value).reduce<unknown>((found, each) => found ?? propertyIn(each, name), undefined)
  );
}

describe('requirements', () => {
  test('quote one of their sources', () => {
    expect(quoting.filter(({ quote, sources }) => !sources.includes(quote.source)).map(({ id }) => id)).toEqual([]);
  });

  test.each([
    ['schema', 'schema'],
    ['draft: schema', 'schema.unstable'],
  ])('quote the %s word for word, from the definition in their anchor', (source, name) => {
    const path = createRequire(import.meta.url).resolve(`@agentclientprotocol/sdk/schema/v1/${name}.json`);
    const schema = JSON.parse(readFileSync(path, 'utf8')) as Parameters<typeof descriptionAt>[0];
    const ofSchema = quoting.filter(({ quote }) => quote.source === source);
    const missing = ofSchema.filter(({ quote }) => !descriptionAt(schema, quote.anchor).includes(quote.text));
    expect(missing.map(({ id }) => id)).toEqual([]);
  });

  // The pages are not in this repository: tools/record-quotes.mjs compared each quote with them and recorded the result.
  test('quote the documentation pages as recorded, from the heading in their anchor', () => {
    const { pages, commit } = quotedPages;
    const recorded = Object.values(pages).flatMap(({ quotes }) => Object.entries(quotes));
    const digest = ({ text, anchor = '' }: Quote): string =>
      createHash('sha256').update(`${anchor}\n${text}`).digest('hex').slice(0, 16);
    const ofPages = quoting.filter(({ quote }) => !quote.source.endsWith('schema'));
    expect(Object.fromEntries(ofPages.map(({ id, quote }) => [id, digest(quote)]))).toEqual(
      Object.fromEntries(recorded),
    );
    const sources = [...new Set(ofPages.map(({ quote }) => quote.source))].toSorted();
    const pathOf = (source: string): string =>
      `${sourcePage(source)?.replace('https://agentclientprotocol.com/', '') ?? ''}.mdx`;
    expect({ commit, paths: Object.entries(pages).map(([source, { path }]) => [source, path]) }).toEqual({
      commit: sourceCommit,
      paths: sources.map((source) => [source, pathOf(source)]),
    });
  });

  test('are stated exactly if the quote contains the word of their level', () => {
    const isStated = ({ level, quote }: Requirement): boolean =>
      level !== 'DERIVED' && quote !== undefined && words[level].test(quote.text);
    expect(requirements.filter((each) => (each.basis === 'stated') !== isStated(each)).map(({ id }) => id)).toEqual([]);
  });

  test('are not stronger than the sentence they quote', () => {
    const asksForMore = ({ level, basis, quote }: Quoting): boolean =>
      level.startsWith('MUST') && basis === 'implied' && (words.SHOULD.test(quote.text) || freedom.test(quote.text));
    expect(quoting.filter(asksForMore).map(({ id }) => id)).toEqual([]);
  });

  test('belong to a proposal if only proposals and drafts state them, and to a dialect if no official text does', () => {
    const profileOf = ({ sources, id }: Requirement): string => {
      if (id.startsWith('V')) return 'v2';
      const official = sources.filter((source) => sourcePage(source) !== undefined);
      if (sources.includes('derived') || official.some((each) => !/^(?:draft|proposal): /.test(each))) return 'v1';
      return official.length === 0 ? 'dialect' : 'proposal';
    };
    const ofSection: Readonly<Record<string, string>> = {
      'Remote transports': 'remote',
      'Unstable methods': 'unstable',
    };
    const expected = (each: Requirement): string => ofSection[each.section] ?? profileOf(each);
    const misfiled = requirements.filter((each) => each.profile !== expected(each));
    expect(misfiled.map(({ id, profile }) => `${id} ${profile}`)).toEqual([]);
  });
});
