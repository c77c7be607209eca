import { createHash } from 'node:crypto';

/** The maximum length of a word in an index, in UTF-16 units. Longer words are cut. */
const longestWord = 64;
/** The maximum number of words of a query. Others are ignored. */
const mostWords = 12;

/** Scripts without spaces between words: each character counts as a word. */
const unspaced = '\\p{sc=Han}\\p{sc=Hira}\\p{sc=Kana}\\p{sc=Thai}\\p{sc=Laoo}\\p{sc=Khmr}\\p{sc=Mymr}';
const wordPattern = new RegExp(`(?:(?![${unspaced}])[\\p{L}\\p{N}\\p{M}])+|(?![\\p{M}])[${unspaced}]`, 'gu');

/** A word in a text. */
export interface PlacedWord {
  readonly from: number;
  readonly to: number;
  /** The forms under which it can be found: lower case, without accents, and the parts of a name such as `readFile`. */
  readonly forms: readonly string[];
}

/** Finds the words of a text, in order. */
export function* placedWords(text: string): Generator<PlacedWord> {
  for (const { 0: word, index } of text.matchAll(wordPattern)) {
    const forms = formsOf(word);
    if (forms.length > 0) yield { from: index, to: index + word.length, forms };
  }
}

/** Words without capitals and accents: most of them. */
const plain = /^[a-z0-9]+$/;

function formsOf(word: string): readonly string[] {
  if (plain.test(word)) return [word.slice(0, longestWord)];
  const parts = word.split(/(?<=\p{Ll})(?=\p{Lu})/u);
  return (parts.length > 1 ? [word, ...parts] : parts).map(folded).filter((form) => form !== '');
}

/** The words under which a text of a tenant is stored in an index, each once. The first one marks the tenant. */
export function indexedWords(tenant: string, text: string): readonly string[] {
  const words = new Set<string>([tenantWord(tenant)]);
  for (const word of new Set(text.match(wordPattern))) for (const form of formsOf(word)) words.add(form);
  return [...words];
}

/** The words of a query: a text matches if for each of them it has a word that begins with it. */
export function queryWords(query: string): readonly string[] {
  const words = new Set<string>();
  for (const { forms } of placedWords(query)) words.add(forms[0] ?? '');
  return [...words].slice(0, mostWords);
}

/**
 * The word that marks the texts of a tenant, so that an index skips those of others. No query has it: it begins with a character that is neither a
 * letter nor a digit. A store checks the tenant of each session nevertheless.
 */
export function tenantWord(tenant: string): string {
  return `\ue000${createHash('sha256').update(tenant).digest('hex').slice(0, 32)}`;
}

function folded(word: string): string {
  return word
    .normalize('NFKD')
    .replaceAll(/[^\p{L}\p{N}]/gu, '')
    .toLowerCase()
    .slice(0, longestWord)
    .replace(/\p{Cs}$/u, '');
}
