import { type Peer } from '@turnwire/protocol';
import { expect, test } from 'vitest';
import {
  answer,
  call,
  chunk,
  macrotask,
  outcome,
  readyClient,
  refusal,
  type TestWire,
  until,
  wordOf,
} from './test-wire.ts';

const setup = { cwd: '/', mcpServers: [] } as const;

interface Watched {
  readonly wire: TestWire;
  readonly peer: Peer<'client'>;
  readonly events: string[];
}

/** A client that writes down what it is told, and by whom. */
async function watchedClient(): Promise<Watched> {
  const events: string[] = [];
  const { wire, peer } = await readyClient({
    'session/update': (params) => void events.push(`${params.sessionId}: ${wordOf(params)}`),
    'session/request_permission': ({ sessionId }) => {
      events.push(`${sessionId}: may I?`);
      return { outcome: { outcome: 'cancelled' } };
    },
  });
  return { wire, peer, events };
}

function permission(id: unknown, sessionId: string): ReturnType<typeof call> {
  return call(id, 'session/request_permission', { sessionId, toolCall: { toolCallId: 't' }, options: [] });
}

/** Creates a session and notes when the caller knows its id, a few promises further up. */
async function create({ peer, events }: Watched): Promise<void> {
  const creating = async (): Promise<string> => (await peer.request('session/new', setup)).sessionId;
  const further = async (): Promise<string> => creating();
  const id = await outcome(further());
  events.push(`known: ${JSON.stringify(id)}`);
}

test('updates sent before the answer to session/new are delivered after it', async () => {
  const client = await watchedClient();
  const created = create(client);
  client.wire.feed(chunk('new', '1'), permission('p', 'new'), chunk('new', '2'));
  await macrotask();
  expect(client.events).toEqual([]);
  client.wire.feed(answer(1, { sessionId: 'new' }), chunk('new', '3'));
  await created;
  await until(() => client.events.length >= 5);
  expect(client.events).toEqual(['known: {"resolved":"new"}', 'new: 1', 'new: may I?', 'new: 2', 'new: 3']);
});

test('updates that arrive in one chunk with the answer to session/new wait until the caller knows the session', async () => {
  const client = await watchedClient();
  const created = create(client);
  client.wire.feed(answer(1, { sessionId: 'new' }), chunk('new', '1'), permission('p', 'new'));
  await created;
  await until(() => client.events.length >= 3);
  expect(client.events).toEqual(['known: {"resolved":"new"}', 'new: 1', 'new: may I?']);
});

test('a permission request that arrives before the answer to session/new is handled after that answer', async () => {
  const client = await watchedClient();
  const created = create(client);
  client.wire.feed(permission('p', 'new'), answer(1, { sessionId: 'new' }));
  await created;
  await until(() => client.events.length >= 2);
  expect(client.events).toEqual(['known: {"resolved":"new"}', 'new: may I?']);
});

test('several sessions set up at once each get their early updates after their own answer', async () => {
  const client = await watchedClient();
  const both = [create(client), create(client)];
  client.wire.feed(chunk('b', '1'), chunk('a', '1'), chunk('b', '2'), answer(2, { sessionId: 'b' }), chunk('a', '2'));
  await both[1];
  await until(() => client.events.length >= 3);
  expect(client.events).toEqual(['known: {"resolved":"b"}', 'b: 1', 'b: 2']);
  client.events.length = 0;
  client.wire.feed(answer(1, { sessionId: 'a' }));
  await both[0];
  await until(() => client.events.length >= 3);
  expect(client.events).toEqual(['known: {"resolved":"a"}', 'a: 1', 'a: 2']);
});

test('updates of a known session do not wait while another session is being created', async () => {
  const client = await watchedClient();
  const first = create(client);
  client.wire.feed(answer(1, { sessionId: 'old' }), chunk('old', '0'));
  await first;
  await until(() => client.events.length >= 2);
  const second = create(client);
  await macrotask();
  client.wire.feed(chunk('old', '1'), chunk('new', '1'));
  await until(() => client.events.length >= 3);
  expect(client.events).toEqual(['known: {"resolved":"old"}', 'old: 0', 'old: 1']);
  client.wire.feed(answer(2, { sessionId: 'new' }));
  await second;
});

test('the replay of a session that is being loaded does not wait for another that is being created', async () => {
  const client = await watchedClient();
  void create(client);
  const loaded = client.peer.request('session/load', { sessionId: 'loaded', ...setup });
  client.wire.feed(chunk('loaded', '1'), answer(2, {}));
  await loaded;
  expect(client.events).toEqual(['loaded: 1']);
});

test('held updates are delivered when session/new fails', async () => {
  const client = await watchedClient();
  const created = create(client);
  client.wire.feed(chunk('orphan', '1'), refusal(1, -32603, 'no'));
  await created;
  await until(() => client.events.length >= 2);
  expect(client.events).toEqual(['known: {"code":-32603,"message":"no"}', 'orphan: 1']);
});

test('a session that is being created gets its early updates after its answer even if another session/new fails', async () => {
  const client = await watchedClient();
  const both = [create(client), create(client)];
  client.wire.feed(chunk('b', '1'), refusal(1, -32000, 'Authentication required'));
  await both[0];
  await macrotask();
  client.wire.feed(chunk('b', '2'), answer(2, { sessionId: 'b' }));
  await both[1];
  await until(() => client.events.length >= 4);
  expect(client.events).toEqual([
    'known: {"code":-32000,"message":"Authentication required"}',
    'known: {"resolved":"b"}',
    'b: 1',
    'b: 2',
  ]);
});

test('held updates are delivered when the connection ends before session/new is answered', async () => {
  const client = await watchedClient();
  const created = create(client);
  client.wire.feed(chunk('orphan', '1'));
  client.wire.end();
  await created;
  await client.peer.closed;
  expect(client.events.toSorted()).toEqual([
    'known: {"code":"connection-closed","message":"No answer will come: the peer ended the connection"}',
    'orphan: 1',
  ]);
});

test('updates of unknown sessions are delivered at once if no session is being set up', async () => {
  const client = await watchedClient();
  client.wire.feed(chunk('unknown', '1'));
  await macrotask();
  expect(client.events).toEqual(['unknown: 1']);
});
