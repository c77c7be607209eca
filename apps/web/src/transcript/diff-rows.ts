import { changedWords, type TextSpan } from '@turnwire/client/changes';
import { diffLines } from 'diff';

/** A line of one side. */
interface DiffLine {
  /** From 1. */
  readonly number: number;
  readonly spans: readonly TextSpan[];
}

/** A row of a diff: a line that is the same, one that was changed, removed or added, or unchanged lines that are folded. */
export type DiffRow =
  | { readonly type: 'same' | 'changed'; readonly left?: DiffLine | undefined; readonly right?: DiffLine | undefined }
  | { readonly type: 'folded'; readonly count: number; readonly left?: undefined; readonly right?: undefined };

/** A diff, and how many lines it adds and removes. */
export interface DiffRows {
  readonly rows: readonly DiffRow[];
  readonly added: number;
  readonly removed: number;
}

/** Unchanged lines that are shown around a change. */
const around = 3;
/** Fewer unchanged lines are not worth folding. */
const fewest = 4;
/** A diff that takes longer than this is shown as everything removed and added, in milliseconds. */
export const diffTime = 400;

/** The rows of the change from one text to another. */
export function diffRows(before: string, after: string, isWhole: boolean): DiffRows {
  const hunks = hunksOf(before, after);
  let [left, right] = [1, 1];
  const numbered = (side: 'left' | 'right', spans: Spans): { readonly [key: string]: DiffLine } =>
    spans === undefined ? {} : { [side]: { number: side === 'left' ? left++ : right++, spans } };
  const rows = hunks.flatMap(({ isSame, removed, added }) =>
    Array.from({ length: Math.max(removed.length, added.length) }, (_, at): DiffRow => {
      const [one, other] = isSame ? [whole(removed[at]), whole(added[at])] : pair(removed[at], added[at]);
      return { type: isSame ? 'same' : 'changed', ...numbered('left', one), ...numbered('right', other) };
    }),
  );
  const changed = hunks.filter(({ isSame }) => !isSame);
  return {
    rows: isWhole ? rows : folded(rows),
    added: changed.reduce((sum, { added }) => sum + added.length, 0),
    removed: changed.reduce((sum, { removed }) => sum + removed.length, 0),
  };
}

/** Lines that are the same, or lines that were replaced by others. */
interface Hunk {
  readonly isSame: boolean;
  readonly removed: readonly string[];
  readonly added: readonly string[];
}

function hunksOf(before: string, after: string): readonly Hunk[] {
  const changes = diffLines(before, after, { timeout: diffTime });
  if (!changes) return [{ isSame: false, removed: linesOf(before), added: linesOf(after) }];
  return changes.flatMap(({ value, added, removed }, place): readonly Hunk[] => {
    const lines = linesOf(value);
    if (!added && !removed) return [{ isSame: true, removed: lines, added: lines }];
    const next = changes[place + 1];
    if (removed) return [{ isSame: false, removed: lines, added: next?.added ? linesOf(next.value) : [] }];
    // What replaces the lines before it is with them.
    return changes[place - 1]?.removed ? [] : [{ isSame: false, removed: [], added: lines }];
  });
}

/** The lines of a text; the last one needs no end. */
export function linesOf(text: string): readonly string[] {
  const lines = text.split('\n');
  return lines.at(-1) === '' ? lines.slice(0, -1) : lines;
}

type Spans = readonly TextSpan[] | undefined;

function whole(text: string | undefined): Spans {
  return text === undefined ? undefined : [{ text, isChanged: false }];
}

/** Both sides of a changed line, with the words that differ marked where the line was changed and not replaced. */
function pair(removed: string | undefined, added: string | undefined): readonly [left: Spans, right: Spans] {
  const words = removed === undefined || added === undefined ? undefined : changedWords(removed, added);
  return words ? [words.removed, words.added] : [whole(removed), whole(added)];
}

function folded(rows: readonly DiffRow[]): readonly DiffRow[] {
  const isNear = (at: number): boolean => {
    for (let near = at - around; near <= at + around; near++) if (rows[near]?.type === 'changed') return true;
    return false;
  };
  const result: DiffRow[] = [];
  let hidden: DiffRow[] = [];
  const flush = (): void => {
    if (hidden.length < fewest) result.push(...hidden);
    else result.push({ type: 'folded', count: hidden.length });
    hidden = [];
  };
  for (const [at, row] of rows.entries()) {
    if (row.type === 'same' && !isNear(at)) hidden.push(row);
    else {
      flush();
      result.push(row);
    }
  }
  flush();
  return result;
}
