import { placedWords } from './words.ts';

/** The part of a text around the first match. */
export interface Snippet {
  /** At most 160 UTF-16 units besides the ellipses, with single spaces. */
  readonly text: string;
  /** The beginning and the end of each match in it, in order. */
  readonly marks: readonly (readonly [from: number, to: number])[];
}

/** The maximum length of a snippet, in UTF-16 units. */
const snippetLength = 160;
/** The text before the first match, in UTF-16 units. */
const before = 40;

/** The part of a text around the first word that begins with one of some words; its beginning if there is none. */
export function snippetOf(text: string, words: readonly string[]): Snippet {
  const line = text.replaceAll(/\s+/g, ' ');
  const matches = [...placedWords(line)].filter(({ forms }) =>
    forms.some((form) => words.some((word) => form.startsWith(word))),
  );
  const start = startOf(line, matches[0]?.from ?? 0);
  const part = line.slice(start, start + snippetLength).replaceAll(/\p{Cs}/gu, '\ufffd');
  const head = start > 0 ? '…' : '';
  const tail = start + snippetLength < line.length ? '…' : '';
  const marks = matches
    .filter(({ to }) => to <= start + part.length)
    .map(({ from, to }) => [from - start + head.length, to - start + head.length] as const);
  return { text: `${head}${part}${tail}`, marks };
}

function startOf(line: string, match: number): number {
  if (match <= before) return 0;
  const space = line.indexOf(' ', match - before);
  return space === -1 || space >= match ? match : space + 1;
}
