import { type Handlers, type Params } from '@turnwire/protocol';
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
  until,
  wordOf,
} from './test-wire.ts';

const prompt = { sessionId: 's', prompt: [] } as const;

/** Many handlers beside the one that matters: dispatch must not depend on how many there are. */
const crowd: Handlers<'client'> = Object.fromEntries(
  Array.from({ length: 64 }, (_, index) => [`_crowd/${index}`, () => index]),
);

test('a prompt’s answer never overtakes its updates, though everything comes in one chunk and 64 handlers are registered', async () => {
  const seen: string[] = [];
  const { wire, peer } = await readyClient({ ...crowd, 'session/update': (params) => void seen.push(wordOf(params)) });
  const prompted = peer.request('session/prompt', prompt).then(({ stopReason }) => seen.push(stopReason));
  wire.feed(chunk('s', '1'), chunk('s', '2'), chunk('s', '3'), chunk('s', '4'), answer(1, { stopReason: 'end_turn' }));
  await prompted;
  expect(seen).toEqual(['1', '2', '3', '4', 'end_turn']);
});

test('200 updates with a slow handler are handled one after the other, and the answer comes last', async () => {
  const events: string[] = [];
  const { wire, peer } = await readyClient({
    ...crowd,
    'session/update': async (params) => {
      events.push(`begin ${wordOf(params)}`);
      await macrotask();
      events.push(`end ${wordOf(params)}`);
    },
  });
  const prompted = peer.request('session/prompt', prompt).then(({ stopReason }) => events.push(stopReason));
  const words = Array.from({ length: 200 }, (_, index) => String(index));
  wire.feed(...words.map((word) => chunk('s', word)), answer(1, { stopReason: 'end_turn' }));
  await prompted;
  expect(events).toEqual([...words.flatMap((word) => [`begin ${word}`, `end ${word}`]), 'end_turn']);
});

test('an error answer or a malformed answer to a prompt is delivered after the updates before it', async () => {
  const events: unknown[] = [];
  const { wire, peer } = await readyClient({
    'session/update': async (params) => {
      await macrotask();
      events.push(wordOf(params));
    },
  });
  const first = outcome(peer.request('session/prompt', prompt)).then((each) => events.push(each));
  const second = outcome(peer.request('session/prompt', prompt)).then((each) => events.push(each));
  wire.feed(
    chunk('s', 'a'),
    { jsonrpc: '2.0', id: 1, error: { code: -32603, message: 'out of tokens' } },
    chunk('s', 'b'),
    { jsonrpc: '2.0', id: 2 },
  );
  await Promise.all([first, second]);
  expect(events).toEqual([
    'a',
    { code: -32603, message: 'out of tokens' },
    'b',
    {
      code: 'invalid-response',
      message:
        'The answer to session/prompt does not fit the protocol: expected a method, or an id with a result or an error',
    },
  ]);
});

test('the replay of a loaded session is handled before the answer to session/load', async () => {
  const events: unknown[] = [];
  const { wire, peer } = await readyClient({
    'session/update': async (params) => {
      await macrotask();
      events.push(wordOf(params));
    },
  });
  const loaded = peer
    .request('session/load', { sessionId: 's', cwd: '/', mcpServers: [] })
    .then((result) => events.push(result));
  wire.feed(chunk('s', 'a'), chunk('s', 'b'), answer(1, null));
  await loaded;
  expect(events).toEqual(['a', 'b', {}]);
});

test('a session whose handler is busy does not delay other sessions', async () => {
  const seen: string[] = [];
  const stuck = deferred();
  const { wire, peer } = await readyClient({
    'session/update': (params) => {
      seen.push(`${params.sessionId} ${wordOf(params)}`);
      return params.sessionId === 'stuck' ? stuck.promise : undefined;
    },
    'session/request_permission': ({ sessionId }) => {
      seen.push(`${sessionId} asks`);
      return { outcome: { outcome: 'cancelled' } };
    },
  });
  const prompted = peer.request('session/prompt', { sessionId: 'free', prompt: [] });
  wire.feed(
    chunk('stuck', '1'),
    chunk('stuck', '2'),
    chunk('free', '1'),
    permission(1, 'stuck'),
    permission(2, 'free'),
    chunk('free', '2'),
    answer(1, { stopReason: 'end_turn' }),
  );
  expect(await prompted).toEqual({ stopReason: 'end_turn' });
  expect(seen).toEqual(['stuck 1', 'free 1', 'free asks', 'free 2']);
  stuck.resolve();
  await macrotask();
  expect(seen.slice(4)).toEqual(['stuck 2', 'stuck asks']);
});

function permission(id: unknown, sessionId: string): ReturnType<typeof call> {
  return call(id, 'session/request_permission', { sessionId, toolCall: { toolCallId: 't' }, options: [] });
}

test('a request starts after the updates before it and does not delay the updates after it', async () => {
  const events: string[] = [];
  const asked = deferred();
  const { wire } = await readyClient({
    'session/update': async (params) => {
      await macrotask();
      events.push(wordOf(params));
    },
    'session/request_permission': async () => {
      events.push('asked');
      await asked.promise;
      events.push('answered');
      return { outcome: { outcome: 'cancelled' } };
    },
  });
  wire.feed(chunk('s', 'a'), permission(1, 's'), chunk('s', 'b'));
  await until(() => events.length === 3);
  asked.resolve();
  await macrotask();
  expect({ events, sent: wire.take() }).toEqual({
    events: ['a', 'asked', 'b', 'answered'],
    sent: [answer(1, { outcome: { outcome: 'cancelled' } })],
  });
});

test('an update handler may call the agent about its own session and wait for the answer', async () => {
  const events: unknown[] = [];
  const { wire, peer } = await readyClient({
    'session/update': async (params, { peer: agent }) => {
      events.push(wordOf(params));
      if (wordOf(params) === 'a') events.push(await agent.request('session/set_mode', { sessionId: 's', modeId: 'm' }));
    },
  });
  const prompted = peer.request('session/prompt', prompt).then((result) => events.push(result));
  wire.feed(chunk('s', 'a'), chunk('s', 'b'));
  await wire.frames(2);
  wire.feed(answer(2, {}), answer(1, { stopReason: 'end_turn' }));
  await prompted;
  expect(events).toEqual(['a', {}, 'b', { stopReason: 'end_turn' }]);
});

test('messages are handled in the order of arrival, not in the order in which their handlers were registered', async () => {
  const seen: string[] = [];
  const { wire } = await readyAgent({
    'session/cancel': () => void seen.push('cancel'),
    'session/set_mode': async () => {
      seen.push('set_mode');
      return {};
    },
    'session/prompt': () => {
      seen.push('prompt');
      return { stopReason: 'end_turn' };
    },
  });
  wire.feed(
    call(1, 'session/prompt', prompt),
    note('session/cancel', { sessionId: 's' }),
    call(2, 'session/set_mode', { sessionId: 's', modeId: 'm' }),
  );
  await macrotask();
  expect(seen).toEqual(['prompt', 'cancel', 'set_mode']);
});

test('a second prompt starts while the first still runs, and each gets its own answer', async () => {
  const turns: ReturnType<typeof deferred<{ stopReason: 'end_turn' | 'cancelled' }>>[] = [];
  const { wire } = await readyAgent({
    'session/prompt': () => {
      turns.push(deferred());
      return turns.at(-1)!.promise;
    },
  });
  wire.feed(call(1, 'session/prompt', prompt), call(2, 'session/prompt', prompt));
  await macrotask();
  turns[1]?.resolve({ stopReason: 'end_turn' });
  await macrotask();
  turns[0]?.resolve({ stopReason: 'cancelled' });
  await macrotask();
  expect(wire.take()).toEqual([answer(2, { stopReason: 'end_turn' }), answer(1, { stopReason: 'cancelled' })]);
});

test('session/cancel is handled at once, and once more after the waiting requests before it have started', async () => {
  const seen: string[] = [];
  const slow = deferred();
  const { wire } = await readyAgent({
    '_slow/note': () => slow.promise,
    'session/prompt': () => {
      seen.push('prompt');
      return { stopReason: 'cancelled' };
    },
    'session/cancel': () => void seen.push('cancel'),
  });
  wire.feed(
    note('_slow/note', { sessionId: 's' }),
    call(1, 'session/prompt', { sessionId: 's', prompt: [] }),
    note('session/cancel', { sessionId: 's' }),
    call(2, 'session/prompt', { sessionId: 's', prompt: [] }),
  );
  await macrotask();
  expect(seen).toEqual(['cancel']);
  slow.resolve();
  await macrotask();
  expect(seen).toEqual(['cancel', 'prompt', 'cancel', 'prompt']);
});

test('a slow session/cancel handler does not delay later requests', async () => {
  const never = deferred();
  const { wire } = await readyAgent({
    'session/cancel': () => never.promise,
    'session/set_mode': () => ({}),
  });
  wire.feed(note('session/cancel', { sessionId: 's' }), call(1, 'session/set_mode', { sessionId: 's', modeId: 'm' }));
  expect(await wire.frames(1)).toEqual([answer(1, {})]);
});

test('a request that is cancelled while it waits behind a handler never starts and is answered as cancelled', async () => {
  const seen: string[] = [];
  const slow = deferred();
  const { wire } = await readyClient({
    'session/update': () => slow.promise,
    'fs/write_text_file': ({ path }) => {
      seen.push(path);
      return {};
    },
  });
  const write = (id: number): ReturnType<typeof call> =>
    call(id, 'fs/write_text_file', { sessionId: 's', path: `/${id}`, content: '' });
  wire.feed(chunk('s', 'a'), write(1), write(2), note('$/cancel_request', { requestId: 1 }));
  await macrotask();
  expect(wire.take()).toEqual([]);
  slow.resolve();
  await macrotask();
  expect({ seen, sent: wire.take() }).toEqual({
    seen: ['/2'],
    sent: [{ jsonrpc: '2.0', id: 1, error: { code: -32800, message: 'Request cancelled' } }, answer(2, {})],
  });
});

test('100,000 updates that wait behind a handler are all handled, in order, and each once', async () => {
  const seen: number[] = [];
  const slow = deferred();
  const { wire } = await readyClient({
    'session/update': ({ update }: Params<'session/update'>) => {
      seen.push((update as unknown as { used: number }).used);
      return seen.length === 1 ? slow.promise : undefined;
    },
  });
  const count = 100_000;
  for (let used = 0; used < count; used++)
    wire.feed(note('session/update', { sessionId: 's', update: { sessionUpdate: 'usage_update', used, size: count } }));
  await until(() => wire.waiting === 0 || wire.pauses > 0);
  slow.resolve();
  await until(() => seen.length >= count);
  expect(seen).toEqual(Array.from({ length: count }, (_, index) => index));
});

test('messages without a session keep their order among themselves', async () => {
  const events: string[] = [];
  const { wire } = await readyClient({
    _a: async () => {
      await macrotask();
      events.push('a');
    },
    'elicitation/complete': ({ elicitationId }) => void events.push(elicitationId),
  });
  wire.feed(note('_a'), note('elicitation/complete', { elicitationId: 'e' }));
  await until(() => events.length === 2);
  expect(events).toEqual(['a', 'e']);
});
