import { Stopped } from '../../../wire/stopped.ts';
import type { ClientScenario } from '../../client-scenario.ts';
import { permission } from '../cancel.ts';
import { survives, wordsAfter, wordsBefore } from '../endings.ts';
import { within } from './misbehaviour.ts';

const call = (toolCallId: string): unknown => ({ toolCallId, title: 'Write', kind: 'edit' });

/** Misbehaviour with what an agent asks of its client. */
export const asking: readonly ClientScenario[] = [
  within({
    id: 'permission-storm',
    agent: 'asks for permission 200 times at once',
    expected: 'survives',
    covers: 'R019',
    // A client that refuses permission without asking must answer at once.
    action: 'deny',
    happens: async ({ agent, sessionId }, stage) => {
      if (stage.isTyped('deny')) throw new Stopped('no user types 200 answers');
      const asked = Array.from({ length: 200 }, (_, place) =>
        agent.askOwed('session/request_permission', permission(sessionId, `storm-${String(place)}`)),
      );
      await Promise.all(asked);
    },
  }),
  asks({
    id: 'unknown-option-kinds',
    mayWait: true,
    agent: 'offers permission of unknown kinds',
    params: (sessionId) => ({
      sessionId,
      toolCall: call('kinds'),
      options: [
        { optionId: 'a', name: 'Perhaps', kind: 'allow_maybe' },
        { optionId: 'b', name: 'No', kind: 'reject_once' },
      ],
    }),
  }),
  asks({
    id: 'duplicate-options',
    mayWait: true,
    agent: 'offers two options with the same id',
    params: (sessionId) => ({
      sessionId,
      toolCall: call('duplicate'),
      options: [
        { optionId: 'same', name: 'Allow', kind: 'allow_once' },
        { optionId: 'same', name: 'Reject', kind: 'reject_once' },
      ],
    }),
  }),
  asks({
    id: 'no-options',
    mayWait: true,
    agent: 'asks for permission and offers no option',
    params: (sessionId) => ({
      sessionId,
      toolCall: call('none'),
      options: [],
    }),
  }),
  asks({
    id: 'malformed-options',
    mayWait: true,
    agent: 'offers options that are none',
    params: (sessionId) => ({
      sessionId,
      toolCall: call('malformed'),
      options: [7, null, { name: 'nameless' }],
    }),
  }),
  asks({
    id: 'permission-elsewhere',
    mayWait: true,
    agent: 'asks for permission in a session that is not there',
    params: (sessionId) => ({
      ...(permission(`${sessionId}-unknown`, 'elsewhere') as object),
    }),
  }),
  asks({ id: 'permission-null', agent: 'asks for permission for nothing', params: () => null }),
];

interface Odd extends Pick<ClientScenario, 'id'> {
  readonly agent: string;
  readonly params: (sessionId: string) => unknown;
  /** Whether a user can be asked: then there may be no answer yet. */
  readonly mayWait?: boolean;
}

/** A question that must be answered, in whatever way, unless the client gives up. */
function asks({ id, agent: does, params, mayWait }: Odd): ClientScenario {
  return {
    id: `misbehaving/${id}`,
    title: `an agent that ${does} does not bring its client down`,
    covers: ['R336', 'R019'],
    run: async (stage) => {
      const done = await stage.turn(
        async ({ agent, sessionId }) => {
          agent.say(sessionId, wordsBefore);
          const reply = await agent.askOdd('session/request_permission', params(sessionId), { mayWait });
          if (reply === undefined) stage.see.unseen('R019', 'the client ended the connection in place of an answer');
          else stage.see.held('R019');
          agent.say(sessionId, wordsAfter);
        },
        { action: 'deny' },
      );
      survives(stage, done);
    },
  };
}
