import { expect, test } from 'vitest';
import { CallQueue } from '../../src/postgres/call-queue.ts';

test('calls that arrive during a statement are answered together, each with its own answer', async () => {
  const batches: (readonly number[])[] = [];
  const queue = new CallQueue<number, number>({
    take: ({ length }) => Math.min(length, 3),
    answer: async (calls) => {
      batches.push(calls);
      await Promise.resolve();
      return calls.map((call) => (call === 4 ? new Error('four is refused') : call * 10));
    },
  });
  const first = queue.add(1);
  await first;
  const settled = await Promise.allSettled([2, 3, 4, 5, 6].map((call) => queue.add(call)));
  expect(batches).toEqual([[1], [2, 3, 4], [5, 6]]);
  expect(settled.map((each) => (each.status === 'fulfilled' ? each.value : String(each.reason)))).toEqual([
    20,
    30,
    'Error: four is refused',
    50,
    60,
  ]);
});

test('a failing statement rejects its own calls only', async () => {
  const queue = new CallQueue<string, string>({
    take: () => 1,
    answer: async ([call = '']) => {
      if (call === 'bad') throw new Error('it fails');
      return [call];
    },
  });
  const settled = await Promise.allSettled(['good', 'bad', 'next'].map((call) => queue.add(call)));
  await queue.settled();
  expect(settled.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
});
