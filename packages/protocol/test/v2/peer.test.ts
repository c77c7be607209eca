import { connectAgent, connectClient, type Params, type Result } from '@turnwire/protocol';
import { type SessionUpdate, v2, type V2 } from '@turnwire/protocol/v2';
import { v2Unstable } from '@turnwire/protocol/v2/unstable';
import { memoryPair } from '@turnwire/transports/memory';
import { expect, expectTypeOf, test } from 'vitest';
import { answer, call, deferred, macrotask, note, outcome, refusal, TestWire, until } from '../peer/test-wire.ts';
import { agreed, info, readyAgent, readyClient } from './v2-pair.ts';

const text = { type: 'text', text: 'Hi' } as const;

function updated(sessionId: string, update: object): ReturnType<typeof note> {
  return note('session/update', { sessionId, update });
}

const state = (name: string): object => ({ sessionUpdate: 'state_update', state: name });

test('a state update that arrives before the answer to session/new is delivered after that answer', async () => {
  const events: unknown[] = [];
  const { wire, peer } = await readyClient({ 'session/update': ({ update }) => void events.push(update) });
  const created = peer.request('session/new', { cwd: '/' }).then(({ sessionId }) => events.push(sessionId));
  wire.feed(updated('s', state('running')));
  await macrotask();
  expect(events).toEqual([]);
  wire.feed(answer(1, { sessionId: 's' }), updated('s', state('idle')));
  await created;
  await until(() => events.length === 3);
  expect(events).toEqual(['s', state('running'), state('idle')]);
});

/** A client whose handler of updates takes its time, with what happens in order. */
async function slowClient(): Promise<
  Awaited<ReturnType<typeof readyClient>> & { readonly order: string[]; readonly release: () => void }
> {
  const order: string[] = [];
  const go = deferred();
  const ready = await readyClient({
    'session/update': async () => {
      order.push('update');
      await go.promise;
      order.push('update handled');
    },
  });
  return { ...ready, order, release: go.resolve };
}

test('the answer to a prompt of version 2 does not wait for slow update handlers', async () => {
  const { wire, peer, order, release } = await slowClient();
  const accepted = peer
    .request('session/prompt', { sessionId: 's', prompt: [text] })
    .then(({ messageId }) => order.push(messageId));
  wire.feed(updated('s', state('running')), answer(1, { messageId: 'accepted' }));
  await accepted;
  release();
  await until(() => order.length === 3);
  expect(order).toEqual(['update', 'accepted', 'update handled']);
});

test('the answer to session/resume is delivered after the replayed updates are handled', async () => {
  const { wire, peer, order, release } = await slowClient();
  const resumed = peer
    .request('session/resume', { sessionId: 's', cwd: '/', replayFrom: { type: 'start' } })
    .then(() => order.push('resumed'));
  wire.feed(updated('s', { sessionUpdate: 'replay_complete' }), answer(1, {}));
  await macrotask();
  release();
  await resumed;
  expect(order).toEqual(['update', 'update handled', 'resumed']);
});

test('a client does not send methods, content, servers and folders that the agent did not advertise', async () => {
  const { peer } = await readyClient({}, { protocolVersion: 2, info, capabilities: { session: {} } });
  const refused = (method: string, why: string): unknown => ({
    code: 'not-advertised',
    message: `${method} was not sent: ${why}`,
  });
  const image = { type: 'image', data: 'AA==', mimeType: 'image/png' } as const;
  const server = { type: 'stdio', name: 'n', command: 'c' } as const;
  expect([
    await outcome(peer.request('auth/login', { methodId: 'm' })),
    await outcome(peer.request('auth/logout', {})),
    await outcome(peer.request('session/delete', { sessionId: 's' })),
    await outcome(peer.request('session/prompt', { sessionId: 's', prompt: [text, image] })),
    await outcome(peer.request('session/new', { cwd: '/', mcpServers: [server] })),
    await outcome(peer.request('session/new', { cwd: '/', additionalDirectories: ['/a'] })),
  ]).toEqual([
    refused('auth/login', 'the agent did not advertise authMethods'),
    refused('auth/logout', 'the agent did not advertise authMethods'),
    refused('session/delete', 'the agent did not advertise session.delete'),
    refused('session/prompt', 'prompt[1]: the agent did not advertise content of type "image"'),
    refused('session/new', 'mcpServers[0]: the agent did not advertise MCP over stdio'),
    refused('session/new', 'additionalDirectories: the agent did not advertise them'),
  ]);
});

test('an agent refuses content and servers that it did not advertise, and every session method if it did not advertise sessions', async () => {
  const handlers = { 'session/prompt': () => ({ messageId: 'm' }), 'session/new': () => ({ sessionId: 's' }) } as const;
  const { wire } = await readyAgent({
    ...handlers,
    initialize: () => ({ protocolVersion: 2, info, capabilities: { session: {} } }),
  });
  wire.feed(
    call(1, 'session/prompt', { sessionId: 's', prompt: [{ type: 'audio', data: 'AA==', mimeType: 'audio/wav' }] }),
    call(2, 'session/prompt', { sessionId: 's', prompt: [{ type: 'x' }] }),
    call(3, 'session/new', { cwd: '/', mcpServers: [{ type: '_meta', name: 'n' }] }),
  );
  const without = await readyAgent({ ...handlers, initialize: () => ({ protocolVersion: 2, info }) });
  without.wire.feed(call(4, 'session/new', { cwd: '/' }));
  expect([...(await wire.frames(3)), ...(await without.wire.frames(1))]).toEqual([
    refusal(1, -32602, 'Invalid params: prompt[0]: the agent did not advertise content of type "audio"'),
    refusal(2, -32602, 'Invalid params: prompt[0]: the agent did not advertise content of type "x"'),
    refusal(3, -32602, 'Invalid params: mcpServers[0]: the agent did not advertise MCP over _meta'),
    refusal(4, -32601, 'Method not found: session/new', { method: 'session/new' }),
  ]);
});

test('a client sends auth/login only for a listed method that is not a terminal login', async () => {
  const authMethods = [
    { type: 'agent', methodId: 'a', name: 'A' },
    { type: 'terminal', methodId: 't', name: 'T' },
  ];
  const { wire, peer } = await readyClient({}, { ...agreed, authMethods });
  const login = peer.request('auth/login', { methodId: 'a' });
  wire.feed(answer(1, {}));
  expect([
    await login,
    await outcome(peer.request('auth/login', { methodId: 'b' })),
    await outcome(peer.request('auth/login', { methodId: 't' })),
  ]).toEqual([
    {},
    { code: 'not-advertised', message: 'auth/login was not sent: methodId: the agent did not list "b" in authMethods' },
    {
      code: 'not-advertised',
      message: `auth/login was not sent: methodId: "t" is a terminal login: run the agent's command instead`,
    },
  ]);
});

test('an agent of version 2 refuses servers in the spellings of version 1', async () => {
  const { wire } = await readyAgent({ 'session/new': () => ({ sessionId: 's' }) });
  wire.feed(
    call(1, 'session/new', { cwd: '/', mcpServers: { n: { command: 'c' } } }),
    call(2, 'session/new', { cwd: '/', mcpServers: [{ name: 'n', command: '/c' }] }),
    call(3, 'session/new', { cwd: '/', mcpServers: [{ type: 'stdio', name: 'n', command: '/c' }] }),
  );
  expect(await wire.frames(3)).toEqual([
    refusal(1, -32602, 'Invalid params: mcpServers: expected a list, received an object'),
    refusal(2, -32602, 'Invalid params: mcpServers[0].type: expected a string, received nothing'),
    answer(3, { sessionId: 's' }),
  ]);
});

test('an update of a kind that is unknown arrives whole, and a known one with a wrong body is dropped', async () => {
  const updates: SessionUpdate[] = [];
  const { wire } = await readyClient({ 'session/update': ({ update }) => void updates.push(update) });
  const future = { sessionUpdate: 'x_future', content: 5, entries: [{ a: null }] };
  wire.feed(
    updated('s', future),
    updated('s', { sessionUpdate: 'agent_message_chunk', content: text }),
    updated('s', { sessionUpdate: 'agent_message_chunk', messageId: 'm', content: text }),
  );
  await until(() => updates.length === 2);
  expect(updates).toEqual([future, { sessionUpdate: 'agent_message_chunk', messageId: 'm', content: text }]);
});

test('an unstable method of version 2 is sent if it is advertised and refused if it is not', async () => {
  const [agentEnd, clientEnd] = memoryPair();
  const capabilities = { session: { fork: {} } };
  connectAgent(
    agentEnd,
    { initialize: () => ({ protocolVersion: 2, info, capabilities }), 'session/fork': () => ({ sessionId: 'fork' }) },
    { edition: v2Unstable },
  );
  const agent = connectClient(clientEnd, {}, { edition: v2Unstable });
  await agent.request('initialize', { protocolVersion: 2, info });
  expect([
    await agent.request('session/fork', { sessionId: 's', cwd: '/' }),
    await outcome(agent.request('session/status', { sessionId: 's' })),
  ]).toEqual([
    { sessionId: 'fork' },
    { code: 'not-advertised', message: 'session/status was not sent: the agent did not advertise session.status' },
  ]);
});

test('a peer of version 2 has the message types of version 2', () => {
  expectTypeOf<Result<'session/prompt', V2>>().toExtend<{ readonly messageId: string }>();
  expectTypeOf<Params<'session/prompt', V2>['idempotencyKey']>().toEqualTypeOf<string | null | undefined>();
  const client = connectClient(new TestWire(), {}, { edition: v2 });
  // @ts-expect-error -- version 2 has no modes
  void outcome(client.request('session/set_mode', { sessionId: 's', modeId: 'm' }));
  // @ts-expect-error -- the client is not described
  void outcome(client.request('initialize', { protocolVersion: 2 }));
});
