import { connectAgent } from '@turnwire/protocol';
import { expect, test } from 'vitest';
import {
  answer,
  chunk,
  deferred,
  initialize,
  macrotask,
  note,
  outcome,
  readyClient,
  TestWire,
  until,
  wordOf,
} from './test-wire.ts';

const prompt = { sessionId: 's', prompt: [] } as const;
const words = Array.from({ length: 1_000 }, (_, index) => String(index));

test('a slow handler pauses the wire, and every update is still handled', async () => {
  const seen: string[] = [];
  let waitingAtMost = 0;
  const { wire, peer } = await readyClient(
    {
      'session/update': async (params) => {
        await macrotask();
        seen.push(wordOf(params));
        waitingAtMost = Math.max(waitingAtMost, words.length - wire.waiting - seen.length);
      },
    },
    { limits: { heldText: 10_000 } },
  );
  const prompted = peer.request('session/prompt', prompt);
  wire.feed(...words.map((word) => chunk('s', word)), answer(1, { stopReason: 'end_turn' }));
  await prompted;
  expect(seen).toEqual(words);
  expect(wire.pauses).toBeGreaterThan(5);
  expect(waitingAtMost).toBeLessThan(100);
});

test('a quick handler never pauses the wire', async () => {
  const seen: string[] = [];
  const { wire, peer } = await readyClient(
    { 'session/update': (params) => void seen.push(wordOf(params)) },
    { limits: { heldText: 100 } },
  );
  const prompted = peer.request('session/prompt', prompt);
  wire.feed(...words.map((word) => chunk('s', word)), answer(1, { stopReason: 'end_turn' }));
  await prompted;
  expect({ seen, pauses: wire.pauses }).toEqual({ seen: words, pauses: 0 });
});

test('a handler gets the answer it waits for although the answer is behind updates on a paused wire', async () => {
  const events: unknown[] = [];
  const { wire } = await readyClient(
    {
      'session/update': async (params, { peer }) => {
        if (wordOf(params) === '0') events.push(await peer.request('_ask'));
        events.push(wordOf(params));
      },
    },
    { limits: { heldText: 10_000 } },
  );
  const some = words.slice(0, 200);
  wire.feed(...some.map((word) => chunk('s', word)));
  await wire.frames(1);
  wire.feed(answer(1, 'answered'));
  await until(() => events.length > 200);
  expect(events).toEqual(['answered', ...some]);
});

test('the connection stays open while a handler takes seconds but makes progress', async () => {
  const seen: string[] = [];
  const { wire, peer } = await readyClient(
    {
      'session/update': async (params) => {
        await new Promise((resolve) => setTimeout(resolve, 250));
        seen.push(wordOf(params));
      },
    },
    { limits: { heldText: 1_300, heldTextHard: 1_600 } },
  );
  const some = words.slice(0, 17);
  const prompted = peer.request('session/prompt', prompt);
  wire.feed(...some.map((word) => chunk('s', word)), answer(1, { stopReason: 'end_turn' }));
  expect({ answer: await prompted, seen }).toEqual({ answer: { stopReason: 'end_turn' }, seen: some });
});

test('the connection is closed at the hard limit of held text, and every pending call fails with the reason', async () => {
  const { wire, peer } = await readyClient(
    { 'session/update': () => new Promise(() => undefined) },
    { limits: { heldText: 1_000, heldTextHard: 4_000 } },
  );
  const calls = [peer.request('session/prompt', prompt), peer.request('_x')].map(outcome);
  wire.feed(...words.slice(0, 100).map((word) => chunk('s', word)));
  const closed = await peer.closed;
  const reason = 'More than 4000 characters wait for slow handlers; the connection was given up';
  expect({
    by: closed.by,
    error: await outcome(Promise.reject(closed.error as Error)),
    calls: await Promise.all(calls),
    wire: wire.isClosed,
  }).toEqual({
    by: 'error',
    error: { code: 'limit-exceeded', message: reason },
    calls: [
      { code: 'connection-closed', message: `No answer will come: ${reason}` },
      { code: 'connection-closed', message: `No answer will come: ${reason}` },
    ],
    wire: true,
  });
});

test('messages that arrive before initialize is answered count towards the limit of held text', async () => {
  const ready = deferred<{ protocolVersion: number }>();
  const seen: unknown[] = [];
  const early = new TestWire();
  connectAgent(
    early,
    { initialize: () => ready.promise, _x: (params) => void seen.push(params) },
    { limits: { heldText: 1_000 } },
  );
  early.feed({ jsonrpc: '2.0', id: 0, method: 'initialize', params: { protocolVersion: 1 } });
  early.feed(...words.map((word) => note('_x', { word })));
  await macrotask();
  expect(early.waiting).toBeGreaterThan(900);
  ready.resolve({ protocolVersion: 1 });
  await until(() => seen.length === words.length);
  expect(seen).toEqual(words.map((word) => ({ word })));
});

test('messages that arrived before initialize was answered count towards the limit only until they are read', async () => {
  const wire = new TestWire();
  let tries = 0;
  const seen: unknown[] = [];
  connectAgent(
    wire,
    {
      initialize: async () => {
        await macrotask();
        if (++tries < 4) throw new Error('not yet');
        return { protocolVersion: 1 };
      },
      _x: (params) => void seen.push(params),
    },
    { limits: { heldText: 1_000 } },
  );
  const some = words.slice(0, 15);
  for (let id = 0; id < 4; id++) {
    wire.feed({ ...initialize, id }, ...some.map((word) => note('_x', { word })));
    await wire.frames(1);
  }
  expect({ pauses: wire.pauses, seen: seen.length }).toEqual({ pauses: 0, seen: 60 });
});

test('notify resolves at once if the wire has room, and otherwise when room is made', async () => {
  const { wire, peer } = await readyClient();
  const room = deferred();
  wire.room = room.promise;
  let sent = false;
  const notified = peer.notify('_x').then(() => (sent = true));
  await macrotask();
  expect(sent).toBe(false);
  room.resolve();
  await notified;
  wire.room = undefined;
  await peer.notify('_x');
  expect(wire.take()).toEqual([note('_x', {}), note('_x', {})]);
});

test('a full outgoing wire does not stop a peer from reading', async () => {
  const { wire, peer } = await readyClient();
  wire.room = new Promise(() => undefined);
  const asked = peer.request('_x');
  void peer.notify('_y');
  wire.feed(answer(1, 'read'));
  expect(await asked).toBe('read');
});

test('outgoing requests beyond the limit are refused, and an answer makes room for another', async () => {
  const { wire, peer } = await readyClient({}, { limits: { outgoingRequests: 2 } });
  const calls = [1, 2, 3].map(() => outcome(peer.request('_x')));
  wire.feed(answer(1, 'one'));
  await calls[0];
  const fourth = outcome(peer.request('_x'));
  wire.feed(answer(2, 'two'), answer(3, 'four'));
  expect(await Promise.all([...calls, fourth])).toEqual([
    { resolved: 'one' },
    { resolved: 'two' },
    {
      code: 'limit-exceeded',
      message: '2 requests wait for an answer already; wait for some, or raise limits.outgoingRequests',
    },
    { resolved: 'four' },
  ]);
});
