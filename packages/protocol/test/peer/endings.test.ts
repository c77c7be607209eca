import { connectAgent } from '@turnwire/protocol';
import { expect, test } from 'vitest';
import {
  answer,
  call,
  chunk,
  deferred,
  initialize,
  macrotask,
  note,
  outcome,
  readyAgent,
  readyClient,
  refusal,
  TestWire,
  wordOf,
} from './test-wire.ts';

const prompt = { sessionId: 's', prompt: [] } as const;
const gone = { code: 'connection-closed', message: 'No answer will come: the peer ended the connection' };

test('a request right before the end of input still gets its answer', async () => {
  const { wire, peer } = await readyAgent({
    'session/prompt': async () => {
      await macrotask();
      return { stopReason: 'end_turn' };
    },
  });
  wire.feed(call(1, 'session/prompt', prompt));
  wire.end();
  expect({ closed: await peer.closed, sent: wire.take(), wire: wire.isClosed }).toEqual({
    closed: { by: 'remote' },
    sent: [answer(1, { stopReason: 'end_turn' })],
    wire: true,
  });
});

test('requests that are piped in after initialize are all answered before the connection closes, and their signals are not aborted', async () => {
  const wire = new TestWire();
  const aborted: boolean[] = [];
  const slow = async (signal: AbortSignal): Promise<void> => {
    await new Promise((resolve) => setTimeout(resolve, 20));
    aborted.push(signal.aborted);
  };
  const peer = connectAgent(wire, {
    initialize: async (_, { signal }) => {
      await slow(signal);
      return { protocolVersion: 1 };
    },
    'session/new': async (_, { signal }) => {
      await slow(signal);
      return { sessionId: 's' };
    },
    'session/prompt': async (_, { signal }) => {
      await slow(signal);
      return { stopReason: 'end_turn' };
    },
  });
  wire.feed(initialize, call(1, 'session/new', { cwd: '/', mcpServers: [] }), call(2, 'session/prompt', prompt));
  wire.end();
  await peer.closed;
  expect({ aborted, sent: wire.take() }).toEqual({
    aborted: [false, false, false],
    sent: [
      answer('init', { protocolVersion: 1 }),
      answer(1, { sessionId: 's' }),
      answer(2, { stopReason: 'end_turn' }),
    ],
  });
});

test('a request that runs longer than the drain limit is aborted and can still be answered', async () => {
  const { wire, peer } = await readyAgent(
    {
      'session/prompt': async (_, { signal }) => {
        await new Promise((resolve) => signal.addEventListener('abort', resolve));
        return { stopReason: 'cancelled' };
      },
    },
    { limits: { drain: 10 } },
  );
  wire.feed(call(1, 'session/prompt', prompt));
  wire.end();
  expect({ closed: await peer.closed, sent: wire.take() }).toEqual({
    closed: { by: 'remote' },
    sent: [answer(1, { stopReason: 'cancelled' })],
  });
});

test('a handler that never ends does not keep the connection open after the end of input', async () => {
  const { wire, peer } = await readyAgent({ _x: () => new Promise(() => undefined) }, { limits: { drain: 10 } });
  wire.feed(call(1, '_x'));
  wire.end();
  expect({ closed: await peer.closed, sent: wire.take() }).toEqual({ closed: { by: 'remote' }, sent: [] });
});

test('when the other side ends the connection, pending calls fail at once and later calls are not sent', async () => {
  const { wire, peer } = await readyAgent({
    _x: async (_, context) => {
      await macrotask();
      return outcome(context.peer.request('_late'));
    },
  });
  const asked = [outcome(peer.request('_y')), outcome(peer.request('_z'))];
  wire.feed(call(1, '_x'));
  wire.end();
  expect(await Promise.all(asked)).toEqual([gone, gone]);
  await peer.closed;
  expect(wire.take()).toEqual([call(0, '_y', {}), call(1, '_z', {}), answer(1, gone)]);
});

test('updates that came before the end are handled before the prompt fails', async () => {
  const events: unknown[] = [];
  const { wire, peer } = await readyClient({
    'session/update': async (params) => {
      await macrotask();
      events.push(wordOf(params));
    },
  });
  const prompted = outcome(peer.request('session/prompt', prompt)).then((each) => events.push(each));
  wire.feed(chunk('s', 'a'), chunk('s', 'b'));
  wire.end();
  await prompted;
  expect(events).toEqual(['a', 'b', gone]);
});

test('slow handlers get every update before the answer even if the agent answers and exits at once', async () => {
  const events: unknown[] = [];
  const { wire, peer } = await readyClient(
    {
      'session/update': async (params) => {
        await new Promise((resolve) => setTimeout(resolve, 5));
        events.push(wordOf(params));
      },
    },
    { limits: { drain: 1 } },
  );
  const prompted = peer.request('session/prompt', prompt).then((result) => events.push(result));
  const words = Array.from({ length: 20 }, (_, index) => String(index));
  wire.feed(...words.map((word) => chunk('s', word)), answer(1, { stopReason: 'end_turn' }));
  wire.end();
  await prompted;
  expect(events).toEqual([...words, { stopReason: 'end_turn' }]);
});

test('the signal of a client’s handler is aborted when the agent is gone', async () => {
  const events: string[] = [];
  const { wire, peer } = await readyClient({
    'terminal/wait_for_exit': async (_, { signal }) => {
      await new Promise((resolve) => signal.addEventListener('abort', resolve));
      events.push('aborted');
      return {};
    },
  });
  wire.feed(call(1, 'terminal/wait_for_exit', { sessionId: 's', terminalId: 't' }));
  wire.end();
  await peer.closed;
  expect(events).toEqual(['aborted']);
});

test('a broken wire closes the connection, fails calls with its error and aborts handlers', async () => {
  const events: string[] = [];
  const { wire, peer } = await readyAgent({
    _x: async (_, { signal }) => {
      await new Promise((resolve) => signal?.addEventListener('abort', resolve));
      events.push('aborted');
    },
  });
  const asked = peer.request('_y').catch((error: unknown) => error as Error);
  wire.feed(call(1, '_x'));
  await macrotask();
  const why = new Error('EPIPE');
  wire.end(why);
  const closed = await peer.closed;
  const error = (await asked) as Error;
  expect({ closed, cause: error.cause, error: await outcome(Promise.reject(error)), events }).toEqual({
    closed: { by: 'error', error: why },
    cause: why,
    error: { code: 'connection-closed', message: 'No answer will come: the connection broke: EPIPE' },
    events: ['aborted'],
  });
});

test('closing a peer, even twice, fails its calls, aborts its handlers and stops all writing', async () => {
  const events: string[] = [];
  const { wire, peer } = await readyAgent({
    _x: async (_, { signal }) => {
      await new Promise((resolve) => signal?.addEventListener('abort', resolve));
      events.push('aborted');
      return 'too late';
    },
  });
  wire.feed(call(1, '_x'));
  await macrotask();
  const asked = outcome(peer.request('_y'));
  await Promise.all([peer.close(), peer.close()]);
  wire.feed(call(2, '_x'), note('_x'));
  await macrotask();
  expect({
    asked: await asked,
    closed: await peer.closed,
    events,
    sent: wire.take(),
    request: await outcome(peer.request('_y')),
    notify: await outcome(peer.notify('_y')),
  }).toEqual({
    asked: { code: 'connection-closed', message: 'No answer will come: the connection was closed on this side' },
    closed: { by: 'local' },
    events: ['aborted'],
    sent: [call(0, '_y', {})],
    request: { code: 'connection-closed', message: '_y was not sent: the connection is closed' },
    notify: { code: 'connection-closed', message: '_y was not sent: the connection is closed' },
  });
});

test('a peer declared with await using is closed at the end of the block', async () => {
  const { wire, peer } = await readyClient();
  {
    await using scoped = peer;
    await scoped.notify('_x');
  }
  expect({ closed: await peer.closed, wire: wire.isClosed }).toEqual({ closed: { by: 'local' }, wire: true });
});

test('a handler may close its own connection', async () => {
  const { wire, peer } = await readyAgent({ _bye: (_, context) => context.peer.close() });
  wire.feed(call(1, '_bye'), call(2, '_bye'));
  expect(await peer.closed).toEqual({ by: 'local' });
  expect(wire.take()).toEqual([]);
});

test('a call that waits behind a handler which never ends fails when the connection is closed', async () => {
  const { wire, peer } = await readyClient({ 'session/update': () => new Promise(() => undefined) });
  const prompted = outcome(peer.request('session/prompt', prompt));
  wire.feed(chunk('s', 'a'));
  wire.end();
  await peer.closed;
  await peer.close();
  expect(await prompted).toEqual(gone);
});

test('a request that waits behind a handler is not begun once the agent is gone', async () => {
  const slow = deferred();
  const events: string[] = [];
  const { wire, peer } = await readyClient({
    'session/update': () => slow.promise,
    'fs/write_text_file': () => {
      events.push('written');
      return {};
    },
  });
  wire.feed(chunk('s', 'a'), call(1, 'fs/write_text_file', { sessionId: 's', path: '/a', content: '' }));
  wire.end();
  await peer.closed;
  slow.resolve();
  await macrotask();
  expect({ events, sent: wire.take() }).toEqual({ events: [], sent: [] });
});

test('an agent refuses a request that is piped in without initialize, and closes', async () => {
  const wire = new TestWire();
  const peer = connectAgent(wire, { 'session/prompt': () => ({ stopReason: 'end_turn' }) });
  wire.feed(call(1, 'session/prompt', prompt));
  wire.end();
  await peer.closed;
  expect(wire.take()).toEqual([
    refusal(1, -32600, 'Invalid request: session/prompt came before initialize was answered'),
  ]);
});
