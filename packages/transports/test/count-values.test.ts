import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import fc from 'fast-check';
import { expect, onTestFinished, test } from 'vitest';
import { WebSocket } from 'ws';
import { randomRuns } from '../../../tools/random-runs.ts';
import { hasTooManyValues } from '../src/endpoint/count-values.ts';
import { serveHttp } from '../src/http/node/index.ts';
import { serveWebSockets } from '../src/websocket/node/index.ts';

/** The number of values in a JSON value, by its commas and brackets outside of strings. */
function signsOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  const members = Object.values(value);
  return 1 + Math.max(0, members.length - 1) + members.reduce<number>((sum, each) => sum + signsOf(each), 0);
}

test('the values of a message are counted, without the contents of strings', () => {
  const hostile = fc.string({ unit: fc.constantFrom('"', '\\', ',', '[', '{', 'a') });
  const json = fc.json({ stringUnit: fc.constantFrom('"', '\\', ',', '[', '{', 'a') });
  const property = fc.property(
    fc.oneof(
      json,
      fc.array(hostile).map((each) => JSON.stringify(each)),
    ),
    (text) => {
      const values = signsOf(JSON.parse(text));
      expect([hasTooManyValues(text, values), values > 0 && hasTooManyValues(text, values - 1)]).toEqual([
        false,
        values > 0,
      ]);
    },
  );
  fc.assert(property, { numRuns: randomRuns({ usual: 500, whole: 5000 }) });
});

const full = `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"_meta":{"a":[${'{},'.repeat(250_000)}{}]}}}`;

/** A server whose connections are counted. */
async function served(): Promise<{ readonly port: number; readonly connections: unknown[] }> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const connections: unknown[] = [];
  const rules = { authorize: () => true };
  const endpoints = [
    serveWebSockets(server, rules, (transport) =>
      transport.start({ frame: (text) => void connections.push(text), warning: () => undefined, end: () => undefined }),
    ),
    serveHttp(server, rules, (transport) => void connections.push(transport)),
  ];
  onTestFinished(async () => void (await Promise.all(endpoints.map((each) => each.close()))));
  return { port: (server.address() as AddressInfo).port, connections };
}

test('a message of more than 250,000 values is refused before it is parsed, over WebSocket and HTTP', async () => {
  const { port, connections } = await served();
  const socket = new WebSocket(`ws://127.0.0.1:${port}/acp`);
  await once(socket, 'open');
  socket.send(full);
  const [code] = (await once(socket, 'close')) as [number];
  const answer = await fetch(`http://127.0.0.1:${port}/acp`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
    body: full,
  });
  expect({ code, status: answer.status, connections }).toEqual({ code: 1009, status: 413, connections: [] });
});

test('a first message of more than 1 MiB ends a WebSocket', async () => {
  const { port, connections } = await served();
  const socket = new WebSocket(`ws://127.0.0.1:${port}/acp`);
  await once(socket, 'open');
  socket.send(JSON.stringify('x'.repeat(1024 * 1024)));
  expect({ code: (await once(socket, 'close'))[0] as number, connections }).toEqual({ code: 1009, connections: [] });
});
