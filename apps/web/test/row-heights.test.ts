import { expect, test } from 'vitest';
import { RowHeights } from '../src/transcript/row-heights.ts';

const guess = 10;

/** The expected result, from a linear search through a list of heights. */
function lookedUp(
  first: number,
  heights: readonly number[],
  offset: number,
): { total: number; row: number; at: number } {
  let [row, at] = [0, 0];
  while (row < heights.length - 1 && at + (heights[row] ?? 0) <= offset) at += heights[row++] ?? 0;
  return { total: heights.reduce((sum, height) => sum + height, 0), row: first + row, at };
}

test('rows are found by their heights, whatever was measured, appended or inserted before the first one', () => {
  const rows = new RowHeights(guess);
  let [first, known] = [0, [] as number[]];
  const cover = (nextFirst: number, count: number): void => {
    const added = Array<number>(first - nextFirst).fill(guess);
    known = [...added, ...known, ...Array<number>(count).fill(guess)].slice(0, count);
    first = nextFirst;
    rows.cover(first, count, () => false);
  };
  const seen: unknown[] = [];
  const expected: unknown[] = [];
  for (const [nextFirst, count] of [
    [0, 3],
    [0, 700],
    [-900, 1_600],
    [-900, 1_000],
    [-901, 1_001],
  ] as const) {
    cover(nextFirst, count);
    for (let place = 0; place < count; place += 7) {
      known[place] = 1 + ((place * 31) % 90);
      rows.set(first + place, 1 + ((place * 31) % 90));
    }
    for (const offset of [-5, 0, 1, 999, 5_000, 20_000, 1e9]) {
      const row = rows.rowAt(offset);
      seen.push({ total: rows.total, row, at: rows.offsetOf(row) });
      expected.push(lookedUp(first, known, offset));
    }
  }
  expect(seen).toEqual(expected);
});

test('a list that starts over forgets the heights of its rows', () => {
  const rows = new RowHeights(guess);
  rows.cover(-5, 10, () => false);
  rows.set(4, 77);
  rows.cover(0, 0, () => false);
  rows.cover(0, 3, () => false);
  expect({ first: rows.first, end: rows.end, total: rows.total, at: rows.offsetOf(3) }).toEqual({
    first: 0,
    end: 3,
    total: 30,
    at: 30,
  });
});

test('hidden rows take no space, and get the estimated height when they are shown again', () => {
  const rows = new RowHeights(guess);
  const isHidden = (row: number): boolean => row >= 1 && row < 4;
  rows.cover(0, 6, isHidden);
  const hidden = rows.total;
  rows.fit(0, 6, () => false);
  const shown = rows.total;
  rows.hideAround({ from: 2, to: 3 }, isHidden);
  expect({ hidden, shown, again: rows.total }).toEqual({ hidden: 30, shown: 60, again: 30 });
});
