import type { Diff } from '@turnwire/protocol';
import { structuredPatch } from 'diff';
import { visibleText } from './clean-text.ts';
import { type Paint, plain } from './paint.ts';

/** Texts with more differing lines are not compared: the whole text is shown as replaced. */
const mostEdits = 1_000;

/** A diff as the lines of a unified patch, with control characters escaped. */
export function diffLines({ path, oldText, newText }: Diff, paint: Paint): string[] {
  const name = visibleText(path);
  const from = oldText === undefined || oldText === null ? '/dev/null' : name;
  return [
    paint('bold', `--- ${from}`),
    paint('bold', `+++ ${name}`),
    ...changes(oldText ?? '', newText).map((line) => painted(line, paint)),
  ];
}

/** How many lines a diff adds and removes: `+3 −1`. */
export function diffSize({ oldText, newText }: Diff): string {
  const lines = changes(oldText ?? '', newText);
  const count = (sign: string): number => lines.filter((line) => line.startsWith(sign)).length;
  return `+${count('+')} −${count('-')}`;
}

function changes(oldText: string, newText: string): string[] {
  const patch = structuredPatch('', '', oldText, newText, undefined, undefined, {
    context: 3,
    maxEditLength: mostEdits,
  });
  if (!patch) return [...signed('-', oldText), ...signed('+', newText)];
  return patch.hunks.flatMap(({ oldStart, oldLines, newStart, newLines, lines }) => [
    `@@ -${range(oldStart, oldLines)} +${range(newStart, newLines)} @@`,
    ...lines,
  ]);
}

/** An empty range has the number of the line before it. */
function range(start: number, lines: number): string {
  return `${lines === 0 ? start - 1 : start},${lines}`;
}

function signed(sign: string, text: string): string[] {
  return text === ''
    ? []
    : text
        .replace(/\n$/, '')
        .split('\n')
        .map((line) => sign + line);
}

function painted(line: string, paint: Paint = plain): string {
  const text = visibleText(line);
  if (line.startsWith('+')) return paint('green', text);
  if (line.startsWith('-')) return paint('red', text);
  return line.startsWith('@@') ? paint('cyan', text) : text;
}
