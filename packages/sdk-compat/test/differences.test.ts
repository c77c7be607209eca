import { expect, test } from 'vitest';
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

test('fields that the protocol does not have reach the handler', async () => {
  const received = await onBoth(async (sdk) => {
    const end = scriptedEnd(sdk);
    const seen: unknown[] = [];
    const connection = sdk
      .agent()
      .onRequest('session/new', ({ params }) => {
        seen.push(params);
        return { sessionId: 's' };
      })
      .connect(end.stream);
    await end.send({
      jsonrpc: '2.0',
      id: 0,
      method: 'session/new',
      params: { cwd: '/', mcpServers: [], models: ['fast'] },
    });
    await end.writes(1);
    connection.close();
    return seen;
  });
  expect(received).toEqual([[{ cwd: '/', mcpServers: [] }], [{ cwd: '/', mcpServers: [], models: ['fast'] }]]);
});
