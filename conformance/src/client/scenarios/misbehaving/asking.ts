import { Stopped } from '../../../verdict/stopped.ts';
import type { ClientScenario } from '../../client-scenario.ts';
import type { PlayedTurn } from '../../client-stage.ts';
import { permission } from '../cancel.ts';
import { within } from './trouble.ts';

const call = (toolCallId: string): unknown => ({ toolCallId, title: 'Write', kind: 'edit' });

/** Trouble with what an agent asks of its client. */
export const asking: readonly ClientScenario[] = [
  within({
    id: 'permission-storm',
    agent: 'asks for permission 200 times at once',
    expected: 'survives',
    covers: 'R019',
    // Where permission is refused without asking anybody, an answer is owed at once.
    action: 'deny',
    happens: async ({ agent, sessionId }) => {
      const asked = Array.from({ length: 200 }, (_, place) =>
        agent.ask('session/request_permission', permission(sessionId, `storm-${String(place)}`)),
      );
      await Promise.all(asked);
    },
  }),
  asks('unknown-option-kinds', 'offers permission of kinds nobody knows', (sessionId) => ({
    sessionId,
    toolCall: call('kinds'),
    options: [
      { optionId: 'a', name: 'Perhaps', kind: 'allow_maybe' },
      { optionId: 'b', name: 'No', kind: 'reject_once' },
    ],
  })),
  asks('duplicate-options', 'offers two options with the same id', (sessionId) => ({
    sessionId,
    toolCall: call('duplicate'),
    options: [
      { optionId: 'same', name: 'Allow', kind: 'allow_once' },
      { optionId: 'same', name: 'Reject', kind: 'reject_once' },
    ],
  })),
  asks('no-options', 'asks for permission and offers no option', (sessionId) => ({
    sessionId,
    toolCall: call('none'),
    options: [],
  })),
  asks('malformed-options', 'offers options that are none', (sessionId) => ({
    sessionId,
    toolCall: call('malformed'),
    options: [7, null, { name: 'nameless' }],
  })),
  asks('permission-elsewhere', 'asks for permission in a session that is not there', (sessionId) => ({
    ...(permission(`${sessionId}-unknown`, 'elsewhere') as object),
  })),
  asks('permission-null', 'asks for permission for nothing', () => null),
];

/** A question that must be answered, in whatever way. */
function asks(id: string, agent: string, params: (sessionId: string) => unknown): ClientScenario {
  return within({
    id,
    agent,
    expected: 'survives',
    covers: 'R019',
    action: 'deny',
    happens: async (turn: PlayedTurn) => {
      if (turn.agent.hasEnded) throw new Stopped('the client is gone');
      await turn.agent.ask('session/request_permission', params(turn.sessionId));
    },
  });
}
