import {
  connectAgent,
  type Handlers,
  TurnwireError,
  type LogEntry,
  ProtocolError,
  requestCancelled,
} from '@turnwire/protocol';
import { expect, test } from 'vitest';
import { answer, call, initialize, macrotask, note, readyAgent, readyClient, refusal, TestWire } from './test-wire.ts';

const circular: Record<string, unknown> = {};
circular['self'] = circular;

function deep(): unknown {
  let value: unknown = [];
  for (let level = 0; level < 100_000; level++) value = [value];
  return value;
}

const internal = refusal(1, -32603, 'Internal error while handling _x');
const unwritable = refusal(1, -32603, 'The handler of _x returned something that cannot be written as JSON');

test.each<[string, () => unknown, unknown]>([
  ['an Error', () => fail(new Error('the password is hunter2')), internal],
  ['a string', () => fail('hunter2'), internal],
  ['undefined', () => fail(undefined), internal],
  ['null', () => fail(null), internal],
  ['an object that looks like an error', () => fail({ code: -1, message: 'hunter2' }), internal],
  ['a TurnwireError', () => fail(new TurnwireError('timeout', 'hunter2')), internal],
  ['an AbortError though nobody cancelled', () => fail(new DOMException('hunter2', 'AbortError')), internal],
  [
    'a ProtocolError',
    () => fail(new ProtocolError(-32001, 'no', { why: ['because'] })),
    refusal(1, -32001, 'no', { why: ['because'] }),
  ],
  [
    'a ProtocolError whose data is a BigInt',
    () => fail(new ProtocolError(-32001, 'no', { big: 1n })),
    refusal(1, -32001, 'no'),
  ],
  [
    'a ProtocolError whose data is circular',
    () => fail(new ProtocolError(-32001, 'no', circular)),
    refusal(1, -32001, 'no'),
  ],
  [
    'a ProtocolError whose code is no number',
    () => fail(new ProtocolError(Number.NaN, 'no')),
    refusal(1, -32603, 'no'),
  ],
  ['a cancellation nobody asked for', () => fail(requestCancelled()), refusal(1, -32800, 'Request cancelled')],
  ['a rejection', () => Promise.reject(new Error('hunter2')), internal],
  ['a rejection with nothing', () => Promise.reject(undefined as unknown as Error), internal],
])(
  'a request whose handler ends in %s is answered with an error that reveals no secret, and the peer continues',
  async (_, handler, expected) => {
    const { wire } = await readyAgent({ _x: handler, _y: () => 'still here' });
    wire.feed(call(1, '_x'), call(2, '_y'));
    await macrotask();
    const sent = wire.take();
    expect(sent).toHaveLength(2);
    expect(sent).toEqual(expect.arrayContaining([expected, answer(2, 'still here')]));
  },
);

/** An object that throws when one of its members is looked at. */
function trap(member: string): object {
  return Object.defineProperty({}, member, { get: () => fail(new Error('hunter2')) });
}

function fail(thrown: unknown): never {
  throw thrown;
}

test.each<[string, unknown, unknown]>([
  ['undefined', undefined, answer(1, null)],
  ['null', null, answer(1, null)],
  ['a function', () => 1, answer(1, null)],
  ['zero', 0, answer(1, 0)],
  ['a BigInt', { big: 1n }, unwritable],
  ['a circle', circular, unwritable],
  ['100,000 levels', deep(), unwritable],
  ['an object whose toJSON throws', { toJSON: () => fail(new Error('hunter2')) }, unwritable],
  ['an object whose then throws', trap('then'), internal],
])(
  'a request whose handler returns %s gets one answer, and the next request is answered too',
  async (_, returned, expected) => {
    const { wire } = await readyAgent({ _x: () => returned, _y: () => 'still here' });
    wire.feed(call(1, '_x'), call(2, '_y'));
    await macrotask();
    expect(wire.take()).toEqual([expected, answer(2, 'still here')]);
  },
);

test.each<[string, unknown, unknown]>([
  ['nothing', undefined, 'session/prompt returned an invalid answer: stopReason: expected'],
  ['an unknown stop reason', { stopReason: 'done' }, 'session/prompt returned an invalid answer: stopReason: expected'],
  ['a BigInt', { stopReason: 1n }, 'session/prompt returned an invalid answer: it cannot be written as JSON'],
  [
    'a circle beside a good answer',
    { stopReason: 'end_turn', _meta: circular },
    'session/prompt returned something that cannot be written as JSON',
  ],
  [
    'a BigInt beside a good answer',
    { stopReason: 'end_turn', _meta: { big: 1n } },
    'session/prompt returned something that cannot be written as JSON',
  ],
])(
  'a prompt whose handler returns %s is answered with an internal error that names the fault',
  async (_, returned, message) => {
    const { wire } = await readyAgent({ 'session/prompt': () => returned as never });
    wire.feed(call(1, 'session/prompt', { sessionId: 's', prompt: [] }));
    await macrotask();
    expect(wire.take()).toEqual([
      {
        jsonrpc: '2.0',
        id: 1,
        error: { code: -32603, message: expect.stringContaining(`The handler of ${message as string}`) as unknown },
      },
    ]);
  },
);

test('a handler whose answer is empty may return undefined or null', async () => {
  const { wire } = await readyAgent({
    'session/set_mode': () => undefined as never,
    'session/close': async () => undefined as never,
    logout: () => null as never,
    'session/delete': () => ({}),
  });
  wire.feed(
    call(1, 'session/set_mode', { sessionId: 's', modeId: 'm' }),
    call(2, 'session/close', { sessionId: 's' }),
    call(3, 'logout'),
    call(4, 'session/delete', { sessionId: 's' }),
  );
  await macrotask();
  expect(wire.take()).toEqual([answer(1, {}), answer(3, {}), answer(4, {}), answer(2, {})]);
});

test('a peer without outgoing checks sends an invalid answer of its handler unchanged', async () => {
  const { wire } = await readyAgent(
    { 'session/prompt': () => ({ stopReason: 'whatever' }) as never },
    { checkOutgoing: false },
  );
  wire.feed(call(1, 'session/prompt', { sessionId: 's', prompt: [] }));
  await macrotask();
  expect(wire.take()).toEqual([answer(1, { stopReason: 'whatever' })]);
});

test('a notification handler that throws or rejects is logged, and later notifications are still handled', async () => {
  const entries: LogEntry[] = [];
  const seen: string[] = [];
  const { wire } = await readyClient(
    {
      'session/update': ({ sessionId }) => {
        seen.push(sessionId);
        if (sessionId === 'throws') throw new Error('thrown');
        if (sessionId === 'rejects') return Promise.reject(new Error('rejected'));
        return undefined;
      },
    },
    { log: (entry) => void (entry.level === 'error' && entries.push(entry)) },
  );
  const update = { sessionUpdate: 'plan', entries: [] };
  wire.feed(
    ...['throws', 'rejects', 'rejects', 'fine'].map((sessionId) => note('session/update', { sessionId, update })),
  );
  await macrotask();
  expect(seen).toEqual(['throws', 'rejects', 'fine', 'rejects']);
  const entry = (error: Error): LogEntry => ({
    level: 'error',
    event: 'a handler threw',
    direction: 'in',
    method: 'session/update',
    error,
  });
  expect(entries).toEqual([entry(new Error('thrown')), entry(new Error('rejected')), entry(new Error('rejected'))]);
  expect(wire.take()).toEqual([]);
});

test('the context of a handler has the method, the peer and, for a request, the id and a signal', async () => {
  const seen: unknown[] = [];
  const { wire, peer } = await readyAgent({
    _x: (params, context) =>
      void seen.push([params, context.method, context.requestId, context.peer === peer, context.signal?.aborted]),
  });
  wire.feed(call('7', '_x', { a: 1 }), note('_x', { a: 2 }));
  await macrotask();
  expect(seen).toEqual([
    [{ a: 1 }, '_x', '7', true, false],
    [{ a: 2 }, '_x', undefined, true, undefined],
  ]);
});

test('the freeze option freezes everything a handler receives; without it nothing is frozen', async () => {
  const frozen = async (freeze: boolean): Promise<unknown> => {
    let seen: unknown;
    const { wire } = await readyAgent(
      { _x: (params) => void (seen = params), 'session/prompt': () => ({ stopReason: 'end_turn' }) },
      { freeze },
    );
    wire.feed(note('_x', { a: [{ b: null }], c: { d: {} } }));
    await macrotask();
    const { a, c } = seen as { a: readonly object[]; c: { d: object } };
    return [seen, a, a[0], c, c.d].map((each) => Object.isFrozen(each));
  };
  expect([await frozen(true), await frozen(false)]).toEqual([
    [true, true, true, true, true],
    [false, false, false, false, false],
  ]);
});

test('a handler that writes to a frozen message fails with an error, and the connection continues', async () => {
  const { wire } = await readyAgent(
    {
      _x: (params) => {
        (params as { a: number }).a = 2;
        return params;
      },
    },
    { freeze: true },
  );
  wire.feed(call(1, '_x', { a: 1 }), call(2, '_y'));
  await macrotask();
  expect(wire.take()).toEqual([internal, refusal(2, -32601, 'Method not found: _y', { method: '_y' })]);
});

test('handlers may be an instance of a class, and the other side cannot call its members outside the protocol', async () => {
  class OwnHandlers {
    readonly #sessions = ['one'];

    initialize(): { readonly protocolVersion: 1 } {
      return { protocolVersion: 1 };
    }

    'session/new'(): { readonly sessionId: string } {
      return { sessionId: this.#sessions.join() };
    }

    _own(): string {
      return 'never called';
    }
  }
  const wire = new TestWire();
  connectAgent(wire, new OwnHandlers() as unknown as Handlers<'agent'>);
  wire.feed(initialize);
  await wire.frames(1);
  wire.feed(call(1, 'session/new', { cwd: '/', mcpServers: [] }), call(2, '_own'), call(3, 'constructor'));
  await macrotask();
  expect(wire.take()).toEqual([
    answer(1, { sessionId: 'one' }),
    refusal(2, -32601, 'Method not found: _own', expect.anything()),
    refusal(3, -32601, 'Method not found: constructor', expect.anything()),
  ]);
});
