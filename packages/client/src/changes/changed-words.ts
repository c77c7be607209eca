import { diffWordsWithSpace } from 'diff';

/** A part of a line. */
export interface TextSpan {
  readonly text: string;
  readonly isChanged: boolean;
}

/** Both sides of a changed line. */
export interface ChangedLine {
  readonly removed: readonly TextSpan[];
  readonly added: readonly TextSpan[];
}

/** Lines longer than this are not compared word by word, in UTF-16 units. */
const longestLine = 2_000;

/**
 * Both sides of a changed line, with the differing words marked. Undefined for lines that have too little in common, so that one replaced
 * the other as a whole, and for lines of more than 2,000 UTF-16 units.
 */
export function changedWords(removed: string, added: string): ChangedLine | undefined {
  if (Math.max(removed.length, added.length) > longestLine) return undefined;
  const words = diffWordsWithSpace(removed, added);
  const same = words.reduce(
    (sum, { value, ...word }) => sum + (word.added || word.removed ? 0 : value.trim().length),
    0,
  );
  if (same * 3 < Math.min(removed.trim().length, added.trim().length)) return undefined;
  return {
    removed: words
      .filter((word) => !word.added)
      .map(({ value, ...word }) => ({ text: value, isChanged: word.removed })),
    added: words.filter((word) => !word.removed).map(({ value, ...word }) => ({ text: value, isChanged: word.added })),
  };
}
