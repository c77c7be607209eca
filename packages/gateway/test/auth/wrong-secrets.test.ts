import { expect, test } from 'vitest';
import { WrongSecrets } from '../../src/auth/wrong-secrets.ts';

/** The number of reported secrets out of so many wrong ones. */
function reportsOf(wrong: WrongSecrets, address: string, times: number): number {
  return Array.from({ length: times }, () => wrong.count(address)).filter(Boolean).length;
}

test('ten wrong secrets a minute are reported for each address', () => {
  const clock = { now: 1_000_000 };
  const wrong = new WrongSecrets(() => clock.now);
  const first = [reportsOf(wrong, '10.0.0.1', 15), reportsOf(wrong, '10.0.0.2', 3)];
  clock.now += 59_999;
  const before = reportsOf(wrong, '10.0.0.1', 2);
  clock.now += 1;
  expect({ first, before, after: reportsOf(wrong, '10.0.0.1', 2) }).toEqual({ first: [10, 3], before: 0, after: 2 });
});

test('at most ten thousand addresses are remembered', () => {
  const wrong = new WrongSecrets(() => 0);
  for (const address of ['first', 'second']) reportsOf(wrong, address, 10);
  for (let index = 0; index < 9_999; index += 1) wrong.count(`address ${index}`);
  expect([wrong.count('second'), wrong.count('first')]).toEqual([false, true]);
});
