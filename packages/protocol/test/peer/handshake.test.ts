import { connectAgent, connectClient, keptValue, type Params } from '@turnwire/protocol';
import { expect, test } from 'vitest';
import {
  answer,
  call,
  chunk,
  deferred,
  initialize,
  macrotask,
  note,
  outcome,
  readyAgent,
  readyClient,
  refusal,
  TestWire,
} from './test-wire.ts';

const early = (method: string): string => `Invalid request: ${method} came before initialize was answered`;

test('before initialize an agent refuses requests, drops notifications and answers extensions', async () => {
  const wire = new TestWire();
  const seen: string[] = [];
  connectAgent(wire, {
    'session/new': () => ({ sessionId: 's' }),
    'session/cancel': () => void seen.push('cancel'),
    _x: () => 'extension',
  });
  wire.feed(
    call(1, 'session/new', { cwd: '/', mcpServers: [] }),
    call(2, 'nobody/knows'),
    note('session/cancel', { sessionId: 's' }),
    call(3, '_x'),
    call(4, 'initialize', { protocolVersion: 1 }),
  );
  await macrotask();
  expect({ seen, sent: wire.take() }).toEqual({
    seen: [],
    sent: [
      refusal(1, -32600, early('session/new')),
      refusal(2, -32600, early('nobody/knows')),
      answer(3, 'extension'),
      refusal(4, -32601, 'Method not found: initialize', { method: 'initialize' }),
    ],
  });
});

test('a client refuses requests and drops updates of an agent that has not answered initialize yet', async () => {
  const wire = new TestWire();
  const seen: unknown[] = [];
  const peer = connectClient(wire, {
    'session/update': (params) => void seen.push(params),
    'fs/read_text_file': () => ({ content: '' }),
  });
  const ready = peer.request('initialize', { protocolVersion: 1, clientCapabilities: { fs: { readTextFile: true } } });
  const read = call(7, 'fs/read_text_file', { sessionId: 's', path: '/a' });
  wire.feed(chunk('s', 'too early'), read, answer(0, { protocolVersion: 1 }), read);
  await ready;
  await macrotask();
  expect({ seen, sent: wire.take() }).toEqual({
    seen: [],
    sent: [
      call(0, 'initialize', { protocolVersion: 1, clientCapabilities: { fs: { readTextFile: true } } }),
      refusal(7, -32600, early('fs/read_text_file')),
      answer(7, { content: '' }),
    ],
  });
});

test('a client can send only initialize and extensions before initialize is answered', async () => {
  const wire = new TestWire();
  const peer = connectClient(wire, {});
  const setup = { cwd: '/', mcpServers: [] } as const;
  const refused = (method: string): unknown => ({
    code: 'not-initialized',
    message: `${method} was not sent: ${method} came before initialize was answered`,
  });
  const before = [
    outcome(peer.request('session/new', setup)),
    outcome(peer.notify('session/cancel', { sessionId: 's' })),
  ];
  const ready = peer.request('initialize', { protocolVersion: 1 });
  const during = [
    outcome(peer.request('session/new', setup)),
    outcome(peer.request('initialize', { protocolVersion: 1 })),
  ];
  void peer.notify('_x');
  wire.feed(answer(0, { protocolVersion: 1 }));
  await ready;
  const again = 'initialize comes first, and only once';
  expect(await Promise.all([...before, ...during])).toEqual([
    refused('session/new'),
    refused('session/cancel'),
    refused('session/new'),
    { code: 'not-initialized', message: `initialize was not sent: ${again}` },
  ]);
  expect(await outcome(peer.request('initialize', { protocolVersion: 1 }))).toEqual({
    code: 'not-initialized',
    message: `initialize was not sent: ${again}`,
  });
  expect(wire.take()).toEqual([call(0, 'initialize', { protocolVersion: 1 }), note('_x', {})]);
});

test('an agent cannot send updates to its client before it has answered initialize', async () => {
  const wire = new TestWire();
  const go = deferred();
  let during: unknown;
  const peer = connectAgent(wire, {
    initialize: async ({ protocolVersion }, context) => {
      during = await outcome(
        context.peer.notify('session/update', { sessionId: 's', update: { sessionUpdate: 'plan', entries: [] } }),
      );
      await go.promise;
      return { protocolVersion };
    },
  });
  wire.feed(initialize);
  await macrotask();
  go.resolve();
  await macrotask();
  expect({ during, remote: peer.remote, sent: wire.take() }).toEqual({
    during: {
      code: 'not-initialized',
      message: 'session/update was not sent: session/update came before initialize was answered',
    },
    remote: { protocolVersion: 1 },
    sent: [answer('init', { protocolVersion: 1 })],
  });
});

test('messages that a client sends in one chunk with initialize are handled after it, in order', async () => {
  const wire = new TestWire();
  const go = deferred();
  const seen: string[] = [];
  connectAgent(wire, {
    initialize: async () => {
      await go.promise;
      return { protocolVersion: 1 };
    },
    'session/new': () => {
      seen.push('new');
      return { sessionId: 's' };
    },
    'session/prompt': ({ sessionId }) => {
      seen.push(`prompt ${sessionId}`);
      return { stopReason: 'end_turn' };
    },
    'session/cancel': ({ sessionId }) => void seen.push(`cancel ${sessionId}`),
  });
  wire.feed(
    initialize,
    call(1, 'session/new', { cwd: '/', mcpServers: [] }),
    call(2, 'session/prompt', { sessionId: 's', prompt: [] }),
    note('session/cancel', { sessionId: 's' }),
    '{',
    call(3, 'x'),
  );
  await macrotask();
  expect({ seen, sent: wire.take() }).toEqual({
    seen: [],
    sent: [refusal(null, -32700, 'Parse error: the frame is not JSON')],
  });
  go.resolve();
  await macrotask();
  expect({ seen, sent: wire.take() }).toEqual({
    seen: ['new', 'prompt s', 'cancel s'],
    sent: [
      answer('init', { protocolVersion: 1 }),
      answer(1, { sessionId: 's' }),
      answer(2, { stopReason: 'end_turn' }),
      refusal(3, -32601, 'Method not found: x', { method: 'x' }),
    ],
  });
});

test('a cancel that is queued behind initialize reaches its request, and a cancel of initialize itself does not wait', async () => {
  const wire = new TestWire();
  const events: string[] = [];
  connectAgent(wire, {
    initialize: async (_, { signal }) => {
      await new Promise((resolve) => signal.addEventListener('abort', resolve));
      events.push('initialize aborted');
      return { protocolVersion: 1 };
    },
    'session/new': async (_, { signal }) => {
      await new Promise((resolve) => signal.addEventListener('abort', resolve));
      events.push('session/new aborted');
      return { sessionId: 's' };
    },
  });
  wire.feed(
    initialize,
    call(1, 'session/new', { cwd: '/', mcpServers: [] }),
    note('$/cancel_request', { requestId: 1 }),
    note('$/cancel_request', { requestId: 'init' }),
  );
  await macrotask();
  expect({ events, sent: wire.take() }).toEqual({
    events: ['initialize aborted', 'session/new aborted'],
    sent: [answer('init', { protocolVersion: 1 }), answer(1, { sessionId: 's' })],
  });
});

test('a second initialize is refused and changes nothing', async () => {
  let calls = 0;
  const { wire, peer } = await readyAgent({
    initialize: () => {
      calls++;
      return { protocolVersion: 1 };
    },
    'session/prompt': () => ({ stopReason: 'end_turn' }),
  });
  wire.feed(
    { ...initialize, params: { protocolVersion: 1, clientInfo: { name: 'other', version: '1' } } },
    call(2, 'session/prompt', { sessionId: 's', prompt: [] }),
  );
  await macrotask();
  expect({ calls, info: peer.remote?.clientInfo, sent: wire.take() }).toEqual({
    calls: 1,
    info: undefined,
    sent: [
      refusal('init', -32600, 'Invalid request: initialize comes first, and only once'),
      answer(2, { stopReason: 'end_turn' }),
    ],
  });
});

test('an initialize that failed may be tried again, even within one chunk', async () => {
  const wire = new TestWire();
  let tries = 0;
  connectAgent(wire, {
    initialize: async ({ protocolVersion }) => {
      await macrotask();
      if (++tries === 1) throw new Error('not yet');
      return { protocolVersion };
    },
    'session/new': () => ({ sessionId: 's' }),
  });
  wire.feed(initialize, { ...initialize, id: 2 }, call(3, 'session/new', { cwd: '/', mcpServers: [] }));
  expect(await wire.frames(3)).toEqual([
    refusal('init', -32603, 'Internal error while handling initialize'),
    answer(2, { protocolVersion: 1 }),
    answer(3, { sessionId: 's' }),
  ]);
});

test.each<[string, unknown]>([
  ['an error', new Error('x')],
  ['nothing', undefined],
  ['a version that is text', { protocolVersion: '1' }],
])('an agent whose initialize handler ends in %s is not initialized', async (_, end) => {
  const wire = new TestWire();
  connectAgent(wire, {
    initialize: () => {
      if (end instanceof Error) throw end;
      return end as never;
    },
    'session/new': () => ({ sessionId: 's' }),
  });
  wire.feed(initialize, call(3, 'session/new', { cwd: '/', mcpServers: [] }));
  await macrotask();
  expect(wire.take()).toEqual([
    { jsonrpc: '2.0', id: 'init', error: { code: -32603, message: expect.any(String) as string } },
    refusal(3, -32600, early('session/new')),
  ]);
});

test.each([[70_000], [-1], ['1'], [1.5], [null], [undefined]])(
  'initialize with version %j is refused',
  async (protocolVersion) => {
    const wire = new TestWire();
    connectAgent(wire, { initialize: () => ({ protocolVersion: 1 }) });
    wire.feed({ ...initialize, params: { protocolVersion } });
    await macrotask();
    expect(wire.take()).toEqual([
      {
        jsonrpc: '2.0',
        id: 'init',
        error: {
          code: -32602,
          message: expect.stringMatching(
            /^Invalid params: protocolVersion: expected an integer from 0 to 65535, received /,
          ) as string,
        },
      },
    ]);
  },
);

test.each<[string, object, string]>([
  [
    'a newer version',
    { protocolVersion: 2, agentInfo: { name: 'Future', version: '9' } },
    'Future speaks protocol version 2; this client speaks version 1. The connection was closed: update the older one.',
  ],
  [
    'version 0',
    { protocolVersion: 0 },
    'The agent speaks protocol version 0; this client speaks version 1. The connection was closed: update the older one.',
  ],
])(
  'a client whose initialize is answered with %s fails with a version mismatch and closes',
  async (_, result, message) => {
    const wire = new TestWire();
    const peer = connectClient(wire, {});
    const ready = outcome(peer.request('initialize', { protocolVersion: 1 }));
    wire.feed(answer(0, result));
    expect(await ready).toEqual({ code: 'version-mismatch', message });
    expect({ closed: await peer.closed, wire: wire.isClosed }).toEqual({ closed: { by: 'local' }, wire: true });
    expect(await outcome(peer.request('session/new', { cwd: '/', mcpServers: [] }))).toEqual({
      code: 'connection-closed',
      message: 'session/new was not sent: the connection is closed',
    });
  },
);

test('a client whose initialize is answered with an error may try again on the same connection', async () => {
  const wire = new TestWire();
  const peer = connectClient(wire, {});
  const first = outcome(peer.request('initialize', { protocolVersion: 1 }));
  wire.feed(refusal(0, -32603, 'not yet'));
  expect(await first).toEqual({ code: -32603, message: 'not yet' });
  const second = peer.request('initialize', { protocolVersion: 1 });
  wire.feed(answer(1, { protocolVersion: 1 }));
  expect(await second).toEqual({ protocolVersion: 1 });
  expect(peer.remote).toEqual({ protocolVersion: 1 });
});

test('each side can read the description that the other sent in initialize, including unknown keys', async () => {
  const said = {
    protocolVersion: 1,
    clientCapabilities: { terminal: true, future: { a: 1 } },
    clientInfo: { name: 'n', version: 'v' },
    _meta: { x: 1 },
  } as Params<'initialize'>;
  const wire = new TestWire();
  const agent = connectAgent(wire, { initialize: () => ({ protocolVersion: 1 }) });
  expect(agent.remote).toBeUndefined();
  wire.feed({ ...initialize, params: said });
  await macrotask();
  expect(agent.remote).toEqual(said);
  const { peer } = await readyClient({}, { agent: { loadSession: true, future: 1 } });
  expect(peer.remote).toEqual({
    protocolVersion: 1,
    agentCapabilities: { loadSession: true, future: 1 },
    authMethods: [],
  });
});

test('a client capability whose value has the wrong type counts as absent', async () => {
  const { peer } = await readyAgent({}, { client: { terminal: 'yes', fs: { readTextFile: 1, writeTextFile: true } } });
  expect(peer.remote?.clientCapabilities).toEqual({ fs: { writeTextFile: true } });
});

test('connections that keep values share one frozen object for equal descriptions of their clients', async () => {
  const remoteOf = async (name: string): Promise<unknown> => {
    const wire = new TestWire();
    const peer = connectAgent(wire, { initialize: () => ({ protocolVersion: 1 }) }, { keep: keptValue });
    wire.feed(call(0, 'initialize', { protocolVersion: 1, clientInfo: { name, version: '1' } }));
    await macrotask();
    return peer.remote;
  };
  const [one, same, other] = [await remoteOf('one'), await remoteOf('one'), await remoteOf('other')];
  expect({ isShared: one === same, isFrozen: Object.isFrozen(one), other }).toEqual({
    isShared: true,
    isFrozen: true,
    other: { protocolVersion: 1, clientInfo: { name: 'other', version: '1' } },
  });
});
