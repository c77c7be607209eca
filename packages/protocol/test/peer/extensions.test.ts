import { connectClient, methodNotFound } from '@turnwire/protocol';
import { expect, test } from 'vitest';
import { macrotask, outcome, readyPair, until, wirePair } from './test-wire.ts';

test('extension requests and notifications work both ways, with any JSON for params and results', async () => {
  const values = [null, 0, '', false, [], [1, [2]], {}, { a: { b: [null] } }, 'ü\u2028\n"', -0.5];
  const notes: unknown[] = [];
  const echo = (params: unknown): unknown => params;
  const { agent, client } = await readyPair({
    agent: { '_echo/it': echo, _note: (params) => void notes.push(['agent', params]) },
    client: { '_echo/it': echo, _note: (params) => void notes.push(['client', params]) },
  });
  for (const peer of [agent, client]) {
    const expected = values.map((value) => value ?? {});
    expect(await Promise.all(values.map((value) => peer.request('_echo/it', value)))).toEqual(expected);
    await peer.notify('_note', { from: peer.side });
  }
  await until(() => notes.length === 2);
  expect(notes).toEqual([
    ['client', { from: 'agent' }],
    ['agent', { from: 'client' }],
  ]);
});

test('an extension request without a handler is answered with -32601, and such a notification is ignored', async () => {
  const { agent, client, wires } = await readyPair({});
  expect([await outcome(agent.request('_x')), await outcome(client.request('_x'))]).toEqual([
    { code: -32601, message: 'Method not found: _x', data: { method: '_x' } },
    { code: -32601, message: 'Method not found: _x', data: { method: '_x' } },
  ]);
  for (const wire of wires) wire.take();
  await agent.notify('_x', {});
  await client.notify('_x', {});
  await macrotask();
  expect(wires.map((wire) => wire.take())).toEqual([
    [{ jsonrpc: '2.0', method: '_x', params: {} }],
    [{ jsonrpc: '2.0', method: '_x', params: {} }],
  ]);
});

test('the error of a nested call reaches the caller unchanged if the handler passes it on', async () => {
  const { client } = await readyPair({
    agent: { _outer: (_, { peer }) => peer.request('_inner', { a: 1 }) },
    client: {
      _inner: (params) => {
        throw methodNotFound(JSON.stringify(params));
      },
    },
  });
  expect(await outcome(client.request('_outer'))).toEqual({
    code: -32601,
    message: 'Method not found: {"a":1}',
    data: { method: '{"a":1}' },
  });
});

test('50 calls that are nested between both sides all resolve', async () => {
  const down = async (
    params: unknown,
    peer: { request(method: '_down', params: unknown): Promise<unknown> },
  ): Promise<unknown> => (params === 0 ? 'bottom' : peer.request('_down', (params as number) - 1));
  const { client } = await readyPair({
    agent: { _down: (params, { peer }) => down(params, peer) },
    client: { _down: (params, { peer }) => down(params, peer) },
  });
  expect(await client.request('_down', 50)).toBe('bottom');
});

const meta = { 'vendor.example/key': { deep: [{ a: null }] }, traceparent: '00-1-2-03', n: 1.5 };

test('_meta and unknown keys reach the other side unchanged in both directions', async () => {
  const seen: unknown[] = [];
  const prompt = {
    sessionId: 's',
    prompt: [{ type: 'text' as const, text: 'a', _meta: meta, later: [1] }],
    _meta: meta,
    future: { a: [] },
  };
  const update = {
    sessionId: 's',
    update: { sessionUpdate: 'tool_call' as const, toolCallId: 't', title: 'x', _meta: meta, future: true },
    _meta: meta,
    more: null,
  };
  const permission = {
    sessionId: 's',
    toolCall: { toolCallId: 't', _meta: meta, future: [] },
    options: [],
    _meta: meta,
    future: '',
  };
  const outcomeOf = {
    outcome: { outcome: 'selected' as const, optionId: 'o', _meta: meta, future: 1 },
    _meta: meta,
    future: 2,
  };
  const result = { stopReason: 'end_turn' as const, _meta: meta, usage: { total: 1 } };
  const { client } = await readyPair({
    agent: {
      'session/prompt': async (params, { peer }) => {
        seen.push(params);
        await peer.notify('session/update', update);
        seen.push(await peer.request('session/request_permission', permission));
        return result;
      },
    },
    client: {
      'session/update': (params) => void seen.push(params),
      'session/request_permission': (params) => {
        seen.push(params);
        return outcomeOf;
      },
    },
  });
  expect(await client.request('session/prompt', prompt)).toEqual(result);
  expect(seen).toEqual([prompt, update, permission, outcomeOf]);
});

test('a _meta that is null is accepted, and a _meta that is a number is dropped', async () => {
  const { client, wires } = await readyPair({
    agent: { 'session/close': (params) => ({ _meta: { params } }) as never },
  });
  expect(await client.request('session/close', { sessionId: 's', _meta: null })).toEqual({
    _meta: { params: { sessionId: 's', _meta: null } },
  });
  wires[0].take();
  wires[0].feed({ jsonrpc: '2.0', id: 99, method: 'session/close', params: { sessionId: 's', _meta: 5 } });
  await macrotask();
  expect(wires[0].take()).toEqual([{ jsonrpc: '2.0', id: 99, result: { _meta: { params: { sessionId: 's' } } } }]);
});

test('messages without a handler of their own go to the handler for all methods, with their method name', async () => {
  const seen: unknown[] = [];
  const { agent, client } = await readyPair({
    agent: {
      '*': (params, { method, requestId }) => {
        seen.push([method, params, requestId !== undefined]);
        return { from: method };
      },
      _own: () => 'own',
    },
    client: { '*': (params, { method }) => void seen.push([method, params]) },
  });
  expect([
    await client.raw.request('session/fork', { sessionId: 's' }),
    await client.request('_other', [1]),
    await client.request('_own'),
    // What the table knows is read as ever, and has to be advertised.
    await outcome(client.raw.request('session/prompt', { sessionId: 's' })),
  ]).toEqual([
    { from: 'session/fork' },
    { from: '_other' },
    'own',
    { code: -32602, message: 'Invalid params: prompt: expected a list, received nothing' },
  ]);
  await client.raw.notify('session/draft', { a: 1 });
  await agent.raw.notify('mcp/message', { b: 2 });
  expect(client.raw.notifyWritten('session/written', '{"c":3}', 's')).toBeUndefined();
  await until(() => seen.length === 5);
  expect(seen).toEqual([
    ['session/fork', { sessionId: 's' }, true],
    ['_other', [1], true],
    ['session/draft', { a: 1 }, false],
    ['mcp/message', { b: 2 }],
    ['session/written', { c: 3 }, false],
  ]);
  await client.close();
  expect(await outcome(client.raw.notifyWritten('session/written', '{}') ?? Promise.resolve('sent'))).toMatchObject({
    code: 'connection-closed',
  });
});

test('a raw call is sent and answered without checks, and is refused before initialize', async () => {
  const { client } = await readyPair({ agent: { 'session/new': () => ({ sessionId: 's' }) } }, { checkOutgoing: true });
  expect([
    await outcome(client.raw.request('session/new', { cwd: 1 })),
    await client.raw.request('session/new', { cwd: '/', mcpServers: [], more: true }),
    await outcome(client.raw.request('session/none')),
  ]).toEqual([
    {
      code: -32602,
      message:
        'Invalid params: cwd: expected an absolute path, received a number; mcpServers: expected a list, received nothing',
    },
    { sessionId: 's' },
    { code: -32601, message: 'Method not found: session/none', data: { method: 'session/none' } },
  ]);
  const early = connectClient(wirePair()[0], {});
  expect(await outcome(early.raw.request('session/fork'))).toEqual({
    code: 'not-initialized',
    message: 'session/fork was not sent: session/fork came before initialize was answered',
  });
});

test('a peer without gates can send any method', async () => {
  const { client } = await readyPair({ agent: { '*': (_, { method }) => method } }, { gates: false });
  expect(await client.request('session/fork' as '_fork', {})).toBe('session/fork');
});
