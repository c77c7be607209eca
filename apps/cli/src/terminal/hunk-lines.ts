import { changedWords, type ChangedLine, type TextSpan } from '@turnwire/client/changes';
import { visibleText } from './clean-text.ts';
import { painted } from './diff-lines.ts';
import type { Paint, Style } from './paint.ts';

/** The lines of a hunk with their marks, with control characters escaped. Words that changed within a line are inverse. */
export function hunkLines(lines: readonly string[], paint: Paint): readonly string[] {
  const shown: string[] = [];
  for (let at = 0; at < lines.length;) {
    const removed = runOf(lines, at, '-');
    const added = runOf(lines, at + removed.length, '+');
    const pairs = removed.map((line, index) => wordsOf(line.slice(1), added[index]?.slice(1) ?? ''));
    removed.forEach((line, index) => shown.push(marked(line, pairs[index]?.removed, paint)));
    added.forEach((line, index) => shown.push(marked(line, pairs[index]?.added, paint)));
    at += removed.length + added.length;
    if (removed.length + added.length === 0) shown.push(painted(lines[at++] ?? '', paint));
  }
  return shown;
}

/** Undefined for a line without a counterpart, or an empty one. */
function wordsOf(removed: string, added: string): ChangedLine | undefined {
  return removed.trim() && added.trim() ? changedWords(removed, added) : undefined;
}

/** The lines from an index on that begin with a mark. */
function runOf(lines: readonly string[], from: number, mark: '-' | '+'): readonly string[] {
  const end = lines.findIndex((line, at) => at >= from && !line.startsWith(mark));
  return lines.slice(from, end === -1 ? lines.length : Math.max(from, end));
}

function marked(line: string, words: readonly TextSpan[] | undefined, paint: Paint): string {
  if (!words) return painted(line, paint);
  const style: Style = line.startsWith('-') ? 'red' : 'green';
  const parts = words.map(({ text, isChanged }) => {
    const part = paint(style, visibleText(text));
    return isChanged ? paint('inverse', part) : part;
  });
  return paint(style, line.charAt(0)) + parts.join('');
}
