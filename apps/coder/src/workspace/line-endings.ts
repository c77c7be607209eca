import { diffArrays } from 'diff';

// With more changed lines than this in a file of mixed line endings, new lines all get the most frequent one.
const alignedChanges = 2000;

/** A text with `\n` for every line ending, as users and models write. */
export function plainLines(text: string): string {
  return text.replaceAll('\r\n', '\n');
}

/**
 * Gives a new text the line endings of the one it replaces: unchanged lines retain theirs, others get that of the line before. A new text
 * that contains `\r\n` stays unchanged.
 * @param usual the line ending for the first line, if the old text has none
 */
export function keepLineEndings(before: string, after: string, usual: string = '\n'): string {
  if (after.includes('\r\n') || !after.includes('\n')) return after;
  const endings = new Set(before.match(/\r?\n/gu));
  if (endings.size === 0) return ended(after, usual);
  const [only = usual] = endings;
  return endings.size === 1 ? ended(after, only) : aligned(before, after);
}

function ended(text: string, ending: string): string {
  return ending === '\n' ? text : text.replaceAll('\n', ending);
}

function aligned(before: string, after: string): string {
  const old = splitLines(before);
  const changes = diffArrays(old.map(plainLines), [...splitLines(after)], { maxEditLength: alignedChanges });
  if (changes === undefined) return ended(after, mostFrequent(old));
  const kept: string[] = [];
  let ending = endingOf(old[0] ?? '') ?? '\n';
  let at = 0;
  for (const { value, added, removed } of changes) {
    for (const line of removed ? [] : value) {
      if (!added) ending = endingOf(old[at++] ?? '') ?? ending;
      kept.push(line.replace('\n', ending));
    }
    if (removed) at += value.length;
  }
  return kept.join('');
}

/** The lines of a text, each with its ending. */
export function splitLines(text: string): readonly string[] {
  return text === '' ? [] : text.split(/(?<=\n)/u);
}

/** How many lines of a text end before a position. */
export function countBreaks(text: string, end: number = text.length): number {
  let count = 0;
  for (let at = text.indexOf('\n'); at !== -1 && at < end; at = text.indexOf('\n', at + 1)) count += 1;
  return count;
}

function endingOf(line: string): string | undefined {
  if (line.endsWith('\r\n')) return '\r\n';
  return line.endsWith('\n') ? '\n' : undefined;
}

function mostFrequent(lines: readonly string[]): string {
  const windows = lines.filter((line) => line.endsWith('\r\n')).length;
  return windows * 2 > lines.length ? '\r\n' : '\n';
}
