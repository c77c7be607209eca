/** A place in a text that may name a file. */
export interface Mention {
  /** What is named, without `@` and quotes. Whether there is such a file is for others to find out. */
  readonly path: string;
  /** Where it begins in the text, at the `@`. */
  readonly start: number;
  /** Where it ends: the index of the first character after it. */
  readonly end: number;
}

// An @ within a word belongs to an e-mail address or the like.
const pattern = /(?<![\p{L}\p{N}_.+\-@/\\])@(?:"(?<quoted>[^\s"][^"\n]*)"|(?<plain>(?:[^\s"@,;]|(?<=[/\\])@)+))/gu;

const openers: Readonly<Record<string, string>> = { ')': '(', ']': '[', '}': '{', '>': '<' };

/**
 * Finds `@path` in a text, and `@"path with blanks"`. It must stand at the beginning of a word; full stops, question marks, closing
 * brackets and the like at its end belong to the sentence. What merely looks like a file — `@Override`, `@scope/package` — is found too:
 * {@link promptContent} attaches what exists.
 */
export function mentions(text: string): readonly Mention[] {
  return [...text.matchAll(pattern)].flatMap((match) => {
    const quoted = match.groups?.['quoted'];
    if (quoted !== undefined) return [{ path: quoted, start: match.index, end: match.index + match[0].length }];
    const path = withoutPunctuation(match.groups?.['plain'] ?? '');
    return path === '' ? [] : [{ path, start: match.index, end: match.index + 1 + path.length }];
  });
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
