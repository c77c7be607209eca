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
])('a value of %i levels under a limit of %i is too deep: %s', (levels, limit, expected) => {
  const text = nested(levels);
  expect(isTooDeep(JSON.parse(text), text, limit)).toBe(expected);
});

test('the depth check counts objects and lists alike and looks into the last member', () => {
  const text = JSON.stringify({ a: 'x'.repeat(20), b: [1, 2, { c: [{}] }] });
  expect([4, 5].map((limit) => isTooDeep(JSON.parse(text), text, limit))).toEqual([true, false]);
});

test('a value counts as too deep if the stack overflows before the limit is reached', () => {
  const text = nested(100_000);
  expect(isTooDeep(JSON.parse(text), text, 99_999)).toBe(true);
});
