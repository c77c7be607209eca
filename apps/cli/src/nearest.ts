import { closest, distance } from 'fastest-levenshtein';

/** The most similar name, unless half of its letters differ. */
export function nearest(word: string, names: readonly string[]): string | undefined {
  const near = closest(word, names);
  return distance(word, near) * 2 <= near.length ? near : undefined;
}
