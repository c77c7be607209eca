import { expect, test } from 'vitest';
import { within } from '../../../tools/pace.ts';
import { bothPackages, scriptedEnd, type Sdk } from './both-packages.ts';

/** Runs a program on the official package, then on this one. */
async function onBoth<Value>(program: (sdk: Sdk) => Promise<Value>): Promise<readonly Value[]> {
  const results: Value[] = [];
  for (const [, sdk] of bothPackages) results.push(await program(sdk));
  return results;
}

const chunk = (text: string) => ({
  jsonrpc: '2.0',
  method: 'session/update',
  params: { sessionId: 's', update: { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text } } },
});

test('the answer to a prompt does not overtake the updates before it', async () => {
  const orders = await onBoth(async (sdk) => {
    const end = scriptedEnd(sdk);
    const order: string[] = [];
    const client = sdk.client();
    for (const method of ['_a', '_b', '_c', '_d'])
      client.onNotification(
        method,
        (params) => params,
        () => undefined,
      );
    client.onNotification('session/update', ({ params: { update } }) => {
      if (update.sessionUpdate === 'agent_message_chunk' && update.content.type === 'text')
        order.push(update.content.text);
    });
    const connection = client.connect(end.stream);
    const turn = connection.agent
      .request('session/prompt', { sessionId: 's', prompt: [] })
      .then(() => order.push('end'));
    await end.writes(1);
    await end.send(chunk('1'), chunk('2'), { jsonrpc: '2.0', id: 0, result: { stopReason: 'end_turn' } });
    await turn;
    await end.end();
    await connection.closed;
    return order;
  });
  expect(orders).toEqual([
    ['end', '1', '2'],
    ['1', '2', 'end'],
  ]);
});

test('a client does not answer the noise of an agent', async () => {
  const written = await onBoth(async (sdk) => {
    const end = scriptedEnd(sdk);
    const connection = sdk.client().connect(end.stream);
    await end.send('Listening on port 80');
    const answer = connection.agent.request('session/list', {});
    await end.writes(sdk === bothPackages[1]?.[1] ? 1 : 2);
    await end.send({ jsonrpc: '2.0', id: 0, result: { sessions: [] } });
    await answer;
    connection.close();
    return end.written.map((message) => (message as { readonly error?: { readonly code: number } }).error?.code);
  });
  expect(written.map((codes) => codes.filter((code) => code !== undefined))).toEqual([[-32700], []]);
});

test('an answer that cannot be written as JSON fails alone', async () => {
  const ends = await onBoth(async (sdk) => {
    const end = scriptedEnd(sdk);
    const connection = sdk
      .agent()
      .onRequest(
        '_big',
        (params) => params,
        () => ({ number: 1n }),
      )
      .connect(end.stream);
    await end.send({ jsonrpc: '2.0', id: 7, method: '_big' });
    const answered = end
      .writes(1)
      .then(([answer]) => (answer as { readonly error: { readonly code: number } }).error.code);
    const result = await Promise.race([answered, connection.closed.then(() => 'closed')]);
    connection.close();
    return result;
  });
  expect(ends).toEqual(['closed', -32603]);
});

test('an agent answers the request before the end of its input', async () => {
  const answers = await onBoth(async (sdk) => {
    const end = scriptedEnd(sdk);
    let finish: () => void = () => undefined;
    const finished = new Promise<void>((resolve) => (finish = resolve));
    const connection = sdk
      .agent()
      .onRequest(
        '_work',
        (params) => params,
        async () => {
          await finished;
          return 'done';
        },
      )
      .connect(end.stream);
    await end.send({ jsonrpc: '2.0', id: 1, method: '_work' });
    await end.end();
    if (sdk === bothPackages[0]?.[1]) await connection.closed;
    finish();
    await connection.closed;
    return end.written;
  });
  expect(answers).toEqual([[], [{ jsonrpc: '2.0', id: 1, result: 'done' }]]);
});

test('a message that is too long is skipped, and rejects the request that it answers', async () => {
  const outcomes = await onBoth(async (sdk) => {
    const small = scriptedEnd({
      ndJsonStream: (output, input) => sdk.ndJsonStream(output, input, { maxMessageBytes: 500 }),
    });
    const connection = sdk.client().connect(small.stream);
    const long = connection.agent.request('_long', {}).catch(() => 'rejected');
    await small.writes(1);
    await small.send({ jsonrpc: '2.0', id: 0, result: 'x'.repeat(1000) }).catch(() => undefined);
    const isRejected = await long;
    const next = connection.agent.request('_next', {}).catch(() => 'closed');
    await small.send({ jsonrpc: '2.0', id: 1, result: 'fine' }).catch(() => undefined);
    const outcome = [isRejected, await next];
    connection.close();
    return outcome;
  });
  expect(outcomes).toEqual([
    ['rejected', 'closed'],
    ['rejected', 'fine'],
  ]);
});

const withUnknownFields = {
  cwd: '/',
  models: ['fast'],
  mcpServers: [
    { name: 'a', command: '/a', args: [], env: [{ name: 'A', value: 'b', more: 1 }], more: 1 },
    { type: 'http', name: 'b', url: 'https://example.com', headers: [], more: 1 },
  ],
  _meta: { kept: { a: 1 } },
};

/** The parameters that handlers receive of `session/new` and `session/prompt`. */
function received(options: { readonly strip?: boolean }): Promise<readonly unknown[]> {
  return onBoth(async (sdk) => {
    const end = scriptedEnd(sdk);
    const seen: unknown[] = [];
    const connection = sdk
      .agent(options)
      .onRequest('session/new', ({ params }) => {
        seen.push(params);
        return { sessionId: 's' };
      })
      .onRequest('session/prompt', ({ params }) => {
        seen.push(params);
        return { stopReason: 'end_turn' };
      })
      .connect(end.stream);
    const prompt = [{ type: 'text', text: 'Hi', more: 1, annotations: { audience: ['user'], more: 1 } }];
    await end.send(
      { jsonrpc: '2.0', id: 0, method: 'session/new', params: withUnknownFields },
      { jsonrpc: '2.0', id: 1, method: 'session/prompt', params: { sessionId: 's', prompt, more: 1 } },
    );
    await end.writes(2);
    connection.close();
    return seen;
  });
}

test('fields that the protocol does not have reach the handler, unless it wants none', async () => {
  const [theirs, ours] = await received({});
  expect(ours).toEqual([withUnknownFields, expect.objectContaining({ more: 1 })]);
  expect(theirs).not.toEqual(ours);
  expect(await received({ strip: true })).toEqual([theirs, theirs]);
});

test('a client reads on while an agent that does not read writes noise', async () => {
  const outcomes = await onBoth(async (sdk) => {
    const input = new TransformStream<Uint8Array, Uint8Array>(undefined, { highWaterMark: 99 }, { highWaterMark: 99 });
    let written = 0;
    const output = new WritableStream<Uint8Array>({
      // The agent reads the first message, and then nothing.
      write: () => ((written += 1) === 1 ? undefined : new Promise(() => undefined)),
    });
    const connection = sdk.client().connect(sdk.ndJsonStream(output, input.readable));
    const answer = connection.agent.request('session/list', {}).then(
      () => 'answered',
      () => 'rejected',
    );
    const writer = input.writable.getWriter();
    const text = `${'noise\n'.repeat(100)}{"jsonrpc":"2.0","id":0,"result":{"sessions":[]}}\n`;
    void writer.write(new TextEncoder().encode(text));
    // The official client waits for ever.
    const limit = sdk === bothPackages[0]?.[1] ? 100 : within(10_000);
    const outcome = await Promise.race([answer, new Promise((resolve) => setTimeout(resolve, limit, 'waits'))]);
    connection.close();
    return outcome;
  });
  expect(outcomes).toEqual(['waits', 'answered']);
});

test('an error message that is JSON stays a message', async () => {
  const data = await onBoth(async (sdk) => {
    const end = scriptedEnd(sdk);
    const connection = sdk
      .agent()
      .onRequest(
        '_fail',
        (params) => params,
        () => {
          throw new Error('{"a":1}');
        },
      )
      .connect(end.stream);
    await end.send({ jsonrpc: '2.0', id: 0, method: '_fail' });
    const [answer] = await end.writes(1);
    connection.close();
    return (answer as { readonly error: { readonly data: unknown } }).error.data;
  });
  expect(data).toEqual([{ a: 1 }, { details: '{"a":1}' }]);
});

test('closing a connection leaves its output open', async () => {
  const isOpen = await onBoth(async (sdk) => {
    let isClosed = false;
    const output = new WritableStream<Uint8Array>({
      close: () => {
        isClosed = true;
      },
    });
    const connection = sdk.client().connect(sdk.ndJsonStream(output, new ReadableStream<Uint8Array>()));
    connection.close();
    await connection.closed;
    return !isClosed;
  });
  expect(isOpen).toEqual([true, true]);
});
