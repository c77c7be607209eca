import { expect, test } from 'vitest';
import { UnreachableNodes } from '../../src/nodes/unreachable-nodes.ts';

test('one of all waiting clients retries a node, until the node no longer exists', async () => {
  const nodes = new UnreachableNodes();
  let isThere = true;
  let tries = 0;
  const isOver = async (): Promise<boolean> => {
    tries++;
    isThere = tries < 2;
    return false;
  };
  const waiting = Array.from({ length: 100 }, () => nodes.retry({ number: '7', isThere: () => isThere, isOver }));
  const others = [nodes.until('7'), nodes.until('8')];
  await Promise.all([...waiting, others[0]]);
  expect({ tries, others: others.map(Boolean), after: nodes.until('7') }).toEqual({
    tries: 2,
    others: [true, false],
    after: undefined,
  });
});

test('waiting for a node stops when the node ends', async () => {
  const nodes = new UnreachableNodes();
  let isThere = true;
  let isTried = false;
  const waiting = nodes.retry({ number: '7', isThere: () => isThere, isOver: async () => (isTried = true) });
  isThere = false;
  await waiting;
  expect(isTried).toBe(false);
});
