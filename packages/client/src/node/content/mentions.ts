/** A part of a text that may name a file. */
export interface Mention {
  /** The name, without `@` and quotes. The file need not exist. */
  readonly path: string;
  /** Index of the `@` in the text. */
  readonly start: number;
  /** Index of the first character after it. */
  readonly end: number;
}

/** Letters of scripts that are written without blanks. */
const dense = '\\p{sc=Han}\\p{sc=Hiragana}\\p{sc=Katakana}';

// An @ within a word belongs to an e-mail address or similar; in scripts without blanks the start of a word is unknown.
const pattern =
  /(?<!(?![\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}])[\p{L}\p{N}_.+\-@/\\])@(?:"(?<quoted>[^\s"][^"\n]*)"|(?<plain>(?:[^\s"@,;]|(?<=[/\\])@)+))/gu;

const openers: Readonly<Record<string, string>> = { ')': '(', ']': '[', '}': '{', '>': '<' };

/**
 * Finds `@path` and `@"path with spaces"` in a text. It must be at the start of a word; full stops, question marks, closing brackets and
 * the like at its end belong to the sentence. Words that merely look like a file — `@Override`, `@scope/package` — are found too: {@link
 * promptContent} attaches those that exist.
 */
export function mentions(text: string): readonly Mention[] {
  return [...text.matchAll(pattern)].flatMap((match) => {
    const quoted = match.groups?.['quoted'];
    if (quoted !== undefined) return [{ path: quoted, start: match.index, end: match.index + match[0].length }];
    const path = withoutPunctuation(match.groups?.['plain'] ?? '');
    return path === '' ? [] : [{ path, start: match.index, end: match.index + 1 + path.length }];
  });
}

/** Positions behind a path where a sentence of a script without blanks may continue. */
const cuts = new RegExp(`(?<=[^${dense}])(?=[${dense}])|(?=[，。、；：！？（）「」『』【】《》])`, 'gu');

/**
 * The possible paths at the start of a text, since Chinese and Japanese do not separate it from the following words by a blank. Longest
 * first, including the whole text.
 */
export function possiblePaths(path: string): readonly string[] {
  const ends = [...path.matchAll(cuts)].map(({ index }) => index).filter((index) => index > 0);
  return [path.length, ...ends.toReversed()].map((end) => withoutPunctuation(path.slice(0, end)));
}

function withoutPunctuation(path: string): string {
  let end = path.length;
  while (end > 0 && isPunctuation(path.slice(0, end))) end -= 1;
  return path.slice(0, end);
}

// `.` and `..` are folders, not the ends of sentences.
function isPunctuation(path: string): boolean {
  const last = path.at(-1) ?? '';
  const opener = openers[last];
  if (opener !== undefined) return count(path, last) > count(path, opener);
  return /[.!?:'`*…”’»]/u.test(last) && !/(?:^|[/\\])\.{1,2}$/u.test(path);
}

function count(text: string, character: string): number {
  return text.split(character).length - 1;
}
