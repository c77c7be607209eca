import { connectAgent, connectClient, type Edition, type Peer, v1, type V1 } from '@turnwire/protocol';
import { type SessionUpdate, v1Unstable, type V1Unstable } from '@turnwire/protocol/unstable';
import { memoryPair } from '@turnwire/transports/memory';
import { expect, expectTypeOf, test } from 'vitest';
import { answer, call, chunk, macrotask, note, outcome, TestWire, until } from './test-wire.ts';

const capabilities = { sessionCapabilities: { fork: {}, status: {} }, loadSession: true } as const;

/** A client with the unstable methods on a test wire, past `initialize`. */
async function unstableClient(wire: TestWire, updates: SessionUpdate[] = []): Promise<Peer<'client', V1Unstable>> {
  const client = connectClient(
    wire,
    { 'session/update': ({ update }) => void updates.push(update) },
    { edition: v1Unstable },
  );
  const ready = client.request('initialize', { protocolVersion: 1 });
  wire.feed(answer(0, { protocolVersion: 1, agentCapabilities: capabilities }));
  await ready;
  wire.take();
  return client;
}

test('a client with the unstable edition types, checks and gates the unstable methods', async () => {
  const wire = new TestWire();
  const client = await unstableClient(wire);
  const status = client.request('session/status', { sessionId: 's' });
  expectTypeOf(status).toExtend<Promise<{ readonly status: string }>>();
  wire.feed(answer(1, { status: 'saved' }));
  const wrong = outcome(client.request('session/status', { sessionId: 's' }));
  wire.feed(answer(2, { status: 7 }));
  // @ts-expect-error -- the title is missing
  const unsent = outcome(client.request('session/set_title', { sessionId: 's' }));
  expect([await status, await wrong, await unsent, await outcome(client.request('auth/status', {}))]).toEqual([
    { status: 'saved' },
    {
      code: 'invalid-response',
      message: 'The answer to session/status does not fit the protocol: status: expected a string, received a number',
    },
    {
      code: 'invalid-message',
      message: 'session/set_title was not sent: title: expected a string, received nothing',
    },
    { code: 'not-advertised', message: 'auth/status was not sent: the agent did not advertise auth.status' },
  ]);
});

test('a client without the unstable edition does not send an unstable method', async () => {
  const client = connectClient(new TestWire(), {});
  // @ts-expect-error -- not a stable method
  expect(await outcome(client.request('session/status', { sessionId: 's' }))).toEqual({
    code: 'invalid-message',
    message: 'session/status was not sent: there is no such method; extensions start with "_", and peer.raw sends any',
  });
});

test('updates of a forked session are held until the answer to session/fork is delivered', async () => {
  const wire = new TestWire();
  const updates: SessionUpdate[] = [];
  const client = await unstableClient(wire, updates);
  const forked = client.request('session/fork', { sessionId: 's', cwd: '/' });
  wire.feed(chunk('s2', 'early'), answer(1, { sessionId: 's2' }));
  const { sessionId } = await forked;
  expect({ sessionId, updates }).toEqual({ sessionId: 's2', updates: [] });
  await until(() => updates.length === 1);
});

test('updates of the unstable edition reach the handler if the client advertised them, and are not sent otherwise', async () => {
  const updates: SessionUpdate[] = [];
  const [agentEnd, clientEnd] = memoryPair();
  const agent = connectAgent(agentEnd, { initialize: () => ({ protocolVersion: 1 }) }, { edition: v1Unstable });
  const client = connectClient(
    clientEnd,
    { 'session/update': ({ update }) => void updates.push(update) },
    { edition: v1Unstable },
  );
  await client.request('initialize', { protocolVersion: 1, clientCapabilities: { plan: {} } });
  const removed = { sessionUpdate: 'plan_removed', planId: 'p' } as const;
  await agent.notify('session/update', { sessionId: 's', update: removed });
  const subagent = { sessionUpdate: 'subagent_update', sessionId: 'child' } as const;
  const refused = await outcome(agent.notify('session/update', { sessionId: 's', update: subagent }));
  await until(() => updates.length === 1);
  expect({ updates, refused }).toEqual({
    updates: [removed],
    refused: {
      code: 'not-advertised',
      message: 'session/update was not sent: update: the client did not advertise subagents',
    },
  });
});

test('a custom edition can deliver the answer to a prompt before the updates in front of it are handled', async () => {
  const acknowledging: Edition<V1> = {
    ...v1,
    protocolVersion: 2,
    ordering: { ...v1.ordering, answersLast: new Set() },
  };
  const wire = new TestWire();
  const order: string[] = [];
  let release: () => void = () => undefined;
  const client = connectClient(
    wire,
    {
      'session/update': async () => {
        order.push('update');
        await new Promise<void>((resolve) => (release = resolve));
        order.push('update handled');
      },
    },
    { edition: acknowledging },
  );
  const ready = client.request('initialize', { protocolVersion: 2 });
  wire.feed(answer(0, { protocolVersion: 2 }));
  await ready;
  const accepted = client.request('session/prompt', { sessionId: 's', prompt: [] }).then(() => order.push('accepted'));
  wire.feed(chunk('s', 'a'), answer(1, { stopReason: 'end_turn' }));
  await accepted;
  release();
  await until(() => order.length === 3);
  expect(order).toEqual(['update', 'accepted', 'update handled']);
});

test('an agent’s handler for all methods receives an MCP notification and a proxy request, which have no rows of their own', async () => {
  const wire = new TestWire();
  const received: unknown[] = [];
  connectAgent(
    wire,
    { '*': (params, { method }) => void received.push([method, params]) },
    { edition: v1Unstable, gates: false },
  );
  const params = { serverId: 'm', requestId: '1', method: 'notifications/progress' };
  wire.feed(note('mcp/message', params), call(1, 'proxy/successor', { method: 'x' }));
  await until(() => received.length === 2);
  await macrotask();
  expect(received).toEqual([
    ['mcp/message', params],
    ['proxy/successor', { method: 'x' }],
  ]);
});

test('an edition whose methods name a definition without a check is refused when it is first used', () => {
  const broken: Edition<V1> = { ...v1, checks: {} };
  expect(() => connectClient(new TestWire(), {}, { edition: broken })).toThrow(
    new TypeError('the edition has no check for InitializeRequest'),
  );
});
