import {
  connectAgent,
  connectClient,
  type MethodName,
  methods,
  type NotificationMethod,
  type Peer,
  type RequestMethod,
  type Side,
} from '@turnwire/protocol';
import { describe, expect, test } from 'vitest';
import {
  answer,
  call,
  initialize,
  macrotask,
  note,
  outcome,
  readyAgent,
  readyClient,
  refusal,
  TestWire,
} from './test-wire.ts';

type Json = { readonly [key: string]: unknown };

interface Row {
  readonly method: MethodName;
  readonly side: Side;
  readonly kind: 'request' | 'notification';
  readonly capabilities: readonly string[];
}

/** Every row of the table that needs a capability. */
const gated = Object.entries(methods).flatMap(([method, row]): readonly Row[] => {
  if (!('capability' in row) || row.side === ('both' as never)) return [];
  const capabilities = typeof row.capability === 'string' ? [row.capability] : row.capability;
  return [{ method: method as MethodName, side: row.side, kind: row.kind, capabilities }];
});

/** Parameters every gated method takes. */
const params: Json = {
  sessionId: 's',
  cwd: '/',
  mcpServers: [],
  path: '/a',
  content: '',
  command: 'ls',
  terminalId: 't',
  message: 'm',
  mode: 'url',
  url: 'https://a',
  elicitationId: 'e',
};

/** What those methods may answer. */
const results: Json = {
  'session/list': { sessions: [] },
  'fs/read_text_file': { content: '' },
  'terminal/create': { terminalId: 't' },
  'terminal/output': { output: '', truncated: false },
  'elicitation/create': { action: 'cancel' },
};

/** Capabilities that hold one path, with the value of a flag or a marker. */
function capabilities(path: string, value: unknown): Json {
  return path.split('.').reduceRight<unknown>((inner, key) => ({ [key]: inner }), value) as Json;
}

/** Flags are true; markers are objects. */
function offered(path: string): unknown {
  return /^(loadSession|terminal|fs\..*)$/.test(path) ? true : {};
}

test('the table names 15 methods that need a capability', () => {
  expect(gated.map(({ method }) => method)).toEqual([
    'logout',
    'session/load',
    'session/list',
    'session/delete',
    'session/resume',
    'session/close',
    'fs/read_text_file',
    'fs/write_text_file',
    'terminal/create',
    'terminal/output',
    'terminal/wait_for_exit',
    'terminal/kill',
    'terminal/release',
    'elicitation/create',
    'elicitation/complete',
  ]);
});

/** Sends a gated method from the side that calls it. */
async function sent(row: Row, offer: Json | undefined): Promise<unknown> {
  const { wire, peer } =
    row.side === 'agent'
      ? await readyClient({}, { agent: offer ?? {} })
      : await readyAgent({}, { client: offer ?? {} });
  const caller = peer as Peer;
  if (row.kind === 'notification') {
    const end = await outcome(caller.notify(row.method as NotificationMethod, params as never));
    return { end, sent: wire.take() };
  }
  const end = outcome(caller.request(row.method as RequestMethod, params as never));
  const frames = wire.take();
  for (const frame of frames) wire.feed(answer((frame as { id: unknown }).id, results[row.method] ?? {}));
  return { end: await end, sent: frames };
}

/** Receives a gated method on the side that handles it. */
async function received(row: Row, offer: Json | undefined): Promise<unknown> {
  let handled = 0;
  const handlers = { [row.method]: () => (handled++, results[row.method] ?? {}) };
  const { wire } =
    row.side === 'agent'
      ? await readyAgent(handlers, { agent: offer ?? {} })
      : await readyClient(handlers, { client: offer ?? {} });
  wire.feed(row.kind === 'request' ? call(7, row.method, params) : note(row.method, params));
  await macrotask();
  return { handled, sent: wire.take() };
}

describe.each(gated)('$method', (row) => {
  const advertisers = row.capabilities.filter((path) => path !== 'elicitation.form');

  test.each(advertisers.map((path) => [path, capabilities(path, offered(path))] as const))(
    `${row.method} can be called and is handled when %s is advertised`,
    async (_, offer) => {
      const isRequest = row.kind === 'request';
      const result = results[row.method] ?? {};
      const id = row.side === 'agent' ? 1 : 0;
      expect(await sent(row, offer)).toEqual({
        end: { resolved: isRequest ? result : undefined },
        sent: [isRequest ? call(id, row.method, params) : note(row.method, params)],
      });
      expect(await received(row, offer)).toEqual({ handled: 1, sent: isRequest ? [answer(7, result)] : [] });
    },
  );

  const path = row.capabilities[0]!;
  const parent = capabilities(path.split('.').slice(0, -1).join('.') || 'other', {});
  const off = capabilities(path, offered(path) === true ? false : null);

  test.each([
    [
      'null, though it is a flag, or false, though it is a marker,',
      capabilities(path, offered(path) === true ? null : false),
    ],
    ['5', capabilities(path, 5)],
    ['text', capabilities(path, 'yes')],
  ] as const)(
    `${row.method} is refused before anything is written when the value of its capability is %s`,
    async (_, offer) => {
      const needed = row.capabilities.join(' or ');
      expect(await sent(row, offer)).toEqual({
        end: {
          code: 'not-advertised',
          message: `${row.method} was not sent: the ${row.side} did not advertise ${needed}`,
        },
        sent: [],
      });
    },
  );

  test.each([
    ['nothing is', undefined],
    ['it is said not to be', off],
    ['only its parent is', parent],
  ] as const)(
    `${row.method} is refused before anything is written, and not handled, when %s advertised`,
    async (_, offer) => {
      const needed = row.capabilities.join(' or ');
      expect(await sent(row, offer)).toEqual({
        end: {
          code: 'not-advertised',
          message: `${row.method} was not sent: the ${row.side} did not advertise ${needed}`,
        },
        sent: [],
      });
      expect(await received(row, offer)).toEqual({
        handled: 0,
        sent:
          row.kind === 'request' ? [refusal(7, -32601, `Method not found: ${row.method}`, { method: row.method })] : [],
      });
    },
  );
});

/** A call that asks for more than was advertised, with the capability that would allow it. */
interface Asking {
  readonly side: Side;
  readonly method: string;
  readonly params: Json;
  readonly why: string;
  readonly needs: Json;
  readonly result?: Json;
}

const setup = { sessionId: 's', cwd: '/', mcpServers: [] };
const text = { type: 'text', text: 'a' };
const http = { type: 'http', name: 'm', url: 'https://a', headers: [] };
const sse = { ...http, type: 'sse' };
const asking: readonly Asking[] = [
  ...['session/new', 'session/load', 'session/resume'].flatMap((method): readonly Asking[] => {
    const always = { loadSession: true, sessionCapabilities: { resume: {} } };
    const result = method === 'session/new' ? { sessionId: 's' } : {};
    return [
      {
        side: 'agent',
        method,
        result,
        params: { ...setup, mcpServers: [http] },
        why: 'mcpServers[0]: the agent did not advertise MCP over http',
        needs: { ...always, mcpCapabilities: { http: true } },
      },
      {
        side: 'agent',
        method,
        result,
        params: { ...setup, mcpServers: [sse] },
        why: 'mcpServers[0]: the agent did not advertise MCP over sse',
        needs: { ...always, mcpCapabilities: { sse: true } },
      },
      {
        side: 'agent',
        method,
        result,
        params: { ...setup, additionalDirectories: ['/b'] },
        why: 'additionalDirectories: the agent did not advertise them',
        needs: { ...always, sessionCapabilities: { resume: {}, additionalDirectories: {} } },
      },
    ];
  }),
  ...(
    [
      [{ type: 'image', data: '', mimeType: 'a/b' }, { image: true }],
      [{ type: 'audio', data: '', mimeType: 'a/b' }, { audio: true }],
      [{ type: 'resource', resource: { uri: 'a:b', text: '' } }, { embeddedContext: true }],
    ] as const
  ).map(([block, promptCapabilities]): Asking => ({
    side: 'agent',
    method: 'session/prompt',
    params: { sessionId: 's', prompt: [text, { type: 'resource_link', uri: 'a:b', name: 'c' }, block] },
    why: `prompt[2]: the agent did not advertise content of type "${block.type}"`,
    needs: { promptCapabilities },
    result: { stopReason: 'end_turn' },
  })),
  {
    side: 'client',
    method: 'elicitation/create',
    params: { ...params, mode: 'form', requestedSchema: {} },
    why: 'mode: the client did not advertise elicitation of mode "form"',
    needs: { elicitation: { form: {} } },
    result: { action: 'cancel' },
  },
  {
    side: 'client',
    method: 'elicitation/create',
    params,
    why: 'mode: the client did not advertise elicitation of mode "url"',
    needs: { elicitation: { url: {} } },
    result: { action: 'cancel' },
  },
];

/** Enough for the method itself, but not for what it asks. */
const bare = { loadSession: true, sessionCapabilities: { resume: {} } };

function bareFor({ params: { mode } }: Asking): Json {
  return mode === undefined ? bare : { elicitation: mode === 'form' ? { url: {} } : { form: {} } };
}

describe.each(asking)('$method with $why', (each) => {
  const { side, method, why, needs, result } = each;

  test(`${method} is refused on both ends (${why})`, async () => {
    const offer = bareFor(each);
    const { wire, peer } =
      side === 'agent' ? await readyClient({}, { agent: offer }) : await readyAgent({}, { client: offer });
    expect(await outcome((peer as Peer).request(method as RequestMethod, each.params as never))).toEqual({
      code: 'not-advertised',
      message: `${method} was not sent: ${why}`,
    });
    expect(wire.take()).toEqual([]);
    const handlers = { [method]: () => result };
    const far =
      side === 'agent'
        ? await readyAgent(handlers as never, { agent: offer })
        : await readyClient(handlers as never, { client: offer });
    far.wire.feed(call(7, method, each.params));
    await macrotask();
    expect(far.wire.take()).toEqual([refusal(7, -32602, `Invalid params: ${why}`)]);
  });

  test(`${method} passes both ends when ${JSON.stringify(needs)} is advertised`, async () => {
    const { wire, peer } =
      side === 'agent' ? await readyClient({}, { agent: needs }) : await readyAgent({}, { client: needs });
    void outcome((peer as Peer).request(method as RequestMethod, each.params as never));
    expect(wire.take()).toEqual([call(side === 'agent' ? 1 : 0, method, each.params)]);
    const handlers = { [method]: () => result };
    const far =
      side === 'agent'
        ? await readyAgent(handlers as never, { agent: needs })
        : await readyClient(handlers as never, { client: needs });
    far.wire.feed(call(7, method, each.params));
    await macrotask();
    expect(far.wire.take()).toEqual([answer(7, result)]);
  });
});

test('a client refuses elicitation modes that it did not advertise, even those named like inherited members', async () => {
  for (const mode of ['future', '__proto__', 'constructor', 'form.toString', '']) {
    const { wire } = await readyClient(
      { 'elicitation/create': () => ({ action: 'accept' }) },
      { client: { elicitation: { form: {} } } },
    );
    wire.feed(call(7, 'elicitation/create', { sessionId: 's', message: 'm', mode }));
    await macrotask();
    expect(wire.take()).toEqual([
      refusal(
        7,
        -32602,
        `Invalid params: mode: the client did not advertise elicitation of mode ${JSON.stringify(mode)}`,
      ),
    ]);
  }
});

const boolean = { id: 'b', name: 'B', type: 'boolean', currentValue: true };
const select = { id: 'o', name: 'O', type: 'select', currentValue: 'x', options: [{ value: 'x', name: 'X' }] };

test.each<[string, Json, Json, string]>([
  [
    'notices',
    { sessionUpdate: 'notice', severity: 'info', title: 't' },
    { notices: {} },
    'update: the client did not advertise session.notices',
  ],
  [
    'compaction',
    { sessionUpdate: 'compaction_update', compactionId: 'c', status: 'completed' },
    { compaction: {} },
    'update: the client did not advertise session.compaction',
  ],
  [
    'compaction',
    { sessionUpdate: 'compaction_summary_chunk', compactionId: 'c', content: text },
    { compaction: {} },
    'update: the client did not advertise session.compaction',
  ],
  [
    'boolean options',
    { sessionUpdate: 'config_option_update', configOptions: [select, boolean] },
    { configOptions: { boolean: {} } },
    'configOptions[1]: the client did not advertise boolean options',
  ],
])('updates about %s are sent only to a client that advertised them', async (_, update, session, why) => {
  const shy = await readyAgent({}, { client: {} });
  expect(await outcome(shy.peer.notify('session/update', { sessionId: 's', update: update as never }))).toEqual({
    code: 'not-advertised',
    message: `session/update was not sent: ${why}`,
  });
  expect(shy.wire.take()).toEqual([]);
  const open = await readyAgent({}, { client: { session } });
  await open.peer.notify('session/update', { sessionId: 's', update: update as never });
  expect(open.wire.take()).toEqual([note('session/update', { sessionId: 's', update })]);
});

test.each(['session/new', 'session/load', 'session/resume', 'session/set_config_option'] as const)(
  '%s answers boolean options only to a client that advertised them',
  async (method) => {
    const result = { sessionId: 's', configOptions: [select, boolean] };
    const answered = async (client: Json): Promise<unknown> => {
      const { wire } = await readyAgent({ [method]: () => result } as never, { client });
      wire.feed(call(7, method, { ...setup, configId: 'b', value: true, type: 'boolean' }));
      await macrotask();
      return wire.take();
    };
    expect(await answered({})).toEqual([
      refusal(
        7,
        -32603,
        `The handler of ${method} returned an invalid answer: configOptions[1]: the client did not advertise boolean options`,
      ),
    ]);
    expect(await answered({ session: { configOptions: { boolean: {} } } })).toEqual([answer(7, result)]);
  },
);

const authMethods = [
  { id: 'browser', name: 'B' },
  { type: 'terminal', id: 'tui', name: 'T' },
];

test.each([
  ['nope', 'methodId: the agent did not list "nope" in authMethods'],
  ['tui', 'methodId: "tui" is a terminal login: run the agent\'s command instead'],
])('authenticate with the method %s is refused on both ends', async (methodId, why) => {
  const { wire, peer } = await readyClient({}, { authMethods });
  expect(await outcome(peer.request('authenticate', { methodId }))).toEqual({
    code: 'not-advertised',
    message: `authenticate was not sent: ${why}`,
  });
  expect(wire.take()).toEqual([]);
  const agent = await readyAgent({
    initialize: () => ({ protocolVersion: 1, authMethods: authMethods as never }),
    authenticate: () => ({}),
  });
  agent.wire.feed(call(7, 'authenticate', { methodId }), call(8, 'authenticate', { methodId: 'browser' }));
  await macrotask();
  expect(agent.wire.take()).toEqual([refusal(7, -32602, `Invalid params: ${why}`), answer(8, {})]);
});

test('a client without gates sends and handles unadvertised methods, and sends initialize again', async () => {
  const { wire, peer } = await readyClient({ 'terminal/kill': () => ({}) }, { agent: {}, client: {}, gates: false });
  void outcome(peer.request('session/list', {}));
  void outcome(peer.request('initialize', { protocolVersion: 1 }));
  void outcome(
    peer.request('session/prompt', { sessionId: 's', prompt: [{ type: 'image', data: '', mimeType: 'a/b' }] }),
  );
  wire.feed(call(7, 'terminal/kill', { sessionId: 's', terminalId: 't' }));
  await macrotask();
  expect(wire.take()).toEqual([
    call(1, 'session/list', {}),
    call(2, 'initialize', { protocolVersion: 1 }),
    call(3, 'session/prompt', { sessionId: 's', prompt: [{ type: 'image', data: '', mimeType: 'a/b' }] }),
    answer(7, {}),
  ]);
});

test('a peer without gates does not wait for initialize and accepts any version', async () => {
  const wire = new TestWire();
  const agent = connectAgent(
    wire,
    { initialize: () => new Promise<never>(() => undefined), _x: () => 1 },
    { gates: false },
  );
  wire.feed(initialize, call(1, '_x'));
  expect(await wire.frames(1)).toEqual([answer(1, 1)]);
  await agent.close();
  const other = new TestWire();
  const client = connectClient(other, {}, { gates: false });
  const answered = outcome(client.request('initialize', { protocolVersion: 1 }));
  other.feed(answer(0, { protocolVersion: 77 }));
  expect(await answered).toEqual({ resolved: { protocolVersion: 77 } });
  expect(other.isClosed).toBe(false);
});
