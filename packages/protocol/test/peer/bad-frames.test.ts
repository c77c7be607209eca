import { expect, test } from 'vitest';
import { answer, call, chunk, macrotask, note, readyAgent, readyClient, refusal } from './test-wire.ts';

const batch = 'Invalid request: JSON-RPC batches are not supported: send one message per line';
const noObject = 'Invalid request: expected a JSON object';
const notJson = 'Parse error: the frame is not JSON';
const noAnswer = 'Invalid request: expected a method, or an id with a result or an error';
const badId = 'Invalid request: id must be a string, null or a number of at most 53 bits';
const badMethod = 'Invalid request: method must be a string';
const badVersion = 'Invalid request: jsonrpc must be "2.0"';
const tooDeep = 'Invalid request: nested deeper than 256 levels';
const deep = '['.repeat(100_000) + ']'.repeat(100_000);

/** A frame, what an agent answers, and what a client answers. */
const badFrames: readonly (readonly [
  name: string,
  frame: string,
  agent: readonly unknown[],
  client: readonly unknown[],
])[] = [
  ['text that is no JSON', 'npm WARN deprecated', [refusal(null, -32700, notJson)], []],
  ['a message cut short', '{"jsonrpc":"2.0","id":1,"met', [refusal(null, -32700, notJson)], []],
  ['an empty frame', '', [refusal(null, -32700, notJson)], []],
  ['a NUL before a message', '\u0000{"jsonrpc":"2.0","id":1,"method":"a"}', [refusal(null, -32700, notJson)], []],
  ['null', 'null', [refusal(null, -32600, noObject)], []],
  ['a number', '42', [refusal(null, -32600, noObject)], []],
  ['a string', '"secret"', [refusal(null, -32600, noObject)], []],
  ['a JSON log line', '{"level":30,"msg":"secret"}', [refusal(null, -32600, noAnswer)], []],
  [
    'a batch',
    '[{"jsonrpc":"2.0","id":1,"method":"a"},{"jsonrpc":"2.0","id":2,"method":"a"}]',
    [refusal(null, -32600, batch)],
    [refusal(null, -32600, batch)],
  ],
  ['an empty batch', '[]', [refusal(null, -32600, batch)], [refusal(null, -32600, batch)]],
  [
    'a boolean id',
    '{"jsonrpc":"2.0","id":true,"method":"a"}',
    [refusal(null, -32600, badId)],
    [refusal(null, -32600, badId)],
  ],
  [
    'an object for an id',
    '{"jsonrpc":"2.0","id":{"a":1},"method":"a"}',
    [refusal(null, -32600, badId)],
    [refusal(null, -32600, badId)],
  ],
  [
    'an infinite id',
    '{"jsonrpc":"2.0","id":1e999,"method":"a"}',
    [refusal(null, -32600, badId)],
    [refusal(null, -32600, badId)],
  ],
  [
    'an id no number can hold',
    '{"jsonrpc":"2.0","id":9007199254740993,"method":"a"}',
    [refusal(null, -32600, badId)],
    [refusal(null, -32600, badId)],
  ],
  [
    'a method that is no string',
    '{"jsonrpc":"2.0","id":7,"method":{"secret":1}}',
    [refusal(7, -32600, badMethod)],
    [refusal(7, -32600, badMethod)],
  ],
  [
    'another version',
    '{"jsonrpc":"1.0","id":7,"method":"a"}',
    [refusal(7, -32600, badVersion)],
    [refusal(7, -32600, badVersion)],
  ],
  ['a notification of another version', '{"jsonrpc":"1.0","method":"a"}', [], []],
  ['neither result nor error', '{"jsonrpc":"2.0","id":99}', [refusal(null, -32600, noAnswer)], []],
  ['a list 100,000 deep', deep, [refusal(null, -32600, batch)], [refusal(null, -32600, batch)]],
  [
    'a request whose _meta is 100,000 deep',
    `{"jsonrpc":"2.0","id":"d","method":"_x","params":{"_meta":{"a":${deep}}}}`,
    [refusal('d', -32600, tooDeep)],
    [refusal('d', -32600, tooDeep)],
  ],
  ['a notification 100,000 deep', `{"jsonrpc":"2.0","method":"_x","params":${deep}}`, [], []],
  ['an answer to nothing', '{"jsonrpc":"2.0","id":99,"result":{}}', [], []],
  ['an error with a null id', '{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"Parse error"}}', [], []],
  [
    'an unknown method',
    '{"jsonrpc":"2.0","id":1,"method":"craft/drainMidTurnQueue","params":{"token":"secret"}}',
    ...both([refusal(1, -32601, 'Method not found: craft/drainMidTurnQueue', { method: 'craft/drainMidTurnQueue' })]),
  ],
  ['an unknown notification', '{"jsonrpc":"2.0","method":"craft/anything","params":{}}', [], []],
  ['a cancel of an unknown request', '{"jsonrpc":"2.0","method":"$/cancel_request","params":{"requestId":12}}', [], []],
  ['a cancel that names nothing', '{"jsonrpc":"2.0","method":"$/cancel_request"}', [], []],
];

function both<T>(frames: T): readonly [T, T] {
  return [frames, frames];
}

test.each(badFrames)(
  'an agent that receives %s sends only the expected answers and continues',
  async (_, frame, expected) => {
    const { wire } = await readyAgent({ _x: () => 'still here' });
    wire.feed(frame, call('next', '_x'));
    await macrotask();
    expect(wire.take()).toEqual([...expected, answer('next', 'still here')]);
  },
);

test.each(badFrames)(
  'a client that receives %s sends only the expected answers and continues',
  async (_, frame, __, expected) => {
    const { wire } = await readyClient({ _x: () => 'still here' });
    wire.feed(frame, call('next', '_x'));
    await macrotask();
    expect(wire.take()).toEqual([...expected, answer('next', 'still here')]);
  },
);

const unread = 'Invalid request: it is 99 bytes long, more than is read';

test('an agent answers a message that is too long with an error, unless it is a notification', async () => {
  const { wire } = await readyAgent({});
  for (const excerpt of [
    '{"jsonrpc":"2.0","id":7,"method":"session/prom',
    '{"params":{"a',
    '{"method":"session/cancel","params":{"',
  ])
    wire.warning({ kind: 'oversize', bytes: 99, excerpt });
  wire.warning({ kind: 'noise', bytes: 99, excerpt: '{"jsonrpc":"2.0","id":8,"method":"x' });
  await macrotask();
  expect(wire.take()).toEqual([refusal(7, -32600, unread), refusal(null, -32600, unread)]);
});

test('a call of a client fails when its answer is too long to be read', async () => {
  const { wire, peer } = await readyClient({});
  const [id, listed] = [2, peer.request('session/list', {})];
  const sent = wire.take() as readonly { readonly id: number }[];
  wire.warning({ kind: 'oversize', bytes: 99, excerpt: `{"jsonrpc":"2.0","id":${sent[0]?.id ?? id},"result":{"sess` });
  wire.warning({ kind: 'oversize', bytes: 99, excerpt: '{"params":{"a' });
  await expect(listed).rejects.toThrow('it is 99 bytes long, more than is read');
  expect(wire.take()).toEqual([]);
});

test('an agent quotes nothing of a bad message in its errors', async () => {
  const { wire } = await readyAgent({ 'session/prompt': () => ({ stopReason: 'end_turn' }) });
  const secret = 'hunter2-'.repeat(1_000);
  wire.feed(
    secret,
    JSON.stringify([secret]),
    JSON.stringify(secret),
    { jsonrpc: secret, id: 1, method: secret },
    { jsonrpc: '2.0', id: 2, method: { secret } },
    { jsonrpc: '2.0', id: { secret }, method: 'session/new' },
    { jsonrpc: '2.0', [secret]: secret },
    call(3, 'session/new', { cwd: secret, mcpServers: [{ name: secret, env: secret }] }),
    call(4, 'session/prompt', { sessionId: { secret }, prompt: [{ type: secret }] }),
    call(5, 'session/prompt', { sessionId: 's', prompt: secret }),
    call(6, 'authenticate', { methodId: [secret] }),
    call(7, secret),
    note('session/cancel', { sessionId: { secret } }),
    '{"jsonrpc":"2.0","id":8,"method":"session/new","params":{"cwd":"hunter2',
  );
  await macrotask();
  expect(wire.sent.length).toBe(13);
  expect(wire.sent.filter((frame) => frame.includes('hunter2'))).toEqual([]);
});

test('a client ignores 20,000 lines of noise while the agent does not read, and gets the answer behind them', async () => {
  const { wire, peer } = await readyClient();
  const created = peer.request('session/new', { cwd: '/', mcpServers: [] });
  wire.room = new Promise(() => undefined);
  wire.take();
  for (let line = 0; line < 20_000; line++)
    wire.feed(line % 2 === 0 ? `[INFO] line ${line}` : JSON.stringify({ level: 'info', line }));
  wire.feed(answer(1, { sessionId: 's' }));
  expect(await created).toEqual({ sessionId: 's' });
  expect(wire.take()).toEqual([]);
});

test('an agent sends no more errors about noise while its errors are not read, and answers again afterwards', async () => {
  const { wire } = await readyAgent({ _x: () => 1 });
  let drain!: () => void;
  wire.room = new Promise<void>((resolve) => (drain = resolve));
  wire.feed(...Array.from({ length: 5_000 }, () => 'noise'));
  await macrotask();
  expect(wire.take()).toEqual([refusal(null, -32700, notJson)]);
  wire.room = undefined;
  drain();
  await macrotask();
  wire.feed('noise', call(1, '_x'));
  await macrotask();
  expect(wire.take()).toEqual([refusal(null, -32700, notJson), answer(1, 1)]);
});

test('an update with a bad optional field arrives repaired, and only an update with a bad required field is dropped', async () => {
  const updates: unknown[] = [];
  const { wire } = await readyClient({ 'session/update': ({ update }) => void updates.push(update) });
  wire.feed(
    note('session/update', {
      sessionId: 's',
      update: { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text: 'a' }, messageId: 5 },
    }),
    note('session/update', { sessionId: 's', update: { sessionUpdate: 'agent_message_chunk', content: 'b' } }),
    note('session/update', { update: 5 }),
    note('session/update'),
    chunk('s', 'c'),
  );
  await macrotask();
  expect(updates).toEqual([
    { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text: 'a' } },
    { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text: 'c' } },
  ]);
  expect(wire.take()).toEqual([]);
});

test('an update of an unknown kind reaches the handler unchanged', async () => {
  const seen: unknown[] = [];
  const { wire } = await readyClient({ 'session/update': (params) => void seen.push(params) });
  const future = {
    sessionId: 's',
    update: { sessionUpdate: 'x_future', content: 5, entries: [{ a: null }] },
    extra: [1],
    _meta: { 'a.b/c': { d: [null] } },
  };
  wire.feed(note('session/update', future));
  await macrotask();
  expect(seen).toEqual([future]);
});

const nothing =
  'Invalid params: cwd: expected an absolute path, received nothing; mcpServers: expected a list, received nothing';

test.each([
  ['no cwd', { mcpServers: [] }, 'Invalid params: cwd: expected an absolute path, received nothing'],
  [
    'a relative cwd',
    { cwd: 'rel', mcpServers: [] },
    'Invalid params: cwd: expected an absolute path, received a relative path',
  ],
  [
    'mcpServers that are text',
    { cwd: '/', mcpServers: 'x' },
    'Invalid params: mcpServers: expected a list, received a string',
  ],
  ['params that are a list', ['/', []], 'Invalid params: expected an object, received a list'],
  ['params that are a number', 5, 'Invalid params: expected an object, received a number'],
  ['null params', null, nothing],
  ['no params', undefined, nothing],
])('session/new with %s is refused with -32602 naming the path', async (_, params, message) => {
  const { wire } = await readyAgent({ 'session/new': () => ({ sessionId: 'never' }) });
  wire.feed({ jsonrpc: '2.0', id: 1, method: 'session/new', ...(params === undefined ? {} : { params }) });
  await macrotask();
  expect(wire.take()).toEqual([refusal(1, -32602, message)]);
});

test('mcpServers that are null are read as an empty list', async () => {
  const seen: unknown[] = [];
  const { wire } = await readyAgent({
    'session/new': (params) => {
      seen.push(params);
      return { sessionId: 's' };
    },
  });
  wire.feed(call(1, 'session/new', { cwd: '/', mcpServers: null }));
  await macrotask();
  expect({ seen, sent: wire.take() }).toEqual({
    seen: [{ cwd: '/', mcpServers: [] }],
    sent: [answer(1, { sessionId: 's' })],
  });
});

test('requests with ids of every kind are answered with the same id, and 1 and "1" can run side by side', async () => {
  const ids = [0, '', null, -1, 1.5, '1', 1, '0', Number.MAX_SAFE_INTEGER, 'x'.repeat(1_024)];
  const { wire } = await readyAgent({ _x: async () => 'done' });
  wire.feed(...ids.map((id) => call(id, '_x')));
  await macrotask();
  expect(wire.take()).toEqual(ids.map((id) => answer(id, 'done')));
});

test('a request whose id or method name is longer than the limit is refused', async () => {
  const { wire } = await readyAgent({ _x: () => 'done' }, { limits: { idLength: 8 } });
  wire.feed(call('123456789', '_x'), call(1, '_xxxxxxxx'));
  await macrotask();
  expect(wire.take()).toEqual([
    refusal('123456789', -32600, 'Invalid request: id is longer than 8 characters'),
    refusal(1, -32600, 'Invalid request: method is longer than 8 characters'),
  ]);
});

test('a second request with the id of a running one is refused, and the first still gets its answer', async () => {
  let release!: (value: string) => void;
  const { wire } = await readyAgent({ _x: () => new Promise((resolve) => (release = resolve)) });
  wire.feed(call(1, '_x'), call(1, '_x'));
  await macrotask();
  release('first');
  await macrotask();
  wire.feed(call(1, '_x'));
  await macrotask();
  release('again');
  await macrotask();
  expect(wire.take()).toEqual([
    refusal(1, -32600, 'Invalid request: a request with this id is still running'),
    answer(1, 'first'),
    answer(1, 'again'),
  ]);
});

test('a request is refused while the running requests hold too much text', async () => {
  const release: ((value: unknown) => void)[] = [];
  const { wire } = await readyAgent(
    { _x: () => new Promise((resolve) => release.push(resolve)) },
    { limits: { heldTextHard: 1_000 } },
  );
  const large = call(1, '_x', { text: 'a'.repeat(900) });
  wire.feed(large, call(2, '_x', { text: 'b'.repeat(100) }));
  await macrotask();
  release[0]?.('one');
  await macrotask();
  wire.feed(call(3, '_x'));
  await macrotask();
  release[1]?.('three');
  await macrotask();
  const size = JSON.stringify(large).length;
  expect(wire.take()).toEqual([
    refusal(2, -32603, `Too much at once: ${size} characters are being handled`),
    answer(1, 'one'),
    answer(3, 'three'),
  ]);
});

test('requests beyond the limit of running requests are refused, and an answer makes room for another', async () => {
  const release: ((value: unknown) => void)[] = [];
  const { wire } = await readyAgent(
    { _x: () => new Promise((resolve) => release.push(resolve)) },
    { limits: { incomingRequests: 2 } },
  );
  wire.feed(call(1, '_x'), call(2, '_x'), call(3, '_x'));
  await macrotask();
  release[0]?.('one');
  await macrotask();
  wire.feed(call(4, '_x'));
  await macrotask();
  release[1]?.('two');
  release[2]?.('four');
  await macrotask();
  expect(wire.take()).toEqual([
    refusal(3, -32603, 'Too much at once: 2 requests are running'),
    answer(1, 'one'),
    answer(2, 'two'),
    answer(4, 'four'),
  ]);
});

test('a request sent as a notification is dropped; a notification sent as a request is refused', async () => {
  const seen: string[] = [];
  const { wire } = await readyAgent({
    'session/new': () => {
      seen.push('session/new');
      return { sessionId: 's' };
    },
    'session/cancel': () => void seen.push('session/cancel'),
  });
  wire.feed(
    note('session/new', { cwd: '/', mcpServers: [] }),
    call(1, 'session/cancel', { sessionId: 's' }),
    call(2, '$/cancel_request', { requestId: 1 }),
  );
  await macrotask();
  expect({ seen, sent: wire.take() }).toEqual({
    seen: [],
    sent: [
      refusal(1, -32600, 'Invalid request: session/cancel is a notification: send it without an id'),
      refusal(2, -32601, 'Method not found: $/cancel_request', { method: '$/cancel_request' }),
    ],
  });
});

test('invalid notifications are never answered', async () => {
  const { wire } = await readyAgent({ 'session/cancel': () => undefined });
  wire.feed(
    note('session/cancel'),
    note('session/cancel', 5),
    note('session/cancel', { sessionId: [] }),
    note('nobody/knows', [1]),
    note('session/prompt', {}),
    note('_x'),
  );
  await macrotask();
  expect(wire.take()).toEqual([]);
});
