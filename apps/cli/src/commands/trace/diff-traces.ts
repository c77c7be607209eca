import { normaliseTrace, type NormalFrame, type Trace } from '@turnwire/trace';
import { diffArrays, diffWordsWithSpace } from 'diff';
import { exitCodes } from '../../exit-codes.ts';
import { stdout } from '../../terminal/output.ts';
import { readableTrace } from './unreadable.ts';

/** The number of equal lines to print around different ones. */
const context = 2;
/** The number of characters to print of a long equal part: at the beginning of a line, and around a difference. */
const shownOf = { beginning: 120, around: 60 };

/** Compares two runs and prints their differences. Resolves with 0 if they are equal, otherwise with 1. */
export async function diffTraces(one: string, other: string): Promise<number> {
  const lines = differences(await readableTrace(one, exitCodes.usage), await readableTrace(other, exitCodes.usage));
  for (const line of lines) stdout.printLine(line);
  return lines.length === 0 ? exitCodes.ok : exitCodes.error;
}

/** The lines in only the first run (`-`) or the second (`+`), with context; empty if the runs are equal. */
export function differences(one: Trace, other: Trace): readonly string[] {
  const parts = diffArrays([...normaliseTrace(one)], [...normaliseTrace(other)], { comparator: isSame });
  if (parts.every(({ added, removed }) => !added && !removed)) return [];
  return parts.flatMap(({ added, removed, value }, index) => {
    const before = parts[index - 1];
    // A removed part and its replacement are printed together.
    if (removed && parts[index + 1]?.added) return [];
    if (added && before?.removed) return replaced(before.value, value);
    if (added || removed) return value.map((frame) => (added ? addedLine(frame) : removedLine(frame)));
    return shortened(value, { isFirst: index === 0, isLast: index === parts.length - 1 });
  });
}

const addedLine = ({ line, where }: NormalFrame): string => `+ ${line}  (${where})`;
const removedLine = ({ line, where }: NormalFrame): string => `- ${line}  (${where})`;

/** Replaced frames: in pairs with marks under their differences if most of each pair is equal, otherwise as two blocks. */
function replaced(olds: readonly NormalFrame[], news: readonly NormalFrame[]): readonly string[] {
  const pairs = olds.map((old, index) => [old, news[index]] as const);
  const marked = pairs.map(([old, now]) => (now === undefined ? undefined : marks(old.line, now.line)));
  if (olds.length !== news.length || marked.includes(undefined))
    return [...olds.map(removedLine), ...news.map(addedLine)];
  return pairs.flatMap(([old, now], index) => {
    const [under = '', over = ''] = marked[index] ?? [];
    if (now === undefined) return [];
    const cut = cutAround(old.line, now.line);
    const lineOf = (frame: NormalFrame): NormalFrame => ({ ...frame, line: cut(frame.line, frame.line.length, '…') });
    const marksOf = (signs: string, { line }: NormalFrame): string =>
      cut(signs.padEnd(line.length), line.length, ' ').trimEnd();
    return [removedLine(lineOf(old)), `  ${marksOf(under, old)}`, addedLine(lineOf(now)), `  ${marksOf(over, now)}`];
  });
}

/** A function that cuts long equal parts out of two lines and out of the marks below them. */
function cutAround(one: string, other: string): (text: string, length: number, sign: string) => string {
  const { beginning, around } = shownOf;
  let before = 0;
  while (before < one.length && one[before] === other[before]) before++;
  let after = 0;
  const most = Math.min(one.length, other.length) - before;
  while (after < most && one.at(-1 - after) === other.at(-1 - after)) after++;
  const from = Math.max(0, before - around);
  const tail = after > around ? after - around : 0;
  return (text, length, sign) => {
    const end = tail === 0 ? text.slice(from, length) : `${text.slice(from, length - tail)}${sign}`;
    return from <= beginning ? `${text.slice(0, from)}${end}` : `${text.slice(0, beginning)}${sign}${end}`;
  };
}

/** Marks under the parts that are in only one of two lines, for each line; undefined if most of the lines differs. */
function marks(old: string, now: string): readonly [string, string] | undefined {
  const parts = diffWordsWithSpace(old, now);
  const same = parts.reduce((sum, { value, added, removed }) => sum + (added || removed ? 0 : value.length), 0);
  if (same < Math.max(old.length, now.length) / 2) return undefined;
  const under = (left: 'added' | 'removed', mark: string): string =>
    parts
      .map((part) => (part[left] ? '' : (part.added || part.removed ? mark : ' ').repeat(part.value.length)))
      .join('')
      .trimEnd();
  return [under('added', '~'), under('removed', '~')];
}

function isSame(one: NormalFrame, other: NormalFrame): boolean {
  return one.line === other.line;
}

function shortened(
  frames: readonly NormalFrame[],
  { isFirst, isLast }: { isFirst: boolean; isLast: boolean },
): readonly string[] {
  const before = isFirst ? 0 : context;
  const after = isLast ? 0 : context;
  const left = frames.length - before - after;
  const shown = (some: readonly NormalFrame[]): readonly string[] =>
    some.map(({ line }) => `  ${line.length > shownOf.beginning ? `${line.slice(0, shownOf.beginning)}…` : line}`);
  if (left <= 0) return shown(frames);
  return [...shown(frames.slice(0, before)), `  … ${left} the same …`, ...shown(frames.slice(frames.length - after))];
}
