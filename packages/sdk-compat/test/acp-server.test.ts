import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { Duplex } from 'node:stream';
import * as sdk from '@turnwire/sdk-compat';
import * as ourNode from '@turnwire/sdk-compat/experimental/node';
import * as ourServer from '@turnwire/sdk-compat/experimental/server';
import { afterEach, expect, onTestFinished, test } from 'vitest';
import { WebSocketServer } from 'ws';

const stops: (() => unknown)[] = [];
afterEach(async () => {
  for (const stop of stops.splice(0).toReversed()) await stop();
});

const initialize = { jsonrpc: '2.0', id: 0, method: 'initialize', params: { protocolVersion: 1 } };
const greeting = (): ReturnType<typeof sdk.agent> =>
  sdk.agent().onRequest('initialize', () => ({ protocolVersion: 1 }));

/** Posts a message to a server, without a network. */
function post(server: ourServer.AcpServer, message: object, headers: Record<string, string> = {}): Promise<Response> {
  const init = { method: 'POST', headers: { 'content-type': 'application/json', ...headers } };
  return server.handleRequest(new Request('http://localhost/acp', { ...init, body: JSON.stringify(message) }));
}

test.each([
  ['a page of another site', 'localhost:80', 'https://evil.example', 403],
  ['a page that hides its origin', '127.0.0.1', 'null', 403],
  ['a page of another site that the program allows', 'localhost', 'https://app.example', 200],
  ['a page of another site', 'localhost.:80', 'https://evil.example', 403],
  ['a page of another site', 'a.localhost.:80', 'https://evil.example', 403],
  ['a page of another site', '0.0.0.0:80', 'https://evil.example', 403],
  ['a page of another site', '[::]:80', 'https://evil.example', 403],
  ['a page of another site', '[::1]:80', 'https://evil.example', 403],
  ['a page of another site', '[::ffff:127.0.0.1]:80', 'https://evil.example', 403],
  ['a page of another site', '[::ffff:0.0.0.0]:80', 'https://evil.example', 403],
  ['a page of another site', '127.1:80', 'https://evil.example', 403],
  ['a page of another site', '127.0.0.1', 'http://localhost.evil.example', 403],
  ['a page of this machine', '[::1]:80', 'http://localhost:3000', 200],
  ['a page of this machine', 'localhost', 'http://0.0.0.0:3000', 200],
  ['a page inside a program', 'localhost', 'vscode-webview://a', 200],
  ['a program', 'localhost', undefined, 200],
  ['a page of another site, through a public host', 'agent.example', 'https://app.example', 200],
])('%s that connects to %s with the origin %s gets the status %s', async (_, host, origin, status) => {
  const server = new ourServer.AcpServer({ createAgent: greeting, allowedOrigins: ['https://app.example'] });
  stops.push(() => server.close());
  const response = await post(server, initialize, { host, ...(origin !== undefined && { origin }) });
  expect(response.status).toBe(status);
});

/** An upgrade request whose client has left: writing to its socket fails. */
function upgradeOfLostClient(server: ourServer.AcpServer, origin: string): Duplex {
  const lost = (_: unknown, __: unknown, written: (error: Error) => void): void =>
    written(new Error('read ECONNRESET'));
  const socket = new Duplex({ read: () => undefined, write: lost });
  const webSockets = new WebSocketServer({ noServer: true });
  onTestFinished(() => webSockets.close());
  const handler = ourNode.createNodeWebSocketUpgradeHandler(server, webSockets as never);
  const headers = {
    host: 'localhost',
    origin,
    upgrade: 'websocket',
    'sec-websocket-version': '13',
    'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==',
  };
  handler({ method: 'GET', url: '/', headers } as unknown as IncomingMessage, socket, Buffer.alloc(0));
  return socket;
}

const failing = (): never => {
  throw new Error('there is no agent');
};

test.each([
  ['a page of another site, whose upgrade is refused,', 'https://evil.example', greeting],
  ['a client for which the program makes no agent', 'http://localhost', failing],
  ['a client whose upgrade is accepted', 'http://localhost', greeting],
])('%s may reset its socket: it is destroyed, and the error is handled', async (_, origin, createAgent) => {
  const server = new ourServer.AcpServer({ createAgent });
  stops.push(() => server.close());
  const socket = upgradeOfLostClient(server, origin);
  // `once` would add a listener for errors, which the handler itself has to have.
  await new Promise((resolve) => socket.on('close', resolve));
  expect(socket.destroyed).toBe(true);
});

test('the socket of a refused page is destroyed even if the page keeps its end open', async () => {
  const server = new ourServer.AcpServer({ createAgent: greeting });
  stops.push(() => server.close());
  const written: string[] = [];
  const write = (piece: unknown, _: unknown, done: () => void): void => {
    written.push(String(piece));
    done();
  };
  const socket = new Duplex({ allowHalfOpen: true, read: () => undefined, write });
  const handler = ourNode.createNodeWebSocketUpgradeHandler(server, new WebSocketServer({ noServer: true }) as never);
  const headers = { host: 'localhost', origin: 'https://evil.example' };
  handler({ headers } as unknown as IncomingMessage, socket, Buffer.alloc(0));
  await once(socket, 'close');
  expect(written).toEqual(['HTTP/1.1 403 Forbidden\r\nConnection: close\r\nContent-Length: 0\r\n\r\n']);
});

test('ids that are longer than maxIdLength are refused', async () => {
  const server = new ourServer.AcpServer({ createAgent: greeting, maxIdLength: 8 });
  stops.push(() => server.close());
  const connection = { 'acp-connection-id': (await post(server, initialize)).headers.get('acp-connection-id') ?? '' };
  const long = 'x'.repeat(9);
  const request = { jsonrpc: '2.0', id: long, method: 'session/list', params: {} };
  const answers = [
    await post(server, request, connection),
    await post(server, { ...request, id: 1 }, { ...connection, 'acp-session-id': long }),
    await post(server, { ...request, id: 1, method: 'session/prompt' }, connection),
    await post(server, { ...request, id: 1 }, connection),
  ];
  expect(await Promise.all(answers.map(async (answer) => [answer.status, await answer.text()]))).toEqual([
    [400, 'Request ID exceeds maxIdLength (8)'],
    [400, 'Session ID exceeds maxIdLength (8)'],
    [400, 'Missing Acp-Session-Id'],
    [202, ''],
  ]);
});

/** A body without an end, in pieces of 1 MiB. */
function endlessBody(): {
  readonly body: ReadableStream<Uint8Array>;
  readonly seen: { pieces: number; isCancelled: boolean };
} {
  const seen = { pieces: 0, isCancelled: false };
  const piece = new Uint8Array(1024 * 1024).fill(0x20);
  const pull = (controller: ReadableStreamDefaultController<Uint8Array>): void => {
    seen.pieces += 1;
    if (seen.pieces > 100) controller.close();
    else controller.enqueue(piece);
  };
  const cancel = (): void => void (seen.isCancelled = true);
  return { body: new ReadableStream({ pull, cancel }, { highWaterMark: 0 }), seen };
}

test('a body is read up to 16 MiB, and a longer one is answered with 413', async () => {
  const server = new ourServer.AcpServer({ createAgent: greeting });
  stops.push(() => server.close());
  const { body, seen } = endlessBody();
  const headers = { 'content-type': 'application/json' };
  const init = { method: 'POST', headers, body, duplex: 'half' } as RequestInit;
  const response = await server.handleRequest(new Request('http://localhost/acp', init));
  expect([response.status, await response.text(), seen]).toEqual([
    413,
    'A message may have at most 16777216 bytes.',
    { pieces: 17, isCancelled: true },
  ]);
});

test('a message of more than 250,000 values is answered with 413 before it is parsed', async () => {
  const server = new ourServer.AcpServer({ createAgent: greeting });
  stops.push(() => server.close());
  const { parse } = JSON;
  let parsed = 0;
  JSON.parse = (...given) => {
    parsed += 1;
    return parse(...given) as unknown;
  };
  onTestFinished(() => void (JSON.parse = parse));
  const response = await post(server, {
    ...initialize,
    params: { protocolVersion: 1, _meta: { a: Array.from({ length: 250_001 }, () => 0) } },
  });
  expect([response.status, await response.text(), parsed]).toEqual([
    413,
    'A message may have at most 250000 values.',
    0,
  ]);
});

test('a request whose body the program has read is answered with 400', async () => {
  const server = new ourServer.AcpServer({ createAgent: greeting });
  stops.push(() => server.close());
  const request = new Request('http://localhost/acp', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{}',
  });
  const reader = request.body?.getReader();
  await reader?.read();
  const response = await server.handleRequest(request);
  expect([response.status, await response.text()]).toEqual([400, 'The body cannot be read.']);
});

/** A socket in memory whose other end is the test. */
function memorySocket() {
  const listeners = new Map<string, (event: unknown) => void>();
  const sent: unknown[] = [];
  const socket = {
    bufferedAmount: 0,
    closes: [] as unknown[],
    send: (text: string) => void sent.push(JSON.parse(text)),
    close: (...why: unknown[]) => {
      socket.closes.push(why);
      listeners.get('close')?.({ code: 1000, reason: '' });
    },
    addEventListener: (type: string, listener: (event: unknown) => void) => void listeners.set(type, listener),
  };
  const receive = (message: object): void => listeners.get('message')?.({ data: JSON.stringify(message) });
  return { socket, sent, receive };
}

const newSession = { jsonrpc: '2.0', id: 1, method: 'session/new', params: { cwd: '/', mcpServers: [] } };

test('a socket whose first message is not initialize is closed', async () => {
  const server = new ourServer.AcpServer({ createAgent: greeting });
  stops.push(() => server.close());
  const { socket, receive } = memorySocket();
  server.prepareWebSocketUpgrade().accept(socket);
  receive(newSession);
  await expect.poll(() => socket.closes[0]).toEqual([1002, 'First message must be initialize']);
});

test('a message of more than 250,000 values closes a socket before it is parsed', async () => {
  const server = new ourServer.AcpServer({ createAgent: greeting });
  stops.push(() => server.close());
  const { socket, sent, receive } = memorySocket();
  server.prepareWebSocketUpgrade().accept(socket);
  receive({ ...initialize, params: { protocolVersion: 1, _meta: { a: Array.from({ length: 250_001 }, () => 0) } } });
  await expect.poll(() => socket.closes.length).toBeGreaterThan(0);
  expect({ closes: socket.closes[0], sent }).toEqual({
    closes: [1009, 'the message is too long, or holds too many values'],
    sent: [],
  });
});

test('messages on a socket wait for the answer to initialize, which is not repeated', async () => {
  const agent = greeting().onRequest('session/new', () => ({ sessionId: 's' }));
  const server = new ourServer.AcpServer({ agent });
  stops.push(() => server.close());
  const { socket, sent, receive } = memorySocket();
  server.prepareWebSocketUpgrade().accept(socket);
  for (const message of [initialize, newSession, { ...initialize, id: 2 }]) receive(message);
  await expect.poll(() => sent.length).toBe(3);
  expect(sent).toEqual([
    { jsonrpc: '2.0', id: 0, result: { protocolVersion: 1 } },
    { jsonrpc: '2.0', id: 1, result: { sessionId: 's' } },
    { jsonrpc: '2.0', id: 2, error: { code: -32600, message: 'Initialize not allowed on existing connection' } },
  ]);
});

test('a connection ends if its output waits longer than maxOutputStallMs', async () => {
  const agent = greeting().onConnect(({ client }) => {
    for (let sent = 0; sent < 100; sent += 1) void client.notify('_text', { text: 'x'.repeat(100_000) });
  });
  const server = new ourServer.AcpServer({ agent, maxOutputStallMs: 1 });
  stops.push(() => server.close());
  const { socket, receive } = memorySocket();
  socket.bufferedAmount = 32 * 1024 * 1024;
  const { console } = globalThis;
  const { warn } = console;
  const warnings: unknown[] = [];
  console.warn = (...parts: unknown[]) => void warnings.push(parts);
  try {
    const upgrade = server.prepareWebSocketUpgrade();
    upgrade.accept(socket);
    receive(initialize);
    await expect.poll(() => socket.closes.length).toBeGreaterThan(0);
    expect(warnings).toEqual([
      [`Closing ACP connection ${upgrade.connectionId}:`, 'Connection output stalled for maxOutputStallMs (1)'],
    ]);
  } finally {
    console.warn = warn;
  }
});
