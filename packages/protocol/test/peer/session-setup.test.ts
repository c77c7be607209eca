import { expect, test } from 'vitest';
import { v1 } from '../../src/index.ts';
import { lenientClient } from '../../src/dialects/index.ts';
import type { Lanes } from '../../src/peer/lanes.ts';
import { MethodTable } from '../../src/peer/method-table.ts';
import { SessionSetup } from '../../src/peer/session-setup.ts';

const announces = (parent: string, child: string): object => ({
  sessionId: parent,
  update: { sessionUpdate: 'subagent_update', sessionId: child },
});

test('messages of child sessions use the lane of the session that began them, and the oldest of many are forgotten', () => {
  const setup = new SessionSetup({} as Lanes);
  setup.arrived(announces('main', 'first'));
  setup.arrived(announces('first', 'second'));
  const before = ['main', 'first', 'second', 'other'].map((session) => setup.laneOf(session));
  for (let count = 0; count < 4_095; count++) setup.arrived(announces('main', `child-${count}`));
  expect([before, setup.laneOf('first'), setup.laneOf('second'), setup.laneOf('child-4094')]).toEqual([
    ['main', 'main', 'main', 'other'],
    'first',
    'main',
    'main',
  ]);
});

test('a session that the client has opened is not a child', () => {
  const setup = new SessionSetup({} as Lanes);
  setup.sent(MethodTable.of(v1, lenientClient).outgoing('session/load', 'request'), { sessionId: 'mine' });
  setup.arrived(announces('main', 'mine'));
  expect(setup.laneOf('mine')).toBe('mine');
});
