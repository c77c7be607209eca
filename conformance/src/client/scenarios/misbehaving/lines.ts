import type { ClientScenario } from '../../client-scenario.ts';
import type { PlayedTurn } from '../../client-stage.ts';
import { within } from './misbehaviour.ts';

/** Misbehaviour below the messages. */
export const lines: readonly ClientScenario[] = [
  line('text', 'prints a line of a log among its messages', 'DEBUG: connected to the model'),
  line(
    'control-characters',
    'prints control characters among its messages',
    '\u001b[2J\u001b]0;title\u0007\u0000\u0008',
  ),
  line('blank', 'prints blank lines among its messages', '', '   ', '\t'),
  line('partial', 'prints the beginning of a message and nothing more', '{"jsonrpc":"2.0","method":"session/upd'),
  line('values', 'prints JSON that is not a message', '42', '"text"', 'null', 'true', '[]', '{}'),
  line(
    'batch',
    'sends several messages in one array',
    '[{"jsonrpc":"2.0","method":"_check/one"},{"jsonrpc":"2.0","id":"b","method":"_check/two"}]',
  ),
  line(
    'no-version',
    'leaves out the version of JSON-RPC',
    '{"id":"v","method":"_check/none"}',
    '{"method":"_check/none"}',
  ),
  line(
    'two-in-one',
    'puts two messages into one line',
    '{"jsonrpc":"2.0","method":"_a/b"}{"jsonrpc":"2.0","method":"_a/b"}',
  ),
  line(
    'duplicate-keys',
    'has a key twice in a message',
    '{"jsonrpc":"2.0","method":"_a/b","method":"_c/d","params":{}}',
  ),
  line(
    'prototype',
    'has keys that mean something to the language',
    '{"jsonrpc":"2.0","method":"__proto__","params":{"__proto__":{"polluted":true},"constructor":{"prototype":1}}}',
  ),
  line(
    'half-letters',
    'has half of a surrogate pair in a text',
    '{"jsonrpc":"2.0","method":"_a/b","params":{"text":"\\ud83d"}}',
  ),
  within({
    id: 'line-not-utf8',
    agent: 'sends bytes that are not UTF-8',
    expected: 'survives',
    happens: ({ agent }) => void agent.sendRaw(Buffer.from([0x7b, 0xff, 0xfe, 0xc3, 0x28, 0x7d, 0x0a])),
  }),
  within({
    id: 'line-nul-bytes',
    agent: 'sends a kilobyte of zeros',
    expected: 'survives',
    happens: ({ agent }) => void agent.sendRaw(Buffer.concat([Buffer.alloc(1024), Buffer.from('\n')])),
  }),
  within({
    id: 'line-of-20-megabytes',
    agent: 'sends a line of 20 MB',
    expected: 'survives',
    happens: ({ agent, sessionId }) => void agent.say(sessionId, 'x'.repeat(20 * 1024 * 1024)),
  }),
  within({
    id: 'line-of-40-megabytes',
    agent: 'sends a line of 40 MB',
    expected: 'continues',
    happens: ({ agent, sessionId }) =>
      void agent.update(sessionId, {
        sessionUpdate: 'tool_call',
        toolCallId: 'large',
        title: 'Read',
        rawOutput: 'x'.repeat(40 * 1024 * 1024),
      }),
  }),
  within({
    id: 'line-deep',
    agent: 'sends JSON that is ten thousand levels deep',
    expected: 'survives',
    happens: ({ agent, sessionId }) => {
      const deep = `${'['.repeat(10_000)}${']'.repeat(10_000)}`;
      agent.sendText(
        `{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":${JSON.stringify(sessionId)},` +
          `"update":{"sessionUpdate":"tool_call","toolCallId":"deep","title":"Deep","rawInput":${deep}}}}`,
      );
    },
  }),
  within({
    id: 'line-flood',
    agent: 'sends 100,000 updates at once',
    expected: 'survives',
    happens: flood,
  }),
];

/** Lines as they are, among the messages of a turn. */
function line(id: string, agent: string, ...texts: readonly string[]): ClientScenario {
  return within({
    id: `line-${id}`,
    agent,
    expected: 'survives',
    happens: (turn) => {
      for (const text of texts) turn.agent.sendText(text);
    },
  });
}

function flood({ agent, sessionId }: PlayedTurn): void {
  const update = { sessionUpdate: 'agent_thought_chunk', content: { type: 'text', text: 'so ' } };
  const text = `${JSON.stringify({ jsonrpc: '2.0', method: 'session/update', params: { sessionId, update } })}\n`;
  for (let sent = 0; sent < 100; sent++) agent.sendRaw(Buffer.from(text.repeat(1_000)));
}
