import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import type { Transport } from '@turnwire/protocol';
import { Recorder, runFarEnd, transportContract } from '@turnwire/transports/contract';
import {
  bearerToken,
  connectWebSocket,
  serveWebSockets,
  type WebSocketEndpoint,
  type WebSocketEndpointOptions,
} from '@turnwire/transports/websocket/node';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { within } from '../../../../tools/pace.ts';
import { afterFirst } from '../after-first.ts';
import { clientFrame, listeningServer, type ListeningServer, RawClient } from './http-server.ts';

const hello = '{"id":0,"method":"initialize"}';
let listening: ListeningServer;
let endpoint: WebSocketEndpoint | undefined;
const accepted: { readonly id: string; readonly recorder: Recorder; readonly transport: Transport }[] = [];

beforeEach(async () => {
  listening = await listeningServer();
});

afterEach(async () => {
  accepted.splice(0);
  await endpoint?.close();
  endpoint = undefined;
  await listening[Symbol.asyncDispose]();
});

/** Accepts connections and records their frames. */
function serve(options: Partial<WebSocketEndpointOptions> = {}): number {
  endpoint = serveWebSockets(listening.server, { authorize: () => true, ...options }, (transport, { id }) => {
    const recorder = new Recorder();
    transport.start(recorder);
    accepted.push({ id, recorder, transport });
  });
  return listening.port;
}

/** The recorder of the first connection, once there is one. */
async function firstReceiver(): Promise<Recorder> {
  while (accepted[0] === undefined) await new Promise((resolve) => setTimeout(resolve, 2));
  return accepted[0].recorder;
}

/** All events of a client until the end. */
async function ending(transport: Transport): Promise<Recorder['received']> {
  const recorder = new Recorder();
  transport.start(recorder);
  await recorder.untilEnd();
  return recorder.received;
}

describe('a WebSocket from connectWebSocket to serveWebSockets', () => {
  test.each(transportContract({ halfClose: false }))('$name', async ({ run }) => {
    await using own = await listeningServer();
    const flushTimeout = within(10_000);
    const check = run(async () => {
      const far = new Promise<Transport>((resolve) =>
        serveWebSockets(own.server, { authorize: () => true, flushTimeout }, (transport) => resolve(transport)),
      );
      const near = connectWebSocket(`ws://127.0.0.1:${own.port}/acp`, { flushTimeout });
      void near.send(hello);
      const other = await far;
      return { near, farEnd: runFarEnd(afterFirst(other)), dispose: async () => other[Symbol.asyncDispose]() };
    });
    await expect(check).resolves.toBeUndefined();
  });
});

const secret = { Authorization: 'Bearer secret' };

test.each<[request: string, headers: Record<string, string | undefined>, path: string, answer: RegExp]>([
  ['a valid token', secret, '/acp', /^HTTP\/1\.1 101 /],
  ['a valid token from an accepted page', { ...secret, Origin: 'https://ide.example' }, '/acp', /^HTTP\/1\.1 101 /],
  ['a valid token and the name localhost', { ...secret, Host: 'localhost' }, '/acp', /^HTTP\/1\.1 101 /],
  ['a valid token and the address ::1', { ...secret, Host: '[::1]:80' }, '/acp', /^HTTP\/1\.1 101 /],
  [
    'a token in the subprotocols of a page',
    { 'Sec-WebSocket-Protocol': 'bearer.secret, acp' },
    '/acp',
    /^HTTP\/1\.1 101 [^]*\r\nSec-WebSocket-Protocol: acp\r\n/,
  ],
  ['a token as its only subprotocol', { 'Sec-WebSocket-Protocol': 'bearer.secret' }, '/acp', /^HTTP\/1\.1 101 /],
  [
    'a wrong token in the subprotocols',
    { 'Sec-WebSocket-Protocol': 'acp, bearer.secrets' },
    '/acp',
    /^HTTP\/1\.1 401 /,
  ],
  [
    'a wrong token in the header, and a valid one in the subprotocols',
    { Authorization: 'Bearer secrets', 'Sec-WebSocket-Protocol': 'acp, bearer.secret' },
    '/acp',
    /^HTTP\/1\.1 401 /,
  ],
  ['the page of another site', { ...secret, Origin: 'https://evil.example' }, '/acp', /^HTTP\/1\.1 403 /],
  ['a page without an origin', { ...secret, Origin: 'null' }, '/acp', /^HTTP\/1\.1 403 /],
  ['an accepted origin with a port', { ...secret, Origin: 'https://ide.example:8' }, '/acp', /^HTTP\/1\.1 403 /],
  ['a foreign host name', { ...secret, Host: 'evil.example' }, '/acp', /^HTTP\/1\.1 403 /],
  ['a host that begins like an address', { ...secret, Host: '127.evil.example' }, '/acp', /^HTTP\/1\.1 403 /],
  ['a host that begins like localhost', { ...secret, Host: 'localhost.evil.example' }, '/acp', /^HTTP\/1\.1 403 /],
  ['a host behind an address', { ...secret, Host: '[::1].evil' }, '/acp', /^HTTP\/1\.1 403 /],
  ['the host 0.0.0.0', { ...secret, Host: '0.0.0.0' }, '/acp', /^HTTP\/1\.1 403 /],
  ['an address as one number', { ...secret, Host: '2130706433' }, '/acp', /^HTTP\/1\.1 403 /],
  ['two hosts', { ...secret, Host: 'localhost', host: 'evil.example' }, '/acp', /^HTTP\/1\.1 400 /],
  ['an empty host', { ...secret, Host: '' }, '/acp', /^HTTP\/1\.1 403 /],
  ['no token', {}, '/acp', /^HTTP\/1\.1 401 /],
  ['a wrong token', { Authorization: 'Bearer secrets' }, '/acp', /^HTTP\/1\.1 401 /],
  ['another scheme', { Authorization: 'Basic secret' }, '/acp', /^HTTP\/1\.1 401 /],
  ['a token in the query', {}, '/acp?token=secret', /^HTTP\/1\.1 401 /],
  ['another path', secret, '/', /^HTTP\/1\.1 404 /],
  ['a path with dots', secret, '/acp/../admin', /^HTTP\/1\.1 404 /],
  ['a path parameter', secret, '/acp/..;/acp', /^HTTP\/1\.1 404 /],
  ['a doubled slash', secret, '//acp', /^HTTP\/1\.1 404 /],
  ['an encoded slash', secret, '%2Facp', /^HTTP\/1\.1 (404|400) /],
  ['another protocol', { ...secret, Upgrade: 'h2c' }, '/acp', /^HTTP\/1\.1 400 /],
  ['an old version', { ...secret, 'Sec-WebSocket-Version': '7' }, '/acp', /^HTTP\/1\.1 (400|426) /],
  ['no key', { ...secret, 'Sec-WebSocket-Key': undefined }, '/acp', /^HTTP\/1\.1 400 /],
  ['two lengths', { ...secret, 'Content-Length': '5', 'Transfer-Encoding': 'chunked' }, '/acp', /^HTTP\/1\.1 400 /],
])('an upgrade with %s gets the expected status', async (_request, headers, path, answer) => {
  const port = serve({ authorize: bearerToken('secret'), origins: ['https://ide.example'] });
  const client = new RawClient(port).upgrade(headers, path);
  await client.untilReceived('\r\n\r\n');
  expect(client.received).toMatch(answer);
  expect(client.received).not.toContain('secret');
  const [, id] = /Acp-Connection-Id: (\S+)\r\n/.exec(client.received) ?? [];
  const connections = client.received.startsWith('HTTP/1.1 101') ? 1 : 0;
  expect({ open: endpoint?.connections, id }).toEqual({ open: connections, id: accepted[0]?.id });
  client.socket.destroy();
});

test('a client that offers compression gets none, so no small message can expand into a large one', async () => {
  const client = new RawClient(serve()).upgrade({ 'Sec-WebSocket-Extensions': 'permessage-deflate' });
  await client.untilReceived('\r\n\r\n');
  expect(client.received).toMatch(/^HTTP\/1\.1 101 /);
  expect(client.received.toLowerCase()).not.toContain('sec-websocket-extensions');
  client.socket.destroy();
});

test('a failing authorization is answered with 500, without its reason', async () => {
  const port = serve({ authorize: () => Promise.reject(new Error('the database is at 10.0.0.1')) });
  const answer = await new RawClient(port).upgrade().untilClosed();
  expect(answer).toMatch(/^HTTP\/1\.1 500 /);
  expect(answer).not.toContain('database');
});

test('a client that disconnects during its authorization leaves no connection', async () => {
  let decide: (answer: boolean) => void = () => undefined;
  const asked = new Promise<void>((resolve) => {
    serve({
      authorize: () => {
        resolve();
        return new Promise<boolean>((settle) => (decide = settle));
      },
    });
  });
  const client = new RawClient(listening.port).upgrade();
  await asked;
  client.socket.destroy();
  await client.untilClosed();
  decide(true);
  const next = new RawClient(listening.port).upgrade();
  await expect.poll(() => (decide(true), next.received)).toMatch(/^HTTP\/1\.1 101 /);
  await expect.poll(() => endpoint?.connections).toBe(1);
});

test('a connection beyond the limit is answered with 503', async () => {
  const port = serve({ maxConnections: 1 });
  const first = new RawClient(port).upgrade();
  await first.untilReceived('\r\n\r\n');
  expect(await new RawClient(port).upgrade().untilClosed()).toMatch(/^HTTP\/1\.1 503 /);
});

test('upgrades of other paths are left to other listeners', async () => {
  listening.server.on('upgrade', (request, socket) => {
    if (request.url === '/other') socket.end('HTTP/1.1 418 Teapot\r\n\r\n');
  });
  const port = serve();
  expect(await new RawClient(port).upgrade({}, '/other').untilClosed()).toBe('HTTP/1.1 418 Teapot\r\n\r\n');
});

const text = 1;
const binary = 2;
const empty = Buffer.alloc(0);
const emptyPiece = clientFrame(0, empty, { final: false });

test.each<[what: string, bytes: () => Buffer, code: number]>([
  ['invalid UTF-8', () => clientFrame(text, Buffer.from([0xff, 0xfe])), 1007],
  ['an unmasked frame', () => clientFrame(text, Buffer.from('{}'), { masked: false }), 1002],
  ['a reserved opcode', () => clientFrame(5, Buffer.from('{}')), 1002],
  ['an impossible length', () => clientFrame(text, Buffer.alloc(0), { length: 2n ** 63n - 1n }), 1009],
  ['a message that is too long', () => clientFrame(text, Buffer.alloc(0), { length: 100n * 1024n * 1024n }), 1009],
  [
    'fragments that are too long together',
    () =>
      Buffer.concat([
        clientFrame(text, Buffer.alloc(600, 'x'), { final: false }),
        clientFrame(0, Buffer.alloc(600, 'x'), { final: false }),
      ]),
    1009,
  ],
  [
    'a message in too many fragments',
    () => Buffer.concat([clientFrame(text, empty, { final: false }), Buffer.alloc(14 * 20_000, emptyPiece)]),
    1008,
  ],
  ['a continuation of nothing', () => clientFrame(0, Buffer.from('{}')), 1002],
  ['a compressed frame', () => Buffer.concat([Buffer.from([0xc1, 0x82, 0, 0, 0, 0]), Buffer.from('{}')]), 1002],
])('%s ends the connection with its code', async (_what, bytes, code) => {
  const port = serve({ maxFrameBytes: 1000 });
  const client = new RawClient(port).upgrade();
  await client.untilReceived('\r\n\r\n');
  client.socket.write(bytes());
  await (await firstReceiver()).untilEnd();
  const [, tail = ''] = client.received.split('\r\n\r\n');
  await client.untilReceived(`\x88\x02${String.fromCharCode(code >> 8, code & 0xff)}`);
  expect(client.received.slice(-4)).toBe(`\x88\x02${String.fromCharCode(code >> 8, code & 0xff)}`);
  expect(tail.length).toBeLessThanOrEqual(4);
  client.socket.destroy();
});

test('a binary message is reported, and fragments become one frame', async () => {
  const client = new RawClient(serve()).upgrade();
  await client.untilReceived('\r\n\r\n');
  client.socket.write(clientFrame(binary, Buffer.from([1, 2])));
  client.socket.write(clientFrame(text, Buffer.from(hello.slice(0, 5)), { final: false }));
  client.socket.write(clientFrame(0, Buffer.from(hello.slice(5))));
  const receiver = await firstReceiver();
  await receiver.untilFrames(1);
  expect(receiver.received).toEqual([
    { warning: { kind: 'noise', bytes: 2, excerpt: 'a binary message' } },
    { frame: hello },
  ]);
  client.socket.destroy();
});

test.each([
  ['{"id":7,"method":"session/new"}', [{ id: 7, code: -32600 }]],
  ['nonsense', [{ id: null, code: -32600 }]],
  ['{"method":"session/cancel"}', []],
])('a client that starts with %s is disconnected with code 1002', async (frame, answers) => {
  const client = connectWebSocket(`ws://127.0.0.1:${serve()}/acp`);
  const recorder = new Recorder();
  client.start(recorder);
  void client.send(frame);
  void client.send(hello);
  await recorder.untilEnd();
  const read = recorder.frames.map((text) => {
    const { id, error } = JSON.parse(text) as { readonly id: unknown; readonly error: { readonly code: number } };
    return { id, code: error.code };
  });
  expect({ read, end: recorder.received.at(-1), passedOn: accepted[0]?.recorder.frames }).toEqual({
    read: answers,
    end: { end: 'connection-closed: the WebSocket was closed with code 1002: the first message has to be initialize' },
    passedOn: [],
  });
});

test('a client that does not answer pings is disconnected, without effect on others', async () => {
  const silence = 1_000 * Math.ceil(within(500) / 1_000);
  const port = serve({ silence });
  const silent = new RawClient(port).upgrade();
  const receiver = await firstReceiver();
  const lively = connectWebSocket(`ws://127.0.0.1:${port}/acp`, { silence });
  lively.start(new Recorder());
  await receiver.untilEnd();
  expect(receiver.received).toEqual([
    {
      end: `connection-closed: nothing has arrived for ${silence / 1_000} s, not even answers to pings: the connection is dead`,
    },
  ]);
  await silent.untilClosed();
  await lively.send(hello);
  await accepted[1]?.recorder.untilFrames(1);
  expect(accepted[1]?.recorder.received).toEqual([{ frame: hello }]);
  await lively.close();
});

test('a client disconnects from a server that does not answer pings', async () => {
  const server = createServer((socket) => {
    socket.on('error', () => socket.destroy());
    socket.once('data', (request) => {
      const [, key = ''] = /Sec-WebSocket-Key: (\S+)/.exec(request.toString()) ?? [];
      const accept = createHash('sha1').update(`${key}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`).digest('base64');
      const head = 'HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade';
      socket.write(`${head}\r\nSec-WebSocket-Accept: ${accept}\r\n\r\n`);
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  expect(await ending(connectWebSocket(`ws://127.0.0.1:${port}/acp`, { silence: 60 }))).toEqual([
    {
      end: 'connection-closed: nothing has arrived for 0.06 s, not even answers to pings: the connection is dead',
    },
  ]);
  await new Promise((resolve) => server.close(resolve));
});

test("the reason of a refused connection includes the server's message, without the token", async () => {
  const port = serve({ authorize: bearerToken('secret') });
  const transport = connectWebSocket(`ws://127.0.0.1:${port}/acp`, { headers: { authorization: 'Bearer wrong' } });
  expect(await ending(transport)).toEqual([
    {
      end: 'not-authorized: the server did not accept the WebSocket: 401 Unauthorized: Not authorized. Send a valid token in the Authorization header.',
    },
  ]);
});

test('a server that shuts down ends its connections in order', async () => {
  const port = serve();
  const transport = connectWebSocket(`ws://127.0.0.1:${port}/acp`);
  const ended = ending(transport);
  await firstReceiver();
  await endpoint?.close();
  expect(await ended).toEqual([{ end: null }]);
  expect(accepted[0]?.recorder.received).toEqual([{ end: null }]);
});

test.each([['http://127.0.0.1/acp'], ['nonsense'], ['ws://'], ['ws://127.0.0.1/#part']])(
  'the URL %s is refused',
  (url) => {
    expect(() => connectWebSocket(url)).toThrow(expect.objectContaining({ code: 'invalid-input' }));
  },
);
