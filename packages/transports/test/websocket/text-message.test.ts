import { WebSocket } from 'ws';
import { expect, test } from 'vitest';
import { serveWebSockets } from '../../src/websocket/node/index.ts';
import { listeningServer } from './http-server.ts';

/** Lengths around each change of the head of a message, or of the way it is written. */
const lengths = [0, 1, 125, 126, 16 * 1024, 16 * 1024 + 1, 2 ** 16 - 1, 2 ** 16, 2 ** 20];

test('texts of every length, ASCII or not, reach a client of another implementation unchanged', async () => {
  const texts = lengths.flatMap((length) => ['a'.repeat(length), 'é'.repeat(length), `${'a'.repeat(length)}😀`]);
  await using listening = await listeningServer();
  await using _endpoint = serveWebSockets(
    listening.server,
    { authorize: () => true },
    (transport) =>
      void transport.start({
        frame: () => {
          for (const text of texts) void transport.send(text);
          return undefined;
        },
        warning: () => undefined,
        end: () => undefined,
      }),
  );
  const client = new WebSocket(`ws://127.0.0.1:${listening.port}/acp`, { perMessageDeflate: false });
  client.once('open', () => client.send('{"jsonrpc":"2.0","id":0,"method":"initialize","params":{}}'));
  const received: string[] = [];
  await new Promise<void>((resolve, reject) => {
    client.once('error', reject);
    client.on('message', (data: Buffer, isBinary) => {
      received.push(isBinary ? 'binary' : data.toString());
      if (received.length === texts.length) resolve();
    });
  });
  client.terminate();
  expect(received.map((text) => text.length)).toEqual(texts.map((text) => text.length));
  expect(received.every((text, index) => text === texts[index])).toBe(true);
});
