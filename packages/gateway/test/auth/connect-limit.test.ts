import { expect, test } from 'vitest';
import { ConnectLimit } from '../../src/auth/connect-limit.ts';

test('a principal is limited to a number of connections a minute, without effect on other principals', () => {
  const clock = { now: 1_000_000 };
  const limit = new ConnectLimit(2, () => clock.now);
  const [one, other] = [{}, {}];
  const first = [limit.admit(one), limit.admit(one), limit.admit(one), limit.admit(other)];
  clock.now += 59_999;
  const later = limit.admit(one);
  clock.now += 1;
  expect({ first, later, next: limit.admit(one) }).toEqual({
    first: [true, true, false, true],
    later: false,
    next: true,
  });
});
