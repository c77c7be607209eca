import type { Diff } from '@turnwire/protocol';
import { diffLines } from 'diff';
import { changedWords, type TextSpan } from './changed-words.ts';

/**
 * Texts with more differing lines are not compared: everything is shown as removed and added. Counted, not timed, so that a change looks the
 * same everywhere; comparing takes at most some tenths of a second.
 */
export const mostEdits = 1_000;

/**
 * Parts in which more lines were replaced are not compared word by word: lines that far from each other rarely belong together, and comparing ten
 * thousand pairs takes longer than finding the changed lines.
 */
const mostPairs = 500;

/** A line of one side. */
export interface DiffLine {
  /** The line number, from 1. */
  readonly number: number;
  readonly spans: readonly TextSpan[];
}

/** A row of a diff. A changed row with one side is an added or a removed line. */
export interface DiffRow {
  readonly type: 'same' | 'changed';
  readonly left?: DiffLine;
  readonly right?: DiffLine;
}

/** Unchanged rows that are not shown. */
export interface FoldedRows {
  readonly type: 'folded';
  readonly count: number;
}

/** All rows of a diff. A row has both sides of a changed line, with the differing words marked unless more than 500 lines were replaced at once. */
export function diffRows(diff: Diff): readonly DiffRow[] {
  return rowsOf(partsOf(diff), { left: 1, right: 1 });
}

/** A part of a unified diff, as a review has it: its first lines from 1, and its lines with ` `, `-` or `+` before each. */
export interface HunkLines {
  readonly before: { readonly line: number };
  readonly after: { readonly line: number };
  readonly lines: readonly string[];
}

/** The rows of a hunk, like those of {@link diffRows}. */
export function hunkRows({ before, after, lines }: HunkLines): readonly DiffRow[] {
  const parts: { isSame: boolean; removed: string[]; added: string[] }[] = [];
  for (const line of lines) {
    const [mark, text] = [line[0], line.slice(1)];
    // The note that a file has no newline at its end.
    if (mark === '\\') continue;
    const isSame = mark === ' ';
    let part = parts.at(-1);
    // A removed line after added ones belongs to the next change.
    if (part?.isSame !== isSame || (mark === '-' && part.added.length > 0))
      parts.push((part = { isSame, removed: [], added: [] }));
    if (mark !== '+') part.removed.push(text);
    if (mark !== '-') part.added.push(text);
  }
  return rowsOf(parts, { left: before.line, right: after.line });
}

/** @param first the numbers of the first line on each side */
function rowsOf(parts: readonly Part[], first: { readonly left: number; readonly right: number }): readonly DiffRow[] {
  let { left, right } = first;
  return parts.flatMap(({ isSame, removed, added }) => {
    const hasWords = !isSame && Math.min(removed.length, added.length) <= mostPairs;
    return Array.from({ length: Math.max(removed.length, added.length) }, (_, at): DiffRow => {
      const [before, after] = [removed[at], added[at]];
      const words = hasWords && before !== undefined && after !== undefined ? changedWords(before, after) : undefined;
      return {
        type: isSame ? 'same' : 'changed',
        ...(before !== undefined && { left: { number: left++, spans: words?.removed ?? whole(before) } }),
        ...(after !== undefined && { right: { number: right++, spans: words?.added ?? whole(after) } }),
      };
    });
  });
}

/** The number of lines that a diff adds and removes. */
export function diffSize(diff: Diff): { readonly added: number; readonly removed: number } {
  const changed = partsOf(diff).filter(({ isSame }) => !isSame);
  return {
    added: changed.reduce((sum, { added }) => sum + added.length, 0),
    removed: changed.reduce((sum, { removed }) => sum + removed.length, 0),
  };
}

/** The number of unchanged rows that are shown around a change. */
const around = 3;

/**
 * Folds the rows that are more than three away from a change.
 * @param fewest the minimum number of rows to fold
 */
export function foldedRows(rows: readonly DiffRow[], fewest: number): readonly (DiffRow | FoldedRows)[] {
  const result: (DiffRow | FoldedRows)[] = [];
  const changes = rows.flatMap(({ type }, at) => (type === 'changed' ? [at] : []));
  let shown = 0;
  const fold = (end: number): void => {
    if (end - shown >= fewest) result.push({ type: 'folded', count: end - shown });
    else result.push(...rows.slice(shown, Math.max(shown, end)));
    shown = Math.max(shown, end);
  };
  for (const at of changes) {
    fold(at - around);
    for (const end = Math.min(rows.length, at + around + 1); shown < end; shown++) result.push(rows[shown] as DiffRow);
  }
  fold(rows.length);
  return result;
}

/** Unchanged lines, or lines that replaced others. */
interface Part {
  readonly isSame: boolean;
  readonly removed: readonly string[];
  readonly added: readonly string[];
}

/** The last diff, because callers ask for its rows and its size together, and in each frame. */
let last: { readonly diff: Diff; readonly parts: readonly Part[] } | undefined;

function partsOf(diff: Diff): readonly Part[] {
  if (last?.diff !== diff) last = { diff, parts: compared(diff) };
  return last.parts;
}

function compared({ oldText, newText }: Diff): readonly Part[] {
  const before = oldText ?? '';
  const changes = diffLines(before, newText, { maxEditLength: mostEdits });
  if (!changes) return [{ isSame: false, removed: linesOf(before), added: linesOf(newText) }];
  return changes.flatMap(({ value, added, removed }, index): readonly Part[] => {
    const lines = linesOf(value);
    if (!added && !removed) return [{ isSame: true, removed: lines, added: lines }];
    const next = changes[index + 1];
    if (removed) return [{ isSame: false, removed: lines, added: next?.added ? linesOf(next.value) : [] }];
    // Lines that replace the lines before them are in the same part.
    return changes[index - 1]?.removed ? [] : [{ isSame: false, removed: [], added: lines }];
  });
}

/** The lines of a text; the last one needs no end. */
export function linesOf(text: string): readonly string[] {
  const lines = text.split('\n');
  return lines.at(-1) === '' ? lines.slice(0, -1) : lines;
}

function whole(text: string): readonly TextSpan[] {
  return [{ text, isChanged: false }];
}
