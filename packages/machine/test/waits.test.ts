import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { backOff, Deadline, pause, soon, unlessAborted, untilAborted, within } from '../src/waits/index.ts';

const never = new Promise<never>(() => undefined);
const reason = new Error('called off');

/** The outcome of a promise. */
function outcome(promise: Promise<unknown>): Promise<readonly unknown[]> {
  return promise.then(
    (value) => ['resolved', value],
    (error: unknown) => ['rejected', error],
  );
}

test('work succeeds unless the signal aborts first, or has aborted before', async () => {
  const stopped = AbortSignal.abort(reason);
  const later = new AbortController();
  const waiting = outcome(unlessAborted(never, later.signal));
  later.abort(reason);
  const idle = new AbortController().signal;
  expect([
    await waiting,
    await outcome(unlessAborted(Promise.resolve(1), idle)),
    await outcome(unlessAborted(Promise.resolve(1), stopped)),
    await outcome(unlessAborted(Promise.reject(new Error('failed')), idle)),
    await outcome(untilAborted(never, stopped)),
    await outcome(untilAborted(Promise.reject(new Error('failed')), idle)),
  ]).toEqual([
    ['rejected', reason],
    ['resolved', 1],
    ['rejected', reason],
    ['rejected', new Error('failed')],
    ['resolved', undefined],
    ['rejected', new Error('failed')],
  ]);
});

test('a pause ends by itself, or with the signal', async () => {
  expect([
    await outcome(pause(1)),
    await outcome(pause(1, new AbortController().signal)),
    await outcome(pause(Infinity, AbortSignal.abort(reason))),
    await outcome(pause(Infinity, AbortSignal.timeout(1))).then(([how]) => how),
  ]).toEqual([['resolved', undefined], ['resolved', undefined], ['rejected', reason], 'rejected']);
});

test('work is limited to its time, or unlimited', async () => {
  expect([
    await within(1, never),
    await within(Infinity, Promise.resolve('done')),
    await within(60_000, Promise.resolve('done')),
    await outcome(within(60_000, Promise.reject(reason))),
  ]).toEqual([undefined, 'done', 'done', ['rejected', reason]]);
});

test('delays double up to the longest one, shortened by a random amount', () => {
  const firstOf = (delays: Iterator<number>): readonly unknown[] =>
    Array.from({ length: 5 }, () => delays.next().value);
  expect([
    firstOf(backOff({ jitter: 0 })),
    firstOf(backOff({ first: 2_000, most: 30_000, jitter: 0.5, random: () => 0 })),
    firstOf(backOff({ first: 2_000, most: 30_000, jitter: 0.5, random: () => 1 })),
    firstOf(backOff({ random: () => 1 })),
  ]).toEqual([
    [1_000, 2_000, 4_000, 8_000, 16_000],
    [2_000, 4_000, 8_000, 16_000, 30_000],
    [1_000, 2_000, 4_000, 8_000, 15_000],
    [750, 1_500, 3_000, 6_000, 12_000],
  ]);
});

test('a deadline aborts at its time or with another signal, but not after it is disposed of', async () => {
  const { signal } = new Deadline(1, new AbortController().signal, reason);
  const other = new AbortController();
  const withOther = new Deadline(Infinity, other.signal);
  other.abort(reason);
  const disposed = new Deadline(1);
  disposed[Symbol.dispose]();
  expect([
    await outcome(unlessAborted(never, signal)),
    await outcome(unlessAborted(never, withOther.signal)),
    await outcome(unlessAborted(pause(20), disposed.signal)),
  ]).toEqual([
    ['rejected', reason],
    ['rejected', reason],
    ['resolved', undefined],
  ]);
});

test('a deadline aborts even if garbage is collected before', async () => {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  const waiting = outcome(unlessAborted(never, new Deadline(100, new AbortController().signal, reason).signal));
  for (let round = 0; round < 3; round++) {
    await pause(10);
    collect();
  }
  expect(await waiting).toEqual(['rejected', reason]);
});

test('soon calls back after everything that is due now', async () => {
  const order: string[] = [];
  const done = new Promise<void>((resolve) => soon(() => resolve(void order.push('soon'))));
  await Promise.resolve().then(() => void order.push('now'));
  await done;
  expect(order).toEqual(['now', 'soon']);
});
