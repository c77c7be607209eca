import type { RequirementId } from '../../requirements/requirement.ts';
import type { ClientScenario } from '../client-scenario.ts';
import type { PlayedTurn } from '../client-stage.ts';
import { continuesNormally, survived, survives, wordsAfter, wordsBefore } from './endings.ts';

/** Something in the middle of a turn that a client takes, or leaves out, and continues. */
interface Tolerated {
  readonly id: string;
  readonly title: string;
  /** The requirement broken by a client that does not continue. */
  readonly covers: RequirementId;
  /** What else holds if it does. */
  readonly happens: (turn: PlayedTurn) => void | Promise<void>;
}

const text = (words: string): unknown => ({ type: 'text', text: words });

const tolerated: readonly Tolerated[] = [
  {
    id: 'unknown-variant',
    title: 'an update of an unknown kind is ignored',
    covers: 'R168',
    happens: sends({ sessionUpdate: 'x_future', payload: [1, 2] }, { sessionUpdate: '_check/own', text: 'own' }),
  },
  {
    id: 'unknown-content',
    title: 'content of an unknown type is ignored',
    covers: 'R168',
    happens: sends({ sessionUpdate: 'agent_message_chunk', content: { type: 'hologram', data: 'aGk=' } }),
  },
  {
    id: 'unknown-kinds',
    title: 'a tool of an unknown kind and state is still a tool',
    covers: 'R029',
    happens: sends(
      { sessionUpdate: 'tool_call', toolCallId: 'odd', title: 'Odd', kind: 'teleport', status: 'pondering' },
      { sessionUpdate: 'tool_call', toolCallId: 'minimal', title: 'Minimal' },
      { sessionUpdate: 'tool_call_update', toolCallId: 'odd', status: 'completed', content: [{ type: 'smell' }, 7] },
    ),
  },
  {
    id: 'unknown-tool-call',
    title: 'an update for an unknown tool call is not a failure',
    covers: 'R184',
    happens: sends({ sessionUpdate: 'tool_call_update', toolCallId: 'never-begun', status: 'completed' }),
  },
  {
    id: 'message-ids',
    title: 'ids of messages may be any text',
    covers: 'R141',
    happens: sends(
      { sessionUpdate: 'agent_message_chunk', messageId: 'ü/{"a":1}', content: text('one ') },
      { sessionUpdate: 'agent_message_chunk', messageId: '', content: text('two ') },
      { sessionUpdate: 'agent_message_chunk', messageId: '1', content: text('three ') },
    ),
  },
  {
    id: 'no-message-ids',
    title: 'an id of a message that is null is none',
    covers: 'R337',
    happens: sends(
      { sessionUpdate: 'agent_message_chunk', messageId: null, content: text('one ') },
      { sessionUpdate: 'agent_thought_chunk', messageId: null, content: text('two ') },
    ),
  },
  {
    id: 'odd-meta',
    title: 'nothing is taken for granted about what is in _meta',
    covers: 'R281',
    happens: ({ agent, sessionId }) => {
      for (const _meta of [{ claudeCode: 7, terminal_output: [], traceparent: {} }, { '': { deep: [null] } }, {}, null])
        agent.notify('session/update', {
          sessionId,
          _meta,
          update: { sessionUpdate: 'agent_message_chunk', _meta, content: { ...(text('a ') as object), _meta } },
        });
    },
  },
  {
    id: 'annotations',
    title: 'annotations that cannot be understood are left out, and their content is kept',
    covers: 'R337',
    happens: sends({
      sessionUpdate: 'agent_message_chunk',
      content: {
        type: 'text',
        text: 'annotated ',
        annotations: { audience: ['robots'], priority: 'very', lastModified: 7 },
      },
    }),
  },
  {
    id: 'outside-a-turn',
    title: 'updates that belong to no turn are taken at any time',
    covers: 'R337',
    happens: sends(
      { sessionUpdate: 'session_info_update', title: 'A new title', updatedAt: '2026-01-01T00:00:00Z' },
      { sessionUpdate: 'usage_update', used: 10, size: 100, cost: null },
      { sessionUpdate: 'available_commands_update', availableCommands: [] },
    ),
  },
];

/** Updates of an agent between a prompt and its answer. */
export const updatesScenarios: readonly ClientScenario[] = [
  {
    id: 'updates/before-the-answer',
    title: 'what comes before the answer to a prompt is shown completely and in order',
    covers: ['R369'],
    run: async (stage) => {
      const pieces = Array.from({ length: 200 }, (_, place) => `<${String(place)}>`);
      const done = await stage.turn(({ agent, sessionId, id }) => {
        for (const piece of pieces) agent.say(sessionId, piece);
        agent.send({ jsonrpc: '2.0', id, result: { stopReason: 'end_turn' } });
        return null;
      });
      const { stdout } = done.end;
      if (!survived(stage, done)) return;
      const shown = stdout.match(/<\d+>/g) ?? [];
      if (shown.length === 0) return stage.see.unseen('R369', 'the client does not print what its agent says');
      const isWhole = shown.filter((piece, place) => piece !== shown[place - 1]).join('') === pieces.join('');
      const fault =
        !isWhole &&
        `of ${String(pieces.length)} updates before the answer ${String(new Set(shown).size)} were shown${new Set(shown).size === pieces.length ? ', in another order' : ''}`;
      stage.see.check('R369', fault, done.agent.journal.slice(-2));
    },
  },
  {
    id: 'updates/before-the-session',
    title: 'updates that come before session/new is answered are shown',
    covers: ['R337'],
    run: async (stage) => {
      const early = 'Words of a session that is not there yet.';
      stage.play((agent) =>
        agent.handle('session/new', () => {
          agent.say('session-1', early);
          return { sessionId: 'session-1' };
        }),
      );
      const done = await stage.turn(({ agent, sessionId }) => void agent.say(sessionId, wordsAfter));
      if (!continuesNormally(stage, done)) return;
      const { stdout } = done.end;
      if (stdout.includes(wordsAfter) && !stdout.includes(early))
        stage.see.broken(
          'R337',
          'what the agent said before it answered session/new was not shown',
          done.agent.journal,
        );
    },
  },
  ...tolerated.map(({ id, title, covers, happens }): ClientScenario => ({
    id: `updates/${id}`,
    title,
    covers: [covers],
    run: async (stage) => {
      const done = await stage.turn(async (turn) => {
        turn.agent.say(turn.sessionId, wordsBefore);
        await happens(turn);
        turn.agent.say(turn.sessionId, wordsAfter);
      });
      continuesNormally(stage, done, covers);
    },
  })),
  {
    id: 'updates/another-session',
    title: 'what is said in another session is not shown in this one',
    covers: ['R078', 'R336'],
    run: async (stage) => {
      const elsewhere = 'Words that belong elsewhere.';
      const done = await stage.turn(({ agent, sessionId }) => {
        agent.say(sessionId, wordsBefore);
        agent.say(`${sessionId}-of-somebody-else`, elsewhere);
        agent.say(sessionId, wordsAfter);
      });
      // A client that prints the wire as it is prints this, too.
      const isShown = done.end.stdout.includes(elsewhere) && !done.end.stdout.includes('"sessionId"');
      stage.see.check('R078', isShown && 'what was said in another session was shown', done.agent.journal.slice(-5));
      survives(stage, done);
    },
  },
];

function sends(...updates: readonly unknown[]): Tolerated['happens'] {
  return ({ agent, sessionId }) => {
    for (const update of updates) agent.update(sessionId, update);
  };
}
