import { connectClient } from '@turnwire/protocol';
import { expect, test } from 'vitest';
import {
  answer,
  call,
  chunk,
  deferred,
  macrotask,
  note,
  outcome,
  readyAgent,
  readyClient,
  readyPair,
  refusal,
  TestWire,
  until,
} from './test-wire.ts';

const prompt = { sessionId: 's', prompt: [] } as const;
const cancelled = { code: 'cancelled', message: '_x was cancelled' };

test('aborting a signal sends $/cancel_request, and the peer’s -32800 becomes a cancelled call', async () => {
  const { wire, peer } = await readyClient();
  const controller = new AbortController();
  const call1 = outcome(peer.request('_x', {}, { signal: controller.signal }));
  controller.abort();
  expect(wire.take()).toEqual([call(1, '_x', {}), note('$/cancel_request', { requestId: 1 })]);
  wire.feed(refusal(1, -32800, 'Request cancelled'));
  expect(await call1).toEqual(cancelled);
});

test('the abort reason of a signal becomes the cause of the error of the cancelled call', async () => {
  const { wire, peer } = await readyClient();
  const controller = new AbortController();
  const call1 = peer.request('_x', {}, { signal: controller.signal }).catch((error: unknown) => error);
  const why = new Error('the user pressed escape');
  controller.abort(why);
  wire.feed(refusal(1, -32800, 'Request cancelled'));
  expect(((await call1) as Error).cause).toBe(why);
});

test('a call resolves with a result that arrives after the cancel', async () => {
  const { wire, peer } = await readyClient();
  const controller = new AbortController();
  const prompted = peer.request('session/prompt', prompt, { signal: controller.signal });
  controller.abort();
  wire.feed(answer(1, { stopReason: 'cancelled' }));
  expect(await prompted).toEqual({ stopReason: 'cancelled' });
});

test('a call fails after limits.cancel if its cancel is not answered, and the late answer is dropped', async () => {
  const warnings: string[] = [];
  const { wire, peer } = await readyClient(
    {},
    { limits: { cancel: 20 }, log: ({ level, event }) => void (level === 'warn' && warnings.push(event)) },
  );
  const controller = new AbortController();
  const call1 = outcome(peer.request('_x', {}, { signal: controller.signal }));
  controller.abort();
  expect(await call1).toEqual(cancelled);
  wire.feed(answer(1, 'late'));
  const next = peer.request('_x');
  wire.feed(answer(2, 'next'));
  expect({ next: await next, warnings, sent: wire.take() }).toEqual({
    next: 'next',
    warnings: ['an answer without a waiting request'],
    sent: [call(1, '_x', {}), note('$/cancel_request', { requestId: 1 }), call(2, '_x', {})],
  });
});

test('a call with a signal that is already aborted fails and sends nothing', async () => {
  const { wire, peer } = await readyClient();
  expect(await outcome(peer.request('_x', {}, { signal: AbortSignal.abort() }))).toEqual(cancelled);
  expect(wire.take()).toEqual([]);
});

test('a signal that aborts after the answer does nothing', async () => {
  const { wire, peer } = await readyClient();
  const controller = new AbortController();
  const call1 = peer.request('_x', {}, { signal: controller.signal });
  wire.feed(answer(1, 'done'));
  await call1;
  controller.abort();
  await macrotask();
  expect(wire.take()).toEqual([call(1, '_x', {})]);
});

test('one signal cancels every unanswered request it was given to', async () => {
  const { wire, peer } = await readyClient();
  const controller = new AbortController();
  const calls = [1, 2, 3].map(() => outcome(peer.request('_x', {}, { signal: controller.signal })));
  wire.feed(answer(2, 'done'));
  await calls[1];
  wire.take();
  controller.abort();
  expect(wire.take()).toEqual([note('$/cancel_request', { requestId: 1 }), note('$/cancel_request', { requestId: 3 })]);
  wire.feed(refusal(1, -32800, 'x'), refusal(3, -32800, 'x'));
  expect(await Promise.all(calls)).toEqual([cancelled, { resolved: 'done' }, cancelled]);
});

test('a timeout cancels the request and rejects the call at once; the late answer is dropped and the connection continues', async () => {
  const { wire, peer } = await readyClient();
  expect(await outcome(peer.request('_x', {}, { timeout: 10 }))).toEqual({
    code: 'timeout',
    message: 'No answer to _x within 10 ms',
  });
  const next = peer.request('_x');
  wire.feed(answer(1, 'late'), answer(2, 'next'));
  expect({ next: await next, sent: wire.take() }).toEqual({
    next: 'next',
    sent: [call(1, '_x', {}), note('$/cancel_request', { requestId: 1 }), call(2, '_x', {})],
  });
});

test('a timeout after an unanswered cancel ends the wait without a second cancel', async () => {
  const { wire, peer } = await readyClient();
  const controller = new AbortController();
  const call1 = outcome(peer.request('_x', {}, { signal: controller.signal, timeout: 20 }));
  controller.abort();
  expect({ call1: await call1, sent: wire.take() }).toEqual({
    call1: cancelled,
    sent: [call(1, '_x', {}), note('$/cancel_request', { requestId: 1 })],
  });
});

test('a call with an infinite timeout waits for its answer', async () => {
  const { wire, peer } = await readyClient();
  const call1 = peer.request('_x', {}, { timeout: Infinity });
  await new Promise((resolve) => setTimeout(resolve, 20));
  wire.feed(answer(1, 'in the end'));
  expect(await call1).toBe('in the end');
});

test.each([
  ['a timeout', { timeout: 10 }, undefined],
  ['a signal', {}, 'signal'],
  ['the end of the connection', {}, 'close'],
] as const)('an answer that waits behind a handler which never ends is handed over on %s', async (_, options, how) => {
  const { wire, peer } = await readyClient({ 'session/update': () => new Promise(() => undefined) });
  const controller = new AbortController();
  const prompted = peer.request('session/prompt', prompt, { ...options, signal: controller.signal });
  wire.feed(chunk('s', 'a'), answer(1, { stopReason: 'end_turn' }));
  await macrotask();
  if (how === 'signal') controller.abort();
  if (how === 'close') await peer.close();
  expect(await prompted).toEqual({ stopReason: 'end_turn' });
  expect(wire.take()).toEqual([call(1, 'session/prompt', prompt)]);
});

test('$/cancel_request aborts only the request whose id has the same type and value', async () => {
  const aborted: unknown[] = [];
  const ids = [1, '1', null, '', 0];
  const { wire } = await readyAgent({
    _x: (_, { signal, requestId }) =>
      new Promise((resolve) => signal?.addEventListener('abort', () => resolve(aborted.push(requestId)))),
  });
  wire.feed(...ids.map((id) => call(id, '_x')));
  await macrotask();
  for (const requestId of ['1', null, 0, '', 1]) wire.feed(note('$/cancel_request', { requestId }));
  await macrotask();
  expect(aborted).toEqual(['1', null, 0, '', 1]);
});

test.each<[string, (signal: AbortSignal) => unknown, unknown]>([
  ['throws the signal’s reason', (signal) => fail(signal.reason), refusal(1, -32800, 'Request cancelled')],
  [
    'throws an AbortError of its own',
    () => fail(new DOMException('x', 'AbortError')),
    refusal(1, -32800, 'Request cancelled'),
  ],
  ['answers all the same', () => 'partly', answer(1, 'partly')],
  ['throws something else', () => fail(new TypeError('x')), refusal(1, -32603, 'Internal error while handling _x')],
])('a cancelled request whose handler %s is answered once', async (_, end, expected) => {
  const { wire } = await readyAgent({
    _x: async (__, { signal }) => {
      await new Promise((resolve) => signal?.addEventListener('abort', resolve));
      return end(signal!);
    },
  });
  wire.feed(call(1, '_x'), note('$/cancel_request', { requestId: 1 }), note('$/cancel_request', { requestId: 1 }));
  await macrotask();
  wire.feed(note('$/cancel_request', { requestId: 1 }));
  await macrotask();
  expect(wire.take()).toEqual([expected]);
});

function fail(thrown: unknown): never {
  throw thrown;
}

test('a handler that reads its signal after the cancel gets an aborted signal', async () => {
  const go = deferred();
  const { wire } = await readyAgent({
    _x: async (_, context) => {
      await go.promise;
      return context.signal?.aborted;
    },
  });
  wire.feed(call(1, '_x'), note('$/cancel_request', { requestId: 1 }));
  await macrotask();
  go.resolve();
  await macrotask();
  expect(wire.take()).toEqual([answer(1, true)]);
});

test('a cancel for an unknown or finished request is ignored, and a later request with that id is not aborted', async () => {
  const { wire } = await readyAgent({ _x: (_, { signal }) => signal?.aborted });
  wire.feed(
    note('$/cancel_request', { requestId: 1 }),
    call(1, '_x'),
    note('$/cancel_request', { requestId: 1 }),
    note('$/cancel_request', { requestId: 'no' }),
    call(1, '_x'),
  );
  await macrotask();
  expect(wire.take()).toEqual([answer(1, false), answer(1, false)]);
});

test('a cancel aborts only the request of its own direction when both directions use the same id', async () => {
  const events: string[] = [];
  const wait =
    (who: string) =>
    async (_: unknown, { signal, requestId }: { signal?: AbortSignal; requestId?: unknown }) => {
      events.push(`${who} runs ${requestId as number}`);
      await new Promise((resolve) => signal?.addEventListener('abort', resolve));
      events.push(`${who} stops ${requestId as number}`);
      return who;
    };
  const { agent, client } = await readyPair({
    agent: { _x: wait('agent') },
    client: { _x: wait('client'), _y: () => 'y' },
  });
  const controllers = [new AbortController(), new AbortController()];
  await agent.request('_y');
  const asked = [
    client.request('_x', {}, { signal: controllers[0]!.signal }),
    agent.request('_x', {}, { signal: controllers[1]!.signal }),
  ] as const;
  await until(() => events.length === 2);
  controllers[1]?.abort();
  expect(await asked[1]).toBe('client');
  await macrotask();
  expect(events.toSorted()).toEqual(['agent runs 1', 'client runs 1', 'client stops 1']);
  controllers[0]?.abort();
  expect(await asked[0]).toBe('agent');
});

test('initialize can be tried again after it timed out', async () => {
  const wire = new TestWire();
  const peer = connectClient(wire, {}, { limits: { cancel: 0 } });
  const first = outcome(peer.request('initialize', { protocolVersion: 1 }, { timeout: 5 }));
  expect(await first).toEqual({ code: 'timeout', message: 'No answer to initialize within 5 ms' });
  const second = peer.request('initialize', { protocolVersion: 1 });
  wire.feed(answer(1, { protocolVersion: 1 }));
  expect(await second).toEqual({ protocolVersion: 1 });
});
