import type { Diff } from '@turnwire/protocol';
import { visibleText } from './clean-text.ts';
import { diffHunks } from './diff-hunks.ts';
import type { Paint } from './paint.ts';

/** A diff as the lines of a unified patch, with control characters escaped. */
export function diffLines(diff: Diff, paint: Paint): string[] {
  const name = visibleText(diff.path);
  const from = diff.oldText === undefined || diff.oldText === null ? '/dev/null' : name;
  const changes = diffHunks(diff).flatMap(({ oldStart, oldLines, newStart, newLines, lines }) => [
    `@@ -${range(oldStart, oldLines)} +${range(newStart, newLines)} @@`,
    ...lines,
  ]);
  return [paint('bold', `--- ${from}`), paint('bold', `+++ ${name}`), ...changes.map((line) => painted(line, paint))];
}

/** An empty range has the number of the line before it. */
function range(start: number, lines: number): string {
  return `${lines === 0 ? start - 1 : start},${lines}`;
}

function painted(line: string, paint: Paint): string {
  const text = visibleText(line);
  if (line.startsWith('+')) return paint('green', text);
  if (line.startsWith('-')) return paint('red', text);
  return line.startsWith('@@') ? paint('cyan', text) : text;
}
