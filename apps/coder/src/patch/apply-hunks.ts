import type { Hunk } from './parse-patch.ts';

/** Lines that are compared as they are, then without the spaces at their ends, then without those around them. */
const readings: readonly ((line: string) => string)[] = [
  (line) => line,
  (line) => line.trimEnd(),
  (line) => line.trim(),
];

/**
 * The text after a patch. Each hunk applies to the first match of its lines after the previous hunk.
 * @param text with `\n` as its line ends
 * @returns the number, from 1, of the first hunk without a match
 */
export function applyHunks(text: string, hunks: readonly Hunk[]): string | { readonly misplaced: number } {
  const isEnded = text === '' || text.endsWith('\n');
  const lines = (isEnded ? text.slice(0, -1) : text).split('\n');
  if (text === '') lines.length = 0;
  let at = 0;
  for (const [index, hunk] of hunks.entries()) {
    const found = indexOfHunk(hunk, lines, at);
    if (found < 0) return { misplaced: index + 1 };
    lines.splice(found, hunk.before.length, ...hunk.after);
    at = found + hunk.after.length;
  }
  return lines.length === 0 ? '' : `${lines.join('\n')}${isEnded ? '\n' : ''}`;
}

/** A hunk that only adds lines adds them below the line it names, or at the end. */
function indexOfHunk({ below, before }: Hunk, lines: readonly string[], from: number): number {
  if (below === undefined) return before.length > 0 ? indexOfRun(before, lines, from) : lines.length;
  const head = indexOfRun([below], lines, from);
  if (head < 0) return -1;
  return before.length > 0 ? indexOfRun(before, lines, head + 1) : head + 1;
}

/** The index where a run of lines begins, from `from` on; -1 without a match. */
function indexOfRun(run: readonly string[], lines: readonly string[], from: number): number {
  for (const read of readings) {
    const wanted = run.map(read);
    for (let at = from; at + run.length <= lines.length; at++)
      if (wanted.every((line, index) => line === read(lines[at + index] ?? ''))) return at;
  }
  return -1;
}
