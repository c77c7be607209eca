import { expect, test } from 'vitest';
import { AwayNodes } from '../../src/nodes/away-nodes.ts';

test('of all who wait for a node one tries it, until it is none any more', async () => {
  const away = new AwayNodes();
  let isThere = true;
  let tries = 0;
  const isOver = async (): Promise<boolean> => {
    tries++;
    isThere = tries < 2;
    return false;
  };
  const waiting = Array.from({ length: 100 }, () => away.try({ number: '7', isThere: () => isThere, isOver }));
  const others = [away.until('7'), away.until('8')];
  await Promise.all([...waiting, others[0]]);
  expect({ tries, others: others.map(Boolean), after: away.until('7') }).toEqual({
    tries: 2,
    others: [true, false],
    after: undefined,
  });
});

test('a node that ends while it is waited for is waited for no longer', async () => {
  const away = new AwayNodes();
  let isThere = true;
  let isTried = false;
  const waiting = away.try({ number: '7', isThere: () => isThere, isOver: async () => (isTried = true) });
  isThere = false;
  await waiting;
  expect(isTried).toBe(false);
});
