import { expect, test } from 'vitest';
import { isTooDeep } from '../../src/json-rpc/depth.ts';

/** Lists in lists, so many levels. */
function nested(levels: number): string {
  return '['.repeat(levels) + ']'.repeat(levels);
}

test.each([
  [3, 3, false],
  [4, 3, true],
  [256, 256, false],
  [257, 256, true],
  [100_000, 256, true],
  [100_000, 1_000_000, false],
])('%i levels under a limit of %i: too deep is %s', (levels, limit, expected) => {
  const text = nested(levels);
  expect(isTooDeep(JSON.parse(text), text, limit)).toBe(expected);
});

test('depth counts objects and lists alike, and looks at the last of many members', () => {
  const text = JSON.stringify({ a: 'x'.repeat(20), b: [1, 2, { c: [{}] }] });
  expect([4, 5].map((limit) => isTooDeep(JSON.parse(text), text, limit))).toEqual([true, false]);
});

test('a stack that ends before the limit counts as too deep', () => {
  const text = nested(100_000);
  expect(isTooDeep(JSON.parse(text), text, 99_999)).toBe(true);
});
