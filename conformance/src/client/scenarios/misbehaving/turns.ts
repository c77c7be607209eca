import { WireError } from '../../../wire/wire.ts';
import type { ClientScenario } from '../../client-scenario.ts';
import type { PlayedTurn } from '../../client-stage.ts';
import { wordsAfter, wordsBefore } from '../endings.ts';
import { ending, within } from './misbehaviour.ts';

/** Misbehaviour with the messages of a turn. */
export const turns: readonly ClientScenario[] = [
  within({
    id: 'malformed-updates',
    agent: 'sends updates that lack what they must have',
    expected: 'survives',
    happens: sends(
      {},
      { sessionUpdate: 7 },
      { sessionUpdate: 'agent_message_chunk' },
      { sessionUpdate: 'agent_message_chunk', content: null },
      { sessionUpdate: 'agent_message_chunk', content: { type: 'text' } },
      { sessionUpdate: 'tool_call', title: null },
      { sessionUpdate: 'plan', entries: 'many' },
      { sessionUpdate: 'plan', entries: [{ content: 7 }, null] },
      { sessionUpdate: 'current_mode_update', currentModeId: null },
      { sessionUpdate: 'config_option_update', configOptions: {} },
      null,
      [],
    ),
  }),
  within({
    id: 'extra-keys',
    agent: 'puts custom keys everywhere',
    expected: 'survives',
    happens: ({ agent, sessionId }) =>
      void agent.send({
        jsonrpc: '2.0',
        method: 'session/update',
        extra: 1,
        params: {
          sessionId,
          extra: [],
          update: {
            sessionUpdate: 'agent_message_chunk',
            extra: {},
            content: { type: 'text', text: 'more ', extra: null },
          },
        },
      }),
  }),
  within({
    id: 'same-tool-twice',
    agent: 'begins a tool call twice, and continues after its end',
    expected: 'survives',
    happens: sends(
      { sessionUpdate: 'tool_call', toolCallId: 'twice', title: 'First', status: 'in_progress' },
      { sessionUpdate: 'tool_call', toolCallId: 'twice', title: 'Second', status: 'pending' },
      { sessionUpdate: 'tool_call_update', toolCallId: 'twice', status: 'completed' },
      { sessionUpdate: 'tool_call_update', toolCallId: 'twice', status: 'in_progress' },
    ),
  }),
  within({
    id: 'unknown-terminal',
    agent: 'shows a terminal that was never there',
    expected: 'survives',
    happens: sends({
      sessionUpdate: 'tool_call',
      toolCallId: 'terminal',
      title: 'Run',
      content: [{ type: 'terminal', terminalId: 'never-there' }],
    }),
  }),
  within({
    id: 'answers-nobody-waits-for',
    agent: 'answers requests that were never made',
    expected: 'survives',
    happens: ({ agent }) => {
      for (const id of [4_711, 'unknown', -1, null, '']) agent.send({ jsonrpc: '2.0', id, result: {} });
      agent.send({ jsonrpc: '2.0', id: 4_712, error: { code: 1, message: 'no' } });
    },
  }),
  within({
    id: 'odd-request-ids',
    agent: 'makes requests with ids of the wrong type',
    expected: 'survives',
    happens: ({ agent }) => {
      for (const id of [null, 1.5, true, [], {}, 1e300])
        agent.send({ jsonrpc: '2.0', id, method: '_check/odd', params: {} });
    },
  }),
  ending({
    id: 'answers-twice',
    agent: 'answers a prompt twice',
    expected: 'survives',
    script: ({ agent, sessionId, id }) => {
      agent.say(sessionId, wordsAfter);
      agent.send({ jsonrpc: '2.0', id, result: { stopReason: 'end_turn' } });
      return { stopReason: 'refusal' };
    },
  }),
  answers('result-and-error', 'answers with a result and an error', {
    result: { stopReason: 'end_turn' },
    error: { code: -32_603, message: 'both' },
  }),
  answers('odd-stop-reason', 'ends a turn for an unknown reason', { result: { stopReason: 'bored' } }),
  answers('no-stop-reason', 'ends a turn for no reason', { result: {} }),
  answers('null-result', 'ends a turn with null', { result: null }),
  answers('text-result', 'ends a turn with a text', { result: 'done' }),
  ending({
    id: 'turn-fails',
    agent: 'fails in the middle of a turn',
    expected: 'reports',
    script: ({ agent, sessionId }) => {
      agent.say(sessionId, wordsBefore);
      throw new WireError(-32_603, 'the model is gone', { retry: false });
    },
  }),
  ending({
    id: 'updates-afterwards',
    agent: 'continues with a turn that has ended',
    expected: 'survives',
    script: ({ agent, sessionId, id }) => {
      agent.send({ jsonrpc: '2.0', id, result: { stopReason: 'end_turn' } });
      agent.update(sessionId, { sessionUpdate: 'tool_call', toolCallId: 'late', title: 'Late' });
      agent.update(sessionId, { sessionUpdate: 'plan', entries: [] });
      return null;
    },
  }),
  ending({
    id: 'leaves-at-once',
    agent: 'leaves as soon as it has answered',
    expected: 'survives',
    script: ({ agent, sessionId, id }) => {
      agent.say(sessionId, wordsAfter);
      agent.send({ jsonrpc: '2.0', id, result: { stopReason: 'end_turn' } });
      agent.leave(0);
      return null;
    },
  }),
];

function answers(id: string, agent: string, answer: object): ClientScenario {
  return ending({
    id,
    agent,
    expected: 'survives',
    script: (turn) => {
      turn.agent.say(turn.sessionId, wordsAfter);
      turn.agent.send({ jsonrpc: '2.0', id: turn.id, ...answer });
      return null;
    },
  });
}

function sends(...updates: readonly unknown[]): (turn: PlayedTurn) => void {
  return ({ agent, sessionId }) => {
    for (const update of updates) agent.update(sessionId, update);
  };
}
