import { expect, test } from 'vitest';
import { SessionWork } from '../../src/session/session-work.ts';

test('an agent that announces any number of child sessions is followed to a limit', () => {
  const work = new SessionWork();
  for (let count = 0; count < 5_000; count++)
    work.note({ sessionUpdate: 'subagent_update', sessionId: `child-${count}` });
  expect([work.hasChild('child-0'), work.hasChild('child-4095'), work.hasChild('child-4096')]).toEqual([
    true,
    true,
    false,
  ]);
});
