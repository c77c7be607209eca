import { v1 } from '@turnwire/protocol';
import { expect, test } from 'vitest';
import { WireCheck } from '../src/self-check/wire-check.ts';
import { pair } from './agent-pair.ts';

const sessionId = 's';
const update = (change: object): object => ({ method: 'session/update', params: { sessionId, update: change } });
const say = update({ sessionUpdate: 'agent_message_chunk', content: { type: 'text', text: 'hello' } });
const call = update({ sessionUpdate: 'tool_call', toolCallId: 'c', title: 'Look' });
const done = update({ sessionUpdate: 'tool_call_update', toolCallId: 'c', status: 'completed' });
const commands = update({ sessionUpdate: 'available_commands_update', availableCommands: [] });
const begin = [
  ['in', { id: 1, method: 'session/new', params: { cwd: '/', mcpServers: [] } }],
  ['out', { id: 1, result: { sessionId } }],
] as const;
const ask = ['in', { id: 2, method: 'session/prompt', params: { sessionId, prompt: [] } }] as const;
const cancel = ['in', { method: 'session/cancel', params: { sessionId } }] as const;
const load = ['in', { id: 3, method: 'session/load', params: { sessionId, cwd: '/', mcpServers: [] } }] as const;
const secondLoad = ['in', { id: 4, method: 'session/load', params: { sessionId, cwd: '/', mcpServers: [] } }] as const;
const loaded = ['out', { id: 3, result: {} }] as const;
const answer = (stopReason: string) => ['out', { id: 2, result: { stopReason } }] as const;
const compaction = (sessionUpdate: string, more: object): object =>
  update({ sessionUpdate, compactionId: 'k', ...more });

type Step = readonly ['in' | 'out', object];

/** What is found wrong with a conversation. */
function violations(steps: readonly Step[]): readonly string[] {
  const found: string[] = [];
  const check = new WireCheck(v1, (violation) => void found.push(violation));
  for (const [way, message] of steps) {
    const frame = JSON.stringify({ jsonrpc: '2.0', ...message });
    if (way === 'in') check.incoming(frame);
    else check.outgoing(frame);
  }
  return found;
}

test.each<readonly [string, readonly Step[]]>([
  ['a turn', [...begin, ['out', commands], ask, ['out', say], ['out', call], ['out', done], answer('end_turn')]],
  ['a cancelled turn', [...begin, ask, cancel, answer('cancelled')]],
  ['a cancel behind the answer', [...begin, ask, answer('end_turn'), cancel]],
  [
    'a prompt that is taken back while an older one runs',
    [
      ...begin,
      ask,
      ['out', call],
      ['in', { id: 8, method: 'session/prompt', params: { sessionId, prompt: [] } }],
      ['out', { id: 8, result: { stopReason: 'cancelled' } }],
      ['out', done],
      answer('end_turn'),
    ],
  ],
  ['a load', [load, ['out', call], ['out', done], ['out', { id: 3, result: {} }], ['out', commands]]],
  [
    'a prompt that is refused, and a cancel on its way',
    [...begin, ask, cancel, ['out', { id: 2, error: { code: -32600, message: 'too many wait' } }]],
  ],
  [
    'a load while a turn runs, whose calls end first and are told again',
    [...begin, ask, ['out', call], load, ['out', done], answer('cancelled'), ['out', call], ['out', done], loaded],
  ],
  [
    'a second load that is refused while the first tells the past',
    [load, secondLoad, ['out', { id: 4, error: { code: 1, message: '' } }], ['out', call], ['out', done], loaded],
  ],
  [
    'a terminal that came late and is given back',
    [
      ...begin,
      ['in', { id: 5, method: 'session/close', params: { sessionId } }],
      ['out', { id: 5, result: {} }],
      ['out', { id: 6, method: 'terminal/release', params: { sessionId, terminalId: 't' } }],
    ],
  ],
  ['a message nobody could read', [['out', { id: null, error: { code: -32700, message: 'no' } }]]],
])('%s breaks no rule', (_, steps) => {
  expect(violations(steps)).toEqual([]);
});

test.each<readonly [string, readonly Step[]]>([
  ['agent_message_chunk outside of a turn', [...begin, ['out', say]]],
  ['agent_message_chunk for a session that was not set up', [['out', say]]],
  [
    'fs/read_text_file for a session that was not set up',
    [['out', { id: 9, method: 'fs/read_text_file', params: { sessionId, path: '/a' } }]],
  ],
  ['commands before the answer that sets the session up', [load, ['out', commands]]],
  ['a tool call was announced twice', [...begin, ask, ['out', call], ['out', call]]],
  ['a tool call was updated without being announced', [...begin, ask, ['out', done]]],
  ['a tool call was updated after it ended', [...begin, ask, ['out', call], ['out', done], ['out', done]]],
  ['a tool call outlived the answer to its prompt', [...begin, ask, ['out', call], answer('end_turn')]],
  ['a tool call outlived the answer that set up its session', [load, ['out', call], ['out', { id: 3, result: {} }]]],
  ['a cancelled prompt was answered end_turn', [...begin, ask, cancel, answer('end_turn')]],
  [
    'a cancelled prompt was answered error',
    [...begin, ask, cancel, ['out', { id: 2, error: { code: 1, message: '' } }]],
  ],
  [
    'a compaction was still open when its prompt was answered',
    [...begin, ask, ['out', compaction('compaction_update', { status: 'in_progress' })], answer('end_turn')],
  ],
  [
    'a compaction was updated after it ended',
    [
      ...begin,
      ask,
      ['out', compaction('compaction_update', { status: 'failed' })],
      ['out', compaction('compaction_update', { status: 'failed' })],
    ],
  ],
  [
    'a compaction summary was sent before the compaction started',
    [...begin, ask, ['out', compaction('compaction_summary_chunk', { content: { type: 'text', text: '' } })]],
  ],
  ['an answer without a request: 7', [['out', { id: 7, result: {} }]]],
  ['the result of session/prompt do not fit the schema', [...begin, ask, answer('whenever')]],
  ['the params of session/update do not fit the schema', [...begin, ask, ['out', update({ sessionUpdate: 'plan' })]]],
])('%s is reported as a violation', (violation, steps) => {
  expect(violations(steps)).toEqual([violation]);
});

test('violations are logged if no other receiver is set', async () => {
  const { client, logged } = await pair(
    {
      extensions: {
        '_test/stray': (_, { peer }) =>
          peer.notify('session/update', { sessionId: 'x', update: { sessionUpdate: 'plan', entries: [] } }),
      },
    },
    { selfCheck: true },
  );
  await client.request('_test/stray', {});
  expect(logged).toEqual([
    {
      level: 'error',
      event: 'the agent broke a rule of the protocol',
      detail: 'plan for a session that was not set up',
    },
  ]);
});
