import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Level, Quote, Requirement } from '../src/requirements/requirement.ts';
import { requirements } from '../src/requirements/requirements.ts';
import { sourcePage } from '../src/requirements/source-pages.ts';

/** The folder `docs` of the repository of the protocol, at the quoted commit. */
const docs = process.env['TURNWIRE_PROTOCOL_DOCS'] ?? '';

interface Quoting extends Requirement {
  readonly quote: Quote;
}

const quoting = requirements.filter((each): each is Quoting => each.quote !== undefined);

/** The words of a level in a text, and those that say less. */
const words: Readonly<Record<Exclude<Level, 'DERIVED'>, RegExp>> = {
  MUST: /\b(?:must|required)\b/i,
  'MUST NOT': /\bmust (?:not|never)\b/i,
  SHOULD: /\bshould\b/i,
  'SHOULD NOT': /\bshould not\b/i,
};

const freedom = /\b(?:may|optional|optionally)\b/i;

/** Without what marks up a text, and with its white space as single spaces. */
function plain(text: string): string {
  return text
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replaceAll(/[*`\\]|<[^>]+>/g, '')
    .replaceAll(/\s+/g, ' ');
}

/** All descriptions in a value, one after the other. */
function descriptionsIn(value: unknown): string {
  if (typeof value !== 'object' || value === null) return '';
  return Object.entries(value)
    .map(([key, each]) => (key === 'description' && typeof each === 'string' ? plain(each) : descriptionsIn(each)))
    .join('\n');
}

function quotesMissingFrom(text: string, from: (quote: Quote) => boolean): readonly string[] {
  return quoting.filter(({ quote }) => from(quote) && !text.includes(quote.text)).map(({ id }) => id);
}

describe('requirements', () => {
  test('quote a source that they name', () => {
    expect(quoting.filter(({ quote, sources }) => !sources.includes(quote.source)).map(({ id }) => id)).toEqual([]);
  });

  test('quote the schema word for word', () => {
    const path = createRequire(import.meta.url).resolve('@agentclientprotocol/sdk/schema/v1/schema.json');
    const schema = descriptionsIn(JSON.parse(readFileSync(path, 'utf8')));
    expect(quotesMissingFrom(schema, ({ source }) => source === 'schema')).toEqual([]);
  });

  test.runIf(existsSync(docs))('quote the pages of the documentation word for word', () => {
    const sources = new Set(quoting.map(({ quote }) => quote.source));
    sources.delete('schema');
    const missing = [...sources].flatMap((source) => {
      const page = sourcePage(source)?.replace(/^https:\/\/agentclientprotocol.com\//, '') ?? '';
      const text = plain(readFileSync(join(docs, `${page}.mdx`), 'utf8'));
      return quotesMissingFrom(text, (quote) => quote.source === source);
    });
    expect(missing).toEqual([]);
  });

  test('are stated exactly where the quote has the word of their level', () => {
    const isStated = ({ level, quote }: Requirement): boolean =>
      level !== 'DERIVED' && quote !== undefined && words[level].test(quote.text);
    expect(requirements.filter((each) => (each.basis === 'stated') !== isStated(each)).map(({ id }) => id)).toEqual([]);
  });

  test('ask for no more than the sentence that they quote', () => {
    const asksForMore = ({ level, basis, quote }: Quoting): boolean =>
      level.startsWith('MUST') && basis === 'implied' && (words.SHOULD.test(quote.text) || freedom.test(quote.text));
    expect(quoting.filter(asksForMore).map(({ id }) => id)).toEqual([]);
  });

  test('belong to a proposal if nothing official but proposals and drafts has them, and to a dialect if nothing official has', () => {
    const profileOf = ({ sources }: Requirement): string => {
      const official = sources.filter((source) => sourcePage(source) !== undefined);
      if (sources.includes('derived') || official.some((each) => !/^(?:draft|proposal): /.test(each))) return 'v1';
      return official.length === 0 ? 'dialect' : 'proposal';
    };
    const expected = (each: Requirement): string => (each.section === 'Remote transports' ? 'remote' : profileOf(each));
    const misfiled = requirements.filter((each) => each.profile !== expected(each));
    expect(misfiled.map(({ id, profile }) => `${id} ${profile}`)).toEqual([]);
  });
});
