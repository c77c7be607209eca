import { expect, test } from 'vitest';
import { GuessLimit } from '../../src/auth/guess-limit.ts';

/** A limit at a time that can be set. */
function limitAt(): { readonly limit: GuessLimit; readonly clock: { now: number } } {
  const clock = { now: 1_000_000 };
  return { limit: new GuessLimit(() => clock.now), clock };
}

function guess(limit: GuessLimit, address: string, times: number): void {
  for (let index = 0; index < times; index += 1) limit.note(address);
}

test('after ten wrong secrets an address is locked out for a minute from the last one on, and no other', () => {
  const { limit, clock } = limitAt();
  guess(limit, '10.0.0.1', 9);
  expect(limit.isLocked('10.0.0.1')).toBe(false);
  clock.now += 59_999;
  limit.note('10.0.0.1');
  expect([limit.isLocked('10.0.0.1'), limit.isLocked('10.0.0.2')]).toEqual([true, false]);
  clock.now += 59_999;
  expect(limit.isLocked('10.0.0.1')).toBe(true);
  clock.now += 1;
  expect(limit.isLocked('10.0.0.1')).toBe(false);
  limit.note('10.0.0.1');
  expect(limit.isLocked('10.0.0.1')).toBe(false);
});

test('guesses from ten thousand addresses are remembered, and not more', () => {
  const { limit } = limitAt();
  guess(limit, 'first', 10);
  guess(limit, 'second', 10);
  for (let index = 0; index < 9_999; index += 1) limit.note(`address ${index}`);
  expect([limit.isLocked('first'), limit.isLocked('second')]).toEqual([false, true]);
});
