import { normaliseTrace, type NormalFrame, type Trace } from '@turnwire/trace';
import { diffArrays, diffWordsWithSpace } from 'diff';
import { exitCodes } from '../../exit-codes.ts';
import { stdout } from '../../terminal/output.ts';
import { readableTrace } from './unreadable.ts';

/** Equal lines that are shown around different ones. */
const context = 2;

/** Compares two runs, and prints where they differ. Resolves with 0 if they are equal, else with 1. */
export async function diffTraces(one: string, other: string): Promise<number> {
  const lines = differences(await readableTrace(one, exitCodes.usage), await readableTrace(other, exitCodes.usage));
  for (const line of lines) stdout.printLine(line);
  return lines.length === 0 ? exitCodes.ok : exitCodes.error;
}

/** The lines only in one run (`-`) or the other (`+`), with the lines around them; empty if the runs are equal. */
export function differences(one: Trace, other: Trace): readonly string[] {
  const parts = diffArrays([...normaliseTrace(one)], [...normaliseTrace(other)], { comparator: isSame });
  if (parts.every(({ added, removed }) => !added && !removed)) return [];
  return parts.flatMap(({ added, removed, value }, place) => {
    const before = parts[place - 1];
    // What went and what came in its place is shown together.
    if (removed && parts[place + 1]?.added) return [];
    if (added && before?.removed) return replaced(before.value, value);
    if (added || removed) return value.map((frame) => (added ? came(frame) : went(frame)));
    return shortened(value, { isFirst: place === 0, isLast: place === parts.length - 1 });
  });
}

const came = ({ line, where }: NormalFrame): string => `+ ${line}  (${where})`;
const went = ({ line, where }: NormalFrame): string => `- ${line}  (${where})`;

/**
 * Frames in the place of others: each beside the one in its place, with marks under what differs, if they have more in common than not.
 */
function replaced(olds: readonly NormalFrame[], news: readonly NormalFrame[]): readonly string[] {
  const pairs = olds.map((old, place) => [old, news[place]] as const);
  const marked = pairs.map(([old, now]) => (now === undefined ? undefined : marks(old.line, now.line)));
  if (olds.length !== news.length || marked.includes(undefined)) return [...olds.map(went), ...news.map(came)];
  return pairs.flatMap(([old, now], place) => {
    const [under, over] = marked[place] ?? [];
    return now === undefined ? [] : [went(old), `  ${under}`, came(now), `  ${over}`];
  });
}

/** Marks under what is in one line only, for each of two; undefined if most of them differs. */
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
  const shown = (some: readonly NormalFrame[]): readonly string[] => some.map(({ line }) => `  ${line}`);
  if (left <= 0) return shown(frames);
  return [...shown(frames.slice(0, before)), `  … ${left} the same …`, ...shown(frames.slice(frames.length - after))];
}
