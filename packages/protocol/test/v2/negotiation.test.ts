import { connectAgent, connectClient, type Handlers, type Transport, v1 } from '@turnwire/protocol';
import { connectAgentVersions, connectClientVersions, v2, type V2 } from '@turnwire/protocol/v2';
import { memoryPair } from '@turnwire/transports/memory';
import { describe, expect, expectTypeOf, test } from 'vitest';
import { answer, call, deferred, macrotask, note, outcome, refusal, TestWire } from '../peer/test-wire.ts';
import { agreed, info, introduction, readyAgent, readyClient } from './v2-pair.ts';

const agent1: Handlers<'agent'> = {
  initialize: (params) => ({ protocolVersion: 1, _meta: { received: params } }),
  'session/new': () => ({ sessionId: 'of version 1' }),
};
const agent2: Handlers<'agent', V2> = {
  initialize: (params) => ({ ...agreed, _meta: { received: params } }),
  'session/new': () => ({ sessionId: 'of version 2' }),
};

const agents: Readonly<Record<string, (end: Transport) => unknown>> = {
  'version 1': (end) => connectAgent(end, agent1),
  'version 2': (end) => connectAgent(end, agent2, { edition: v2 }),
  'both versions': (end) =>
    connectAgentVersions(end, [
      { edition: v1, handlers: agent1 },
      { edition: v2, handlers: agent2 },
    ]),
};

const asVersion1 = { clientInfo: info, clientCapabilities: { fs: { readTextFile: true }, terminal: true } };
const asVersion2 = { info, capabilities: { elicitation: { form: {} } } };

/** What a client gets: the version, what the agent has received, and a session. */
const clients: Readonly<Record<string, (end: Transport) => Promise<unknown>>> = {
  'version 1': async (end) => {
    const agent = connectClient(end, {});
    const { _meta } = await agent.request('initialize', { protocolVersion: 1, ...asVersion1 });
    const { sessionId } = await agent.request('session/new', { cwd: '/', mcpServers: [] });
    return [agent.version, _meta?.['received'], sessionId];
  },
  'version 2': async (end) => {
    const agent = connectClient(end, {}, { edition: v2 });
    const { _meta } = await agent.request('initialize', { protocolVersion: 2, ...asVersion2 });
    const { sessionId } = await agent.request('session/new', { cwd: '/' });
    return [agent.version, _meta?.['received'], sessionId];
  },
  'both versions': async (end) => {
    const client = connectClientVersions(end, [
      { edition: v1, handlers: {} },
      { edition: v2, handlers: {} },
    ]);
    const agent = await client.initialize({ ...asVersion1, ...asVersion2 });
    const { sessionId } =
      agent.version === 2
        ? await agent.request('session/new', { cwd: '/' })
        : await agent.request('session/new', { cwd: '/', mcpServers: [] });
    return [agent.version, agent.remote?._meta?.['received'], sessionId];
  },
};

const unsupported = {
  code: -32022,
  message: 'Unsupported protocol version 1: this agent speaks 2',
  data: { requested: 1, supported: [2] },
};
const only1 =
  'The agent speaks protocol version 1; this client speaks version 2. The connection was closed: update the older one.';
const first = [1, { protocolVersion: 1, ...asVersion1 }, 'of version 1'];
const second = [2, { protocolVersion: 2, ...asVersion2 }, 'of version 2'];
const both = { protocolVersion: 2, ...asVersion1, ...asVersion2 };

test.each<[client: string, agent: string, meeting: unknown]>([
  ['version 1', 'version 1', { resolved: first }],
  ['version 1', 'version 2', unsupported],
  ['version 1', 'both versions', { resolved: first }],
  ['version 2', 'version 1', { code: 'version-mismatch', message: only1 }],
  ['version 2', 'version 2', { resolved: second }],
  ['version 2', 'both versions', { resolved: second }],
  ['both versions', 'version 1', { resolved: [1, both, 'of version 1'] }],
  ['both versions', 'version 2', { resolved: [2, both, 'of version 2'] }],
  ['both versions', 'both versions', { resolved: [2, both, 'of version 2'] }],
])(
  'a client of %s and an agent of %s agree on a version, or fail, as the protocol says',
  async (client, agent, meeting) => {
    const [agentEnd, clientEnd] = memoryPair();
    agents[agent]?.(agentEnd);
    expect(await outcome(clients[client]?.(clientEnd) ?? Promise.resolve())).toEqual(meeting);
  },
);

describe('an agent of both versions', () => {
  const dual = (handlers2: Handlers<'agent', V2> = agent2): TestWire => {
    const wire = new TestWire();
    connectAgentVersions(wire, [
      { edition: v1, handlers: agent1 },
      { edition: v2, handlers: handlers2 },
    ]);
    return wire;
  };

  test('an agent of both versions refuses a version older than its own, names its versions, and accepts another initialize', async () => {
    const wire = dual();
    wire.feed(call(1, 'initialize', { protocolVersion: 0 }), call(2, 'initialize', { protocolVersion: 1 }));
    expect(await wire.frames(2)).toEqual([
      refusal(1, -32022, 'Unsupported protocol version 0: this agent speaks 1, 2', { requested: 0, supported: [1, 2] }),
      answer(2, { protocolVersion: 1, _meta: { received: { protocolVersion: 1 } } }),
    ]);
  });

  test('an agent of both versions answers an unknown newer version with its newest version, even if the client is not described', async () => {
    const wire = dual();
    wire.feed(call(1, 'initialize', { protocolVersion: 3, info: 'me', capabilities: 5 }));
    const received = { protocolVersion: 3, info: { name: 'unknown', version: 'unknown' } };
    expect(await wire.frames(1)).toEqual([answer(1, { ...agreed, _meta: { received } })]);
  });

  test('an agent of both versions refuses an initialize whose version is not an integer or whose parameters do not fit that version', async () => {
    const wire = dual();
    wire.feed(call(1, 'initialize', { protocolVersion: 2 }), call(2, 'initialize', { protocolVersion: 'two' }));
    expect(await wire.frames(2)).toEqual([
      refusal(1, -32602, 'Invalid params: info: expected an object, received nothing'),
      refusal(2, -32602, 'Invalid params: protocolVersion: expected an integer from 0 to 65535'),
    ]);
  });

  test('an agent of both versions that agreed on version 1 uses the methods, checks and ids of version 1', async () => {
    const wire = dual();
    wire.feed(call(1, 'initialize', { protocolVersion: 1 }));
    await wire.frames(1);
    wire.feed(
      call(null, 'session/new', { cwd: '/', mcpServers: [] }),
      call(2, 'session/new', { cwd: '/' }),
      call(3, 'auth/login', { methodId: 'm' }),
    );
    expect(await wire.frames(3)).toEqual([
      answer(null, { sessionId: 'of version 1' }),
      refusal(2, -32602, 'Invalid params: mcpServers: expected a list, received nothing'),
      refusal(3, -32601, 'Method not found: auth/login', { method: 'auth/login' }),
    ]);
  });

  test('an agent of both versions answers with an internal error if its handler returns a version other than the agreed one', async () => {
    const wire = dual({ initialize: () => ({ ...agreed, protocolVersion: 3 }) });
    wire.feed(call(1, 'initialize', introduction));
    expect(await wire.frames(1)).toEqual([
      refusal(
        1,
        -32603,
        'The handler of initialize returned an invalid answer: protocolVersion: expected 2, on which the connection agreed',
      ),
    ]);
  });
});

test('an agent that falls back to version 1 describes a client of version 2 to its handlers in the fields of version 1', async () => {
  const wire = new TestWire();
  connectAgentVersions(wire, [
    { edition: v1, handlers: agent1 },
    // An agent whose other version is newer than the one that is asked for.
    { edition: { ...v2, protocolVersion: 7 }, handlers: agent2 },
  ]);
  wire.feed(call(1, 'initialize', { protocolVersion: 2, ...asVersion2 }));
  expect(await wire.frames(1)).toEqual([
    answer(1, {
      protocolVersion: 1,
      _meta: {
        received: {
          protocolVersion: 2,
          ...asVersion2,
          clientInfo: info,
          clientCapabilities: {
            fs: { readTextFile: false, writeTextFile: false },
            terminal: false,
            session: { configOptions: { boolean: {} }, notices: {}, compaction: {} },
            plan: {},
            subagents: {},
            auth: { terminal: false },
            elicitation: { form: {} },
          },
        },
      },
    }),
  ]);
});

test('an agent of both versions knows the agreed version before its first handler runs', async () => {
  const versions: unknown[] = [];
  const wire = new TestWire();
  const peer = connectAgentVersions(wire, [
    { edition: v1, handlers: agent1 },
    {
      edition: v2,
      handlers: {
        initialize: (_, context) => {
          versions.push(context.peer.version);
          expectTypeOf(context.peer.version).toEqualTypeOf<2 | undefined>();
          return agreed;
        },
      },
    },
  ]);
  versions.push(peer.version);
  wire.feed(call(1, 'initialize', introduction));
  await wire.frames(1);
  expect([...versions, peer.version]).toEqual([undefined, 2, 2]);
});

test('a client of both versions repeats initialize with a version that the agent names when the agent refuses the first', async () => {
  const wire = new TestWire();
  const client = connectClientVersions(wire, [
    { edition: v1, handlers: {} },
    { edition: v2, handlers: {} },
  ]);
  const ready = client.initialize({ ...asVersion1, ...asVersion2 });
  wire.feed(refusal(0, -32022, 'no', { requested: 2, supported: [1, 5] }));
  const sent = await wire.frames(2);
  wire.feed(answer(1, { protocolVersion: 1 }));
  const agent = await ready;
  expect({ version: agent.version, sent }).toEqual({
    version: 1,
    sent: [call(0, 'initialize', both), call(1, 'initialize', { ...both, protocolVersion: 1 })],
  });
});

test('a client of both versions closes the connection if the agent speaks neither', async () => {
  const wire = new TestWire();
  const client = connectClientVersions(wire, [
    { edition: v1, handlers: {} },
    { edition: v2, handlers: {} },
  ]);
  const ready = outcome(client.initialize({ ...asVersion1, ...asVersion2 }));
  wire.feed(answer(0, { protocolVersion: 3, info: { name: 'Future', version: '9' } }));
  expect({ ready: await ready, closed: await client.closed }).toEqual({
    ready: {
      code: 'version-mismatch',
      message:
        'Future speaks protocol version 3; this client speaks version 1 or 2. The connection was closed: update the older one.',
    },
    closed: { by: 'local' },
  });
});

const early = (method: string): string => `Invalid request: ${method} came before initialize was answered`;

test('before initialize an agent of version 2 refuses all requests, extensions too, and ignores notifications', async () => {
  const wire = new TestWire();
  const seen: string[] = [];
  connectAgent(
    wire,
    { ...agent2, _x: () => seen.push('x'), 'session/cancel': () => void seen.push('cancel') },
    { edition: v2 },
  );
  wire.feed(
    call(1, 'session/new', setup),
    call(2, '_x'),
    note('session/cancel', { sessionId: 's' }),
    note('_x'),
    call(3, 'initialize', { protocolVersion: 2 }),
    answer(9, {}),
  );
  await macrotask();
  expect({ seen, sent: wire.take() }).toEqual({
    seen: [],
    sent: [
      refusal(1, -32600, early('session/new')),
      refusal(2, -32600, early('_x')),
      refusal(3, -32602, 'Invalid params: info: expected an object, received nothing'),
    ],
  });
});

const setup = { cwd: '/' } as const;

test('an agent of version 2 refuses, and does not queue, a request that arrives while initialize is being handled', async () => {
  const wire = new TestWire();
  const go = deferred();
  connectAgent(
    wire,
    {
      ...agent2,
      initialize: async () => {
        await go.promise;
        return agreed;
      },
    },
    { edition: v2 },
  );
  wire.feed(call(1, 'initialize', introduction), call(2, 'session/new', setup), call(3, 'initialize', introduction));
  await macrotask();
  go.resolve();
  await macrotask();
  expect(wire.take()).toEqual([
    refusal(2, -32600, early('session/new')),
    refusal(3, -32600, 'Invalid request: initialize comes first, and only once'),
    answer(1, agreed),
  ]);
});

test('an agent of version 2 accepts a repeated initialize with the same or a newer version until another request arrives', async () => {
  let calls = 0;
  const { wire, peer } = await readyAgent({
    initialize: ({ info: client }) => {
      if (++calls === 3) throw new Error('not now');
      return { ...agreed, _meta: { client: client.name, calls } };
    },
    'session/list': () => ({ sessions: [] }),
  });
  const as = (id: number, protocolVersion: number, name: string): object =>
    call(id, 'initialize', { ...introduction, protocolVersion, info: { name, version: '1' } });
  wire.feed(...([as(1, 3, 'b'), as(2, 2, 'c'), as(3, 1, 'd'), call(4, 'session/list', {}), as(5, 2, 'e')] as never[]));
  expect(await wire.frames(5)).toEqual([
    answer(1, { ...agreed, _meta: { client: 'b', calls: 2 } }),
    refusal(2, -32603, 'Internal error while handling initialize'),
    refusal(3, -32600, 'Invalid request: initialize may be repeated only with version 2 or newer'),
    answer(4, { sessions: [] }),
    refusal(5, -32600, 'Invalid request: initialize comes first, and only once'),
  ]);
  expect(peer.remote?.info.name).toBe('b');
});

test('a client of version 2 may repeat initialize until it sends another request', async () => {
  const { wire, peer } = await readyClient();
  const again = peer.request('initialize', introduction);
  wire.feed(answer(1, { ...agreed, capabilities: {} }));
  await again;
  expect(await outcome(peer.request('session/new', setup))).toEqual({
    code: 'not-advertised',
    message: 'session/new was not sent: the agent did not advertise session',
  });
  const third = peer.request('initialize', introduction);
  wire.feed(answer(2, agreed));
  await third;
  const created = peer.request('session/new', setup);
  wire.feed(answer(3, { sessionId: 's' }));
  await created;
  expect(await outcome(peer.request('initialize', introduction))).toEqual({
    code: 'not-initialized',
    message: 'initialize was not sent: initialize comes first, and only once',
  });
});

test('an agent of version 2 refuses requests whose id is null or a fraction, and refuses a batch as a whole', async () => {
  const { wire } = await readyAgent({ _x: () => 'done' });
  const ids = [0, '', 'a', -1, null, 1.5];
  wire.feed(...ids.map((id) => call(id, '_x')), JSON.stringify([call(7, '_x'), call(8, '_x')]));
  await macrotask();
  const wrongId = 'Invalid request: id must be a string or an integer';
  expect(wire.take()).toEqual([
    answer(0, 'done'),
    answer('', 'done'),
    answer('a', 'done'),
    answer(-1, 'done'),
    refusal(null, -32600, wrongId),
    refusal(null, -32600, wrongId),
    refusal(null, -32600, 'Invalid request: JSON-RPC batches are not supported: send one message per line'),
  ]);
});
