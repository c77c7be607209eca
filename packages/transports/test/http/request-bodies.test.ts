import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { NodeExchange } from '../../src/http/node/node-exchange.ts';

/** The first request to a server, of which the client sends only this text. */
async function received(text: string) {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1');
  onTestFinished(() => {
    client.destroy();
    server.close();
  });
  client.write(`POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 6\r\n\r\n${text}`);
  const [request, response] = (await once(server, 'request')) as [IncomingMessage, ServerResponse];
  return { client, request, exchange: new NodeExchange(request, response) };
}

test('the body of a request is read to its end', async () => {
  const { exchange } = await received('abcdef');
  const chunks: Uint8Array[] = [];
  await exchange.read((chunk) => chunks.push(chunk) > 0);
  expect(Buffer.concat(chunks).toString()).toBe('abcdef');
});

test('a body that another listener has read is empty, also after the request is destroyed', async () => {
  const { request, exchange } = await received('abcdef');
  request.resume();
  await once(request, 'end');
  const chunks: Uint8Array[] = [];
  await exchange.read((chunk) => chunks.push(chunk) > 0);
  request.destroy();
  await exchange.read((chunk) => chunks.push(chunk) > 0);
  expect(chunks).toEqual([]);
});

test('the rest of a body is not read after its reader has enough', async () => {
  const { client, request, exchange } = await received('abc');
  const chunks: string[] = [];
  await exchange.read((chunk) => chunks.push(String(chunk)) === 0);
  client.write('def');
  expect({ chunks, isPaused: request.isPaused() }).toEqual({ chunks: ['abc'], isPaused: true });
});

test('reading fails if the client disconnects before it begins or before it ends', async () => {
  const late = await received('abc');
  const reading = late.exchange.read(() => true);
  late.client.destroy();
  await expect(reading).rejects.toThrow('aborted');
  const early = await received('abc');
  early.request.on('error', () => undefined);
  early.client.destroy();
  await new Promise((resolve) => early.request.once('close', resolve));
  await expect(early.exchange.read(() => true)).rejects.toThrow(
    'the client disconnected before the end of its request',
  );
});
