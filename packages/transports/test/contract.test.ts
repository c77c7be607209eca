import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { Readable, Writable } from 'node:stream';
import { MessageChannel } from 'node:worker_threads';
import type { Transport } from '@turnwire/protocol';
import type { Opened, TransportFeatures } from '@turnwire/transports/contract';
import { runFarEnd, transportContract } from '@turnwire/transports/contract';
import { memoryPair } from '@turnwire/transports/memory';
import { messagePortTransport } from '@turnwire/transports/message-port';
import { stdioTransport } from '@turnwire/transports/stdio';
import { webSocketTransport } from '@turnwire/transports/websocket';
import { webStreamTransport } from '@turnwire/transports/web-streams';
import { describe, expect, test } from 'vitest';
import { WebSocket, WebSocketServer } from 'ws';
import { within } from '../../../tools/pace.ts';
import { exitOf, spawnFixture } from './child.ts';
import { openPipe } from './pipes.ts';

/** A busy machine may take seconds to start a process, or to pass on what is queued. */
const flushTimeout = within(10_000);

holds('memory', async () => opened(...memoryPair()));

holds('stdio over pipes', async () => {
  const there = openPipe();
  const back = openPipe();
  const far = stdioTransport({ input: there.read, output: back.write, flushTimeout });
  return opened(stdioTransport({ input: back.read, output: there.write, flushTimeout }), far);
});

holds('stdio over a child process', async () => {
  const child = spawnFixture('far-end');
  const near = stdioTransport({ input: child.stdout, output: child.stdin, noise: 'report', flushTimeout });
  const dispose = async (): Promise<void> => {
    await exitOf(child);
  };
  return { near, dispose };
});

holds('web streams', async () => {
  const there = new TransformStream<Uint8Array, Uint8Array>();
  const back = new TransformStream<Uint8Array, Uint8Array>();
  const far = webStreamTransport({ readable: there.readable, writable: back.writable });
  return opened(webStreamTransport({ readable: back.readable, writable: there.writable }), far);
});

holds('web streams of Node', async () => {
  const there = openPipe();
  const back = openPipe();
  const over = (input: Readable, output: Writable): Transport =>
    webStreamTransport({
      readable: Readable.toWeb(input) as ReadableStream<Uint8Array>,
      writable: Writable.toWeb(output),
      flushTimeout,
    });
  return opened(over(back.read, there.write), over(there.read, back.write));
});

holds('message port', async () => {
  const { port1, port2 } = new MessageChannel();
  return opened(messagePortTransport(port1), messagePortTransport(port2));
});

holds(
  'websocket',
  async () => {
    const server = new WebSocketServer({ port: 0, host: '127.0.0.1', perMessageDeflate: false });
    await once(server, 'listening');
    const socket = new WebSocket(`ws://127.0.0.1:${(server.address() as AddressInfo).port}`);
    // Created while it still connects: the first frames are sent before it is open.
    const near = webSocketTransport(socket, { flushTimeout });
    const [accepted] = (await once(server, 'connection')) as [WebSocket];
    const { farEnd, dispose } = opened(near, webSocketTransport(accepted, { flushTimeout }));
    const disposeAll = async (): Promise<void> => {
      await dispose();
      await new Promise((resolve) => server.close(resolve));
    };
    return { near, farEnd, dispose: disposeAll };
  },
  { halfClose: false },
);

/** Runs the contract for a kind of pair. */
function holds(name: string, open: () => Promise<Opened>, features: TransportFeatures = {}): void {
  describe(`a transport over ${name}`, () => {
    test.each(transportContract(features))('$name', async ({ run }) => {
      await expect(run(open)).resolves.toBeUndefined();
    });
  });
}

function opened(near: Transport, far: Transport): Opened & { readonly farEnd: Promise<number> } {
  const farEnd = runFarEnd(far);
  return { near, farEnd, dispose: async () => far[Symbol.asyncDispose]() };
}
