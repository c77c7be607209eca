import { expect, test } from 'vitest';
import { localDay } from '../src/index.ts';

test('a day is that of the local time, and days before it are counted over months, years and changes of the clock', () => {
  const late = new Date(2026, 2, 1, 23, 59, 59);
  const early = new Date(2026, 2, 1, 0, 0, 1);
  const before = [0, 1, 59, 60, 365, 36_499];
  const days = ['2026-03-01', '2026-02-28', '2026-01-01', '2025-12-31', '2025-03-01', '1926-03-27'];
  expect([late, early].map((date) => before.map((count) => localDay(date, count)))).toEqual([days, days]);
});
