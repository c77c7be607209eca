import { expect, test } from 'vitest';
import { within } from '../../../tools/pace.ts';
import { clientFrame, RawClient } from '../../transports/test/websocket/http-server.ts';
import { type AgentDefinition } from '../src/index.ts';
import { type ListeningAgent, serveAgent } from '../src/node/index.ts';
import { type Open, openHttp, openWebSocket, requestText, statusOf } from './raw-connections.ts';

const token = 'secret';
const echo: AgentDefinition<undefined> = {
  info: { name: 'echo', version: '1.0.0' },
  prompt: (turn) => turn.say(turn.text),
};
const profiles: readonly (readonly [name: string, open: Open])[] = [
  ['a WebSocket', openWebSocket],
  ['HTTP', openHttp],
];

function listening(): Promise<ListeningAgent> {
  return serveAgent(echo, { listen: { token } });
}

const portOf = ({ url }: ListeningAgent): number => Number(new URL(url).port);
const probe = '{"jsonrpc":"2.0","id":"probe","method":"_probe"}';
const deep = '['.repeat(100_000) + ']'.repeat(100_000);
const ask = (id: string): string => `{"jsonrpc":"2.0","id":${id},"method":"_x"}`;

/** The answers over a WebSocket, and over HTTP: an id with the code of an error, or the status of a refused POST. */
const inputs: readonly (readonly [what: string, text: string, webSocket: unknown, http: unknown])[] = [
  ['no JSON', '{"jsonrpc":', [null, -32700], 400],
  ['an empty message', '', [null, -32700], 400],
  ['a batch', `[${ask('1')},${ask('2')}]`, [null, -32600], 400],
  ['an empty batch', '[]', [null, -32600], 400],
  ['a number', '42', [null, -32600], 400],
  ['100,000 lists in each other', `{"jsonrpc":"2.0","id":1,"method":"_x","params":${deep}}`, [1, -32600], [1, -32600]],
  ['100,000 lists and nothing else', deep, [null, -32600], 400],
  ['an id that is 0', ask('0'), [0, -32601], [0, -32601]],
  ['an id that is a text', ask('"1"'), ['1', -32601], ['1', -32601]],
  ['an id that is null', ask('null'), [null, -32601], [null, -32601]],
  ['an id that is a fraction', ask('1.5'), [1.5, -32601], [1.5, -32601]],
  ['an id of 54 bits', ask('9007199254740993'), [null, -32600], [null, -32600]],
  ['an id that is an object', ask('{"a":1}'), [null, -32600], [null, -32600]],
  ['an id of a million characters', ask(`"${'x'.repeat(1_000_000)}"`), ['xxxxxxxxx', -32600], ['xxxxxxxxx', -32600]],
  ['an answer to nothing', '{"jsonrpc":"2.0","id":77,"result":{}}', undefined, undefined],
  ['an answer with an id that is an object', '{"jsonrpc":"2.0","id":{},"result":{}}', [null, -32600], [null, -32600]],
  [
    'a second initialize',
    '{"jsonrpc":"2.0","id":5,"method":"initialize","params":{"protocolVersion":1}}',
    [5, -32600],
    400,
  ],
  [
    'a prototype as a parameter',
    '{"jsonrpc":"2.0","id":6,"method":"session/new","params":{"__proto__":{"cwd":"/"},"constructor":{"prototype":{"cwd":"/"}}}}',
    [6, -32602],
    [6, -32602],
  ],
  ['a prototype as a method', '{"jsonrpc":"2.0","id":7,"method":"__proto__"}', [7, -32601], [7, -32601]],
  ['a key that is there twice', '{"jsonrpc":"2.0","id":1,"id":8,"method":"_x"}', [8, -32601], [8, -32601]],
  [
    'a session that is a path',
    '{"jsonrpc":"2.0","id":9,"method":"session/prompt","params":{"sessionId":"../../etc","prompt":[]}}',
    [9, -32002],
    400,
  ],
  [
    'a session that is an object',
    '{"jsonrpc":"2.0","id":10,"method":"session/prompt","params":{"sessionId":{"a":"s"},"prompt":[]}}',
    [10, -32602],
    [10, -32602],
  ],
];

test.each(profiles)(
  'over %s every malformed message is answered as specified, and the next message works',
  async (name, open) => {
    await using agent = await listening();
    const port = portOf(agent);
    const outcomes = await Promise.all(
      inputs.map(async ([what, text]) => {
        const connection = await open(port, token);
        const status = await connection.send(text);
        await connection.send(probe);
        await expect.poll(() => JSON.stringify(connection.received()), { timeout: within(5_000) }).toContain('"probe"');
        const answers = connection
          .received()
          .map(({ id, error }) => [typeof id === 'string' ? id.slice(0, 9) : id, error?.code]);
        const own = answers.filter(([id]) => id !== 'hello' && id !== 'probe');
        const outcome = status === undefined || status === 202 ? own[0] : status;
        connection.close();
        return [what, outcome, own.length > 1 || connection.received().some(({ id }) => id === undefined)];
      }),
    );
    expect(outcomes).toEqual(
      inputs.map(([what, , webSocket, http]) => [what, name === 'HTTP' ? http : webSocket, false]),
    );
    expect(({} as { cwd?: string }).cwd).toBeUndefined();
  },
);

test.each(profiles)('over %s an id of a running request is refused, and 1 differs from "1"', async (_name, open) => {
  let finish = (): void => undefined;
  const finished = new Promise<void>((resolve) => (finish = resolve));
  await using agent = await serveAgent(
    { ...echo, sessionId: () => 's', prompt: () => finished },
    { listen: { token } },
  );
  const connection = await open(portOf(agent), token);
  const answers = (): readonly unknown[] =>
    connection
      .received()
      .filter(({ id }) => id === 1 || id === '1')
      .map(({ id, error }) => [id, error?.code]);
  await connection.send('{"jsonrpc":"2.0","id":0,"method":"session/new","params":{"cwd":"/","mcpServers":[]}}');
  await expect.poll(() => connection.received().length, { timeout: within(5_000) }).toBeGreaterThan(0);
  await connection.send('{"jsonrpc":"2.0","id":1,"method":"session/prompt","params":{"sessionId":"s","prompt":[]}}');
  await connection.send('{"jsonrpc":"2.0","id":1,"method":"session/list","params":{}}');
  await connection.send('{"jsonrpc":"2.0","id":"1","method":"_x"}');
  const refused = [
    [1, -32600],
    ['1', -32601],
  ];
  await expect.poll(answers, { timeout: within(5_000) }).toEqual(refused);
  finish();
  await expect.poll(() => answers().length, { timeout: within(5_000) }).toBe(3);
  expect(answers()).toContainEqual([1, undefined]);
  connection.close();
});

test('half-open requests, slow bodies and partial upgrades do not delay others or end connections', async () => {
  await using agent = await listening();
  const port = portOf(agent);
  const slow = Array.from({ length: 300 }, (_, index) => {
    const client = new RawClient(port);
    const headers = [`Authorization: Bearer ${token}`, 'Content-Type: application/json', 'Content-Length: 1000'];
    const beginning = [
      'GET /acp HTTP/1.1\r\nHost: 127.0.0.1\r\nUpgrade: webso',
      `${requestText('POST', headers)}{"jsonrpc"`,
      'G',
    ];
    client.socket.write(beginning[index % beginning.length] ?? '');
    return client;
  });
  const connection = await openWebSocket(port, token);
  await connection.send(probe);
  await expect.poll(() => connection.received().length, { timeout: within(5_000) }).toBe(2);
  expect(agent.connections).toBe(1);
  connection.close();
  for (const { socket } of slow) socket.destroy();
});

test.each<[what: string, request: string, status: number]>([
  ['two lengths', requestText('POST', ['Content-Length: 5', 'Transfer-Encoding: chunked']), 400],
  ['two different lengths', requestText('POST', ['Content-Length: 5', 'Content-Length: 6']), 400],
  [
    'a chunk whose length is no number',
    `${requestText('POST', ['Transfer-Encoding: chunked', `Authorization: Bearer ${token}`, 'Content-Type: application/json'])}zz\r\n`,
    400,
  ],
  ['a header that ends in a bare line feed', 'POST /acp HTTP/1.1\r\nHost: 127.0.0.1\nContent-Length: 5\r\n\r\n', 400],
  ['a path with dots', requestText('POST', [], '/acp/../admin'), 404],
  ['a path parameter', requestText('POST', [], '/acp/..;/admin'), 404],
  ['a doubled slash', requestText('POST', [], '//acp'), 404],
  ['an encoded slash', requestText('POST', [], '/%2Facp'), 404],
  ['a whole URL of another host', requestText('POST', [], 'http://evil.example/acp'), 404],
  ['a foreign page', requestText('POST', ['Origin: https://evil.example']), 403],
  ['a page without an origin', requestText('POST', ['Origin: null']), 403],
  ['a token in the query', requestText('POST', [], `/acp?token=${token}`), 401],
  ['no token', requestText('POST', []), 401],
])('a POST with %s is refused before its body is read', async (_what, request, status) => {
  await using agent = await listening();
  const client = new RawClient(portOf(agent));
  client.socket.write(request);
  await client.untilReceived('\r\n\r\n');
  const answer = client.received;
  client.socket.destroy();
  expect({ status: statusOf(answer), open: agent.connections }).toEqual({ status, open: 0 });
  expect(answer).not.toContain(token);
});

test('a message with a declared length of 100 MiB is refused before it is read', async () => {
  await using agent = await listening();
  const port = portOf(agent);
  const client = new RawClient(port);
  const headers = [
    `Authorization: Bearer ${token}`,
    'Content-Type: application/json',
    `Content-Length: ${100 * 2 ** 20}`,
  ];
  client.socket.write(requestText('POST', headers));
  expect(statusOf(await client.untilClosed())).toBe(413);
});

test('a body in chunks of one byte takes memory proportional to its length', async () => {
  await using agent = await listening();
  const port = portOf(agent);
  const headers = [`Authorization: Bearer ${token}`, 'Content-Type: application/json', 'Transfer-Encoding: chunked'];
  const client = new RawClient(port);
  globalThis.gc?.();
  const before = process.memoryUsage().rss;
  client.socket.write(requestText('POST', headers));
  const pieces = Buffer.from('1\r\n \r\n'.repeat(50_000));
  for (let sent = 0; sent < 6; sent++)
    if (!client.socket.write(pieces)) await new Promise((resolve) => client.socket.once('drain', resolve));
  client.socket.write(`0\r\n\r\n`);
  await client.untilReceived('\r\n\r\n');
  expect(statusOf(client.received)).toBe(400);
  expect(process.memoryUsage().rss - before).toBeLessThan(40 * 2 ** 20);
  client.socket.destroy();
});

test('a client that pings and never reads the answers is disconnected, and others are not', async () => {
  await using agent = await listening();
  const other = await openWebSocket(portOf(agent), token);
  const client = new RawClient(portOf(agent)).upgrade({ authorization: `Bearer ${token}` });
  await client.untilReceived('\r\n\r\n');
  client.socket.pause();
  const ping = clientFrame(9, Buffer.alloc(100, '.'), { short: true });
  const pings = Buffer.concat(Array.from({ length: 1_000 }, () => ping));
  for (let sent = 0; sent < 100 && !client.socket.closed; sent++) client.socket.write(pings);
  await expect.poll(() => agent.connections, { timeout: within(5_000) }).toBe(1);
  client.socket.destroy();
  await other.send(probe);
  await expect.poll(() => other.received().length, { timeout: within(5_000) }).toBe(2);
  other.close();
});

test('an answer on the wrong connection is ignored', async () => {
  await using agent = await serveAgent(
    {
      ...echo,
      prompt: async (turn) => {
        const { outcome } = await turn.askPermission(turn.tool({ title: 'May it?' }), [
          { optionId: 'yes', name: 'Yes', kind: 'allow_once' },
        ]);
        await turn.say(outcome);
      },
      sessionId: () => 's',
    },
    { listen: { token } },
  );
  const port = portOf(agent);
  const [one, other] = [await openWebSocket(port, token), await openWebSocket(port, token)];
  await one.send('{"jsonrpc":"2.0","id":1,"method":"session/new","params":{"cwd":"/","mcpServers":[]}}');
  await one.send('{"jsonrpc":"2.0","id":2,"method":"session/prompt","params":{"sessionId":"s","prompt":[]}}');
  const asked = (): boolean =>
    one.received().some((each) => (each as { method?: string }).method === 'session/request_permission');
  await expect.poll(asked, { timeout: within(5_000) }).toBe(true);
  const yes = '{"jsonrpc":"2.0","id":0,"result":{"outcome":{"outcome":"selected","optionId":"yes"}}}';
  await other.send(yes);
  await other.send(probe);
  await expect.poll(() => other.received().length, { timeout: within(5_000) }).toBe(2);
  expect(one.received().some(({ id }) => id === 2)).toBe(false);
  await one.send(yes);
  await expect.poll(() => one.received().some(({ id }) => id === 2), { timeout: within(5_000) }).toBe(true);
  one.close();
  other.close();
});
