import { once } from 'node:events';
import { Agent, createServer, type IncomingMessage, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { connectAgent, type Transport } from '@turnwire/protocol';
import { v2 } from '@turnwire/protocol/v2';
import { expect, onTestFinished, test } from 'vitest';
import { WebSocket } from 'ws';
import { chance, malformedText } from '../../protocol/test/v2/malformed-frames.ts';
import { agreed, introduction } from '../../protocol/test/v2/v2-pair.ts';
import { serveHttp } from '../src/http/node/index.ts';
import { serveWebSockets } from '../src/websocket/node/index.ts';

/** `TURNWIRE_MALFORMED_FRAMES=1000000` sends as many over each transport, and prints what it came to. */
const count = Number(process.env['TURNWIRE_MALFORMED_FRAMES'] ?? 1_000);
/** Frames between two questions to the agent. */
const portion = 250;
/** Concurrent requests over HTTP. */
const senders = 8;

/** One connection to an agent, as its client writes it. */
interface RawConnection {
  /** Sends frames as they are. Resolves when the server has taken all of them. */
  send(frames: readonly string[]): Promise<void>;
  /** Resolves when the agent has sent this text. */
  received(text: string): Promise<void>;
}

function serveAgentOver(transport: Transport): void {
  const handlers = { initialize: () => agreed, 'session/cancel': () => undefined, _x: () => 'still here' };
  connectAgent(transport, handlers, { edition: v2 });
}

async function listening(mount: (server: Server) => AsyncDisposable): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const endpoint = mount(server);
  onTestFinished(async () => {
    await endpoint[Symbol.asyncDispose]();
    server.close();
    server.closeAllConnections();
  });
  return (server.address() as AddressInfo).port;
}

/** The texts that an agent has sent, as far as somebody waits for one. */
class Received {
  #text = '';
  #awaited = '';
  #found: () => void = () => undefined;

  add(text: string): void {
    this.#text = `${this.#text}${text}`.slice(-10_000);
    if (this.#awaited !== '' && this.#text.includes(this.#awaited)) this.#found();
  }

  until(text: string): Promise<void> {
    return new Promise((resolve) => {
      this.#awaited = text;
      this.#found = resolve;
      this.add('');
    });
  }
}

const initialize = JSON.stringify({ jsonrpc: '2.0', id: 'first', method: 'initialize', params: introduction });

async function overWebSocket(): Promise<RawConnection> {
  const port = await listening((server) => serveWebSockets(server, { authorize: () => true }, serveAgentOver));
  const socket = new WebSocket(`ws://127.0.0.1:${port}/acp`);
  onTestFinished(() => socket.terminate());
  const received = new Received();
  socket.on('message', (data: Buffer) => received.add(data.toString()));
  await once(socket, 'open');
  const send = async (frames: readonly string[]): Promise<void> => {
    for (const frame of frames) socket.send(frame);
  };
  await send([initialize]);
  await received.until('"id":"first"');
  return { send, received: (text) => received.until(text) };
}

async function overHttp(): Promise<RawConnection> {
  const port = await listening((server) => serveHttp(server, { authorize: () => true }, serveAgentOver));
  const agent = new Agent({ keepAlive: true });
  onTestFinished(() => agent.destroy());
  const received = new Received();
  const ask = async (method: string, headers: Record<string, string>, body?: string): Promise<IncomingMessage> => {
    const sent = request({ port, host: '127.0.0.1', path: '/acp', method, headers, agent });
    sent.end(body);
    const [response] = (await once(sent, 'response')) as [IncomingMessage];
    return response;
  };
  const type = { 'content-type': 'application/json' };
  const first = await ask('POST', type, initialize);
  const connection = { 'acp-connection-id': String(first.headers['acp-connection-id']) };
  first.resume();
  for (const session of [{}, { 'acp-session-id': 's' }]) {
    const stream = await ask('GET', { ...connection, ...session, accept: 'text/event-stream' });
    stream.on('data', (chunk: Buffer) => received.add(chunk.toString()));
  }
  const post = async (frame: string): Promise<void> => {
    const response = await ask('POST', { ...type, ...connection, 'acp-session-id': 's' }, frame);
    response.resume();
    expect([202, 400]).toContain(response.statusCode);
    await once(response, 'end');
  };
  const send = async (frames: readonly string[]): Promise<void> => {
    const rest = [...frames];
    const oneAfterAnother = async (): Promise<void> => {
      for (let next = rest.pop(); next !== undefined; next = rest.pop()) await post(next);
    };
    await Promise.all(Array.from({ length: senders }, oneAfterAnother));
  };
  return { send, received: (text) => received.until(text) };
}

test.each([
  ['WebSocket', overWebSocket],
  ['HTTP', overHttp],
] as const)(
  `an agent of version 2 behind %s survives ${count} malformed messages of one connection, and still answers`,
  async (transport, connect) => {
    const connection = await connect();
    const random = chance(17);
    const [start, before] = [performance.now(), process.memoryUsage.rss()];
    for (let sent = 0; sent < count; sent += portion) {
      await connection.send(Array.from({ length: portion }, () => malformedText(random)));
      const answered = connection.received(`{"jsonrpc":"2.0","id":"after ${sent}","result":"still here"}`);
      await connection.send([JSON.stringify({ jsonrpc: '2.0', id: `after ${sent}`, method: '_x' })]);
      await answered;
    }
    const [seconds, growth] = [(performance.now() - start) / 1000, (process.memoryUsage.rss() - before) / 2 ** 20];
    if (count >= 100_000) console.log({ transport, count, seconds, growthInMiB: growth });
    expect(growth).toBeLessThan(512);
  },
  3_600_000,
);
