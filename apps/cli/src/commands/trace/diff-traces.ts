import { normaliseTrace, type NormalFrame, type Trace } from '@turnwire/trace';
import { diffArrays } from 'diff';
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
    if (added || removed) return value.map(({ line, where }) => `${added ? '+' : '-'} ${line}  (${where})`);
    return shortened(value, { isFirst: place === 0, isLast: place === parts.length - 1 });
  });
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
