import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { Recorder } from '@turnwire/transports/contract';
import type { WebSocketLike, WebSocketLimits } from '@turnwire/transports/websocket';
import { webSocketTransport } from '@turnwire/transports/websocket';
import { afterEach, expect, test } from 'vitest';
import { WebSocket, WebSocketServer } from 'ws';

let server: WebSocketServer | undefined;

afterEach(async () => {
  for (const socket of server?.clients ?? []) socket.terminate();
  await new Promise((resolve) => (server ? server.close(resolve) : resolve(undefined)));
  server = undefined;
});

/** A transport over one end of a connection, and the bare socket at the other. */
async function connected(
  limits: WebSocketLimits = {},
  seen: (socket: WebSocket) => WebSocketLike = (socket) => socket,
) {
  server = new WebSocketServer({ port: 0, host: '127.0.0.1', perMessageDeflate: false });
  await once(server, 'listening');
  const socket = new WebSocket(`ws://127.0.0.1:${(server.address() as AddressInfo).port}`);
  const transport = webSocketTransport(seen(socket), limits);
  const opened = once(socket, 'open');
  const [far] = (await once(server, 'connection')) as [WebSocket];
  await opened;
  return { transport, recorder: new Recorder(), far };
}

/** Without the methods that only the package ws has. */
function asInBrowsers(socket: WebSocket): WebSocketLike {
  const get = (target: WebSocket, name: string): unknown => {
    if (name === 'pause' || name === 'terminate') return undefined;
    const value: unknown = Reflect.get(target, name, target);
    return typeof value === 'function' ? (value.bind(target) as unknown) : value;
  };
  return new Proxy(socket, { get: (target, name) => get(target, String(name)) }) as WebSocketLike;
}

test('a binary message is reported and does not end the connection', async () => {
  const { transport, recorder, far } = await connected();
  transport.start(recorder);
  far.send(Buffer.from([1, 2, 3]));
  far.send('{"a":1}');
  await recorder.untilFrames(1);
  expect(recorder.received).toEqual([
    { warning: { kind: 'noise', bytes: 3, excerpt: 'a binary message' } },
    { frame: '{"a":1}' },
  ]);
});

test.each([
  ['1000', (far: WebSocket) => far.close(1000), null],
  ['1001', (far: WebSocket) => far.close(1001, 'restarting'), null],
  ['no code', (far: WebSocket) => far.close(), null],
  [
    '1011',
    (far: WebSocket) => far.close(1011, 'it broke'),
    'connection-closed: the WebSocket was closed with code 1011: it broke',
  ],
  [
    'a broken connection',
    (far: WebSocket) => far.terminate(),
    'connection-closed: the WebSocket was cut off (code 1006, the peer did not close it)',
  ],
])('the receiver gets the reason of an end with %s', async (_what, end, expected) => {
  const { transport, recorder, far } = await connected();
  transport.start(recorder);
  end(far);
  await recorder.untilEnd();
  expect(recorder.received).toEqual([{ end: expected }]);
});

test('a server that cannot be reached ends the connection with the reason', async () => {
  const recorder = new Recorder();
  const transport = webSocketTransport(new WebSocket('ws://127.0.0.1:9'));
  void transport.send('{}');
  transport.start(recorder);
  await recorder.untilEnd();
  expect(recorder.received).toEqual([{ end: 'connection-closed: connect ECONNREFUSED 127.0.0.1:9' }]);
});

test('a peer that does not read is disconnected beyond the limit', async () => {
  const { transport, recorder, far } = await connected({ maxWaitingBytes: 1000, maxBufferedBytes: 30_000_000 });
  transport.start(recorder);
  far.pause();
  for (let sent = 0; sent < 40; sent++) void transport.send('x'.repeat(1_000_000));
  await recorder.untilEnd();
  expect(recorder.received).toEqual([
    {
      end: expect.stringMatching(
        /^limit-exceeded: \d+ bytes wait for a peer that does not read; await what send returns, or raise maxBufferedBytes$/,
      ),
    },
  ]);
});

test('a socket that cannot be paused is closed when too much waits for a busy receiver', async () => {
  const { transport, recorder, far } = await connected({ maxBufferedBytes: 2_000_000 }, asInBrowsers);
  let release: () => void = () => undefined;
  recorder.answer = () => new Promise((resolve) => (release = resolve));
  transport.start(recorder);
  for (let sent = 0; sent < 4; sent++) far.send('x'.repeat(1_000_000));
  await once(far, 'close');
  recorder.answer = () => undefined;
  release();
  await recorder.untilEnd();
  expect(recorder.received.at(-1)).toEqual({
    end: 'limit-exceeded: 3000000 characters wait for a receiver that is busy',
  });
});

test('a peer that never closes its side delays a close only until the timeout', async () => {
  const { transport, recorder, far } = await connected({ flushTimeout: 50 });
  transport.start(recorder);
  far.pause();
  await transport.close();
  await recorder.untilEnd();
  expect(recorder.received).toEqual([{ end: 'connection-closed: the peer did not close its side' }]);
});
