import { type LogEntry, requestCancelled } from '@turnwire/protocol';
import { expect, test } from 'vitest';
import { answer, call, chunk, macrotask, note, outcome, readyAgent, readyClient, refusal } from '../peer/test-wire.ts';

const secret = 'hunter2-marker';

/** Everything an entry holds, the message included, as text. */
function whole(entry: LogEntry): string {
  const { message, error, ...rest } = entry;
  return JSON.stringify({
    ...rest,
    level: entry.level,
    event: entry.event,
    direction: entry.direction,
    method: entry.method,
    id: entry.id,
    size: entry.size,
    message,
    error,
  });
}

function plain({ level, event, direction, method, id, size, detail }: LogEntry): unknown {
  return Object.fromEntries(
    Object.entries({ level, event, direction, method, id, size, detail }).filter(([, value]) => value !== undefined),
  );
}

test('every message, sent or received, is logged with its method, id, size and redacted content', async () => {
  const entries: LogEntry[] = [];
  const { wire, peer } = await readyClient(
    { 'session/update': () => undefined },
    { log: (entry) => void entries.push(entry) },
  );
  entries.length = 0;
  const prompted = peer.request('session/prompt', { sessionId: 's', prompt: [{ type: 'text', text: secret }] });
  wire.feed(chunk('s', 'a'), answer(1, { stopReason: 'end_turn' }));
  await prompted;
  await peer.notify('session/cancel', { sessionId: 's' });
  const frames = [
    call(1, 'session/prompt', { sessionId: 's', prompt: [{ type: 'text', text: secret }] }),
    chunk('s', 'a'),
    answer(1, { stopReason: 'end_turn' }),
    note('session/cancel', { sessionId: 's' }),
  ];
  const size = (index: number): number => JSON.stringify(frames[index]).length;
  expect(entries.map(plain)).toEqual([
    { level: 'debug', event: 'message', direction: 'out', method: 'session/prompt', id: 1, size: size(0) },
    { level: 'debug', event: 'message', direction: 'in', method: 'session/update', size: size(1) },
    { level: 'debug', event: 'message', direction: 'in', id: 1, size: size(2) },
    { level: 'debug', event: 'message', direction: 'out', method: 'session/cancel', size: size(3) },
  ]);
  expect(entries.map((entry) => entry.message)).toEqual([
    call(1, 'session/prompt', { sessionId: 's', prompt: '[redacted, 1 items]' }),
    ...frames.slice(1),
  ]);
});

test('a dropped or repaired message is logged with the reason, and a wrong field with its path and types', async () => {
  const entries: LogEntry[] = [];
  const { wire, peer } = await readyClient(
    { 'session/update': () => undefined },
    { log: (entry) => void (entry.level !== 'debug' && entries.push(entry)) },
  );
  const named = peer.request('session/list', {});
  wire.feed(
    'noise',
    '{"jsonrpc":"2.0"}',
    note('nobody/knows'),
    note('session/update', { sessionId: 5 }),
    note('session/update', {
      sessionId: 's',
      update: { sessionUpdate: 'tool_call', toolCallId: 't', title: 'x', kind: 'weird' },
    }),
    answer(7, {}),
    answer(1, { sessions: [5] }),
  );
  wire.warning({ kind: 'noise', bytes: 5, excerpt: 'hello' });
  wire.warning({ kind: 'oversize', bytes: 70_000_000, excerpt: '{"jsonrpc"' });
  await named;
  expect(entries.map(plain)).toEqual([
    { level: 'warn', event: 'noise', direction: 'in', size: 5 },
    { level: 'warn', event: 'oversize', direction: 'in', size: 70_000_000 },
    {
      level: 'warn',
      event: 'a malformed message was dropped',
      direction: 'in',
      id: null,
      detail: 'it is 70000000 bytes long, more than is read',
    },
    {
      level: 'warn',
      event: 'a frame was dropped',
      direction: 'in',
      size: 5,
      detail: 'Parse error: the frame is not JSON',
    },
    {
      level: 'warn',
      event: 'a malformed message was dropped',
      direction: 'in',
      id: null,
      detail: 'expected a method, or an id with a result or an error',
    },
    {
      level: 'info',
      event: 'a notification was dropped',
      direction: 'in',
      method: 'nobody/knows',
      detail: 'there is no handler for it',
    },
    {
      level: 'warn',
      event: 'a notification was dropped',
      direction: 'in',
      method: 'session/update',
      detail: expect.stringMatching(/^sessionId: expected a string, received a number/) as string,
    },
    {
      level: 'info',
      event: 'a message was repaired',
      direction: 'in',
      method: 'session/update',
      detail: expect.stringMatching(/^update\.kind: expected .*, received another string$/) as string,
    },
    { level: 'warn', event: 'an answer without a waiting request', direction: 'in', id: 7 },
    {
      level: 'warn',
      event: 'an answer was repaired',
      direction: 'in',
      method: 'session/list',
      detail: 'sessions[0]: expected an object, received a number',
    },
  ]);
});

test('no environment value, header, credential, token or prompt text gets into the log, even if a message is malformed or refused', async () => {
  const entries: LogEntry[] = [];
  const log = (entry: LogEntry): void => void entries.push(entry);
  const env = [{ name: 'KEY', value: secret }];
  const mcpServers = [
    { name: 'a', command: '/b', args: [], env },
    { type: 'http' as const, name: 'c', url: 'https://c', headers: env },
  ];
  const credentials = { apiKey: secret, accessToken: secret, password: secret, nested: [{ client_secret: secret }] };
  const prompt = [{ type: 'text' as const, text: secret }];

  const client = await readyClient({}, { log, authMethods: [{ id: 'a', name: 'A' }] });
  void outcome(client.peer.request('session/new', { cwd: '/', mcpServers }));
  void outcome(client.peer.request('session/prompt', { sessionId: 's', prompt }));
  void outcome(client.peer.request('authenticate', { methodId: 'a', _meta: credentials }));
  void outcome(
    client.peer.request('session/prompt', { sessionId: 's', prompt: [{ type: secret, text: secret }] as never }),
  );
  client.wire.feed(
    answer(1, { sessionId: 's', _meta: { token: secret } }),
    refusal(2, -32603, 'x', { headers: { authorization: secret } }),
    answer(3, null),
  );
  client.wire.feed(
    `{"jsonrpc":"2.0","id":1,"result":{"token":"${secret}"`,
    `env ${secret}`,
    JSON.stringify([{ env }]),
    JSON.stringify({ credentials }),
  );
  client.wire.warning({ kind: 'noise', bytes: 99, excerpt: `KEY=${secret}` });
  client.wire.warning({ kind: 'truncated', bytes: 99, excerpt: `{"env":"${secret}` });
  client.wire.warning({ kind: 'oversize', bytes: 99, excerpt: `{"env":"${secret}` });

  const agent = await readyAgent(
    {
      'session/new': () => ({ sessionId: 's' }),
      'session/prompt': async ({ prompt: said }, { peer }) => {
        await peer.request('terminal/create', { sessionId: 's', command: 'ls', env });
        await peer.notify('session/update', {
          sessionId: 's',
          update: { sessionUpdate: 'user_message_chunk', content: said[0]! },
        });
        throw requestCancelled();
      },
    },
    { log },
  );
  agent.wire.feed(
    call(1, 'session/new', { cwd: '/', mcpServers }),
    call(2, 'session/new', { cwd: '', mcpServers: { env } }),
    call(3, 'session/prompt', { sessionId: 's', prompt }),
    call(4, 'session/prompt', { sessionId: [], prompt }),
    call(5, 'authenticate', { methodId: 'x', credentials, _meta: credentials }),
    answer(0, { terminalId: 't' }),
    note('session/cancel', { sessionId: credentials }),
  );
  await macrotask();
  expect(entries.map(whole).filter((text) => text.includes(secret))).toEqual([]);
  expect(entries.length).toBeGreaterThan(25);
});

test('a log entry that is serialized holds no secret, and its message is redacted when it is read', async () => {
  const entries: LogEntry[] = [];
  const { peer } = await readyClient({}, { log: (entry) => void entries.push(entry) });
  entries.length = 0;
  await peer.notify('_x', { token: secret });
  expect(JSON.stringify(entries)).not.toContain(secret);
  expect(entries[0]?.message).toEqual(note('_x', { token: '[redacted, 14 characters]' }));
});

test('a peer answers as usual when its log function throws', async () => {
  const { wire, peer } = await readyAgent(
    { _x: () => 'fine', _y: () => Promise.reject(new Error('x')) },
    {
      log: () => {
        throw new Error('the disk is full');
      },
    },
  );
  const asked = peer.request('_z');
  wire.feed('noise', call(1, '_x'), call(2, '_y'), answer(0, 'z'), call(1, '_x'));
  expect(await asked).toBe('z');
  await macrotask();
  expect(wire.take()).toEqual([
    call(0, '_z', {}),
    refusal(null, -32700, 'Parse error: the frame is not JSON'),
    answer(1, 'fine'),
    answer(1, 'fine'),
    refusal(2, -32603, 'Internal error while handling _y'),
  ]);
});

test('a peer without a log writes nothing to stdout or stderr when messages or handlers fail', async () => {
  const written: unknown[] = [];
  const streams = [process.stdout, process.stderr] as const;
  const originals = streams.map((stream) => stream.write.bind(stream));
  for (const stream of streams) stream.write = (text: unknown) => Boolean(written.push(text));
  try {
    const { wire } = await readyAgent({ _x: () => Promise.reject(new Error('x')), _y: () => 1n });
    wire.feed(
      'noise',
      '[]',
      call(1, '_x'),
      call(2, '_y'),
      call(3, 'nobody/knows'),
      note('nobody/knows'),
      answer(9, 1),
      call(4, 'session/new', 5),
    );
    wire.warning({ kind: 'noise', bytes: 5, excerpt: 'hello' });
    await macrotask();
    expect(wire.sent.length).toBe(6);
  } finally {
    streams.forEach((stream, index) => (stream.write = originals[index]!));
  }
  expect(written).toEqual([]);
});
