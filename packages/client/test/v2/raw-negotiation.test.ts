import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { type Agent, type AgentOptions, attachAgent } from '@turnwire/client';
import { launchAgent } from '@turnwire/client/node';
import { protocolVersions } from '@turnwire/client/v2';
import { connectHttp } from '@turnwire/transports/http';
import { connectWebSocket } from '@turnwire/transports/websocket/node';
import { expect, test } from 'vitest';
import { type WebSocket, WebSocketServer } from 'ws';
import * as rawAgent from './raw-agent.mjs';

/* Agents that write the frames themselves are asked for a version by our client, over each transport. */

interface Asked {
  readonly id: number;
  readonly method: string;
  readonly params: { readonly protocolVersion: number };
}

const { answerOf } = rawAgent as { readonly answerOf: (asked: Asked, spoken: readonly number[]) => object };

type Reach = (spoken: readonly number[], options: AgentOptions, use: (agent: Agent) => unknown) => Promise<unknown>;

const reach: Readonly<Record<string, Reach>> = {
  stdio: async (spoken, options, use) => {
    const program = fileURLToPath(new URL('raw-agent.mjs', import.meta.url));
    await using agent = await launchAgent([process.execPath, program, spoken.join(',')], options);
    return use(agent);
  },
  WebSocket: async (spoken, options, use) => {
    const server = new WebSocketServer({ port: 0, host: '127.0.0.1' });
    server.on('connection', (socket: WebSocket) =>
      socket.on('message', (data: Buffer) => {
        const message = JSON.parse(data.toString()) as Asked;
        if (message.method === 'initialize') socket.send(JSON.stringify(answerOf(message, spoken)));
      }),
    );
    await new Promise((resolve) => server.once('listening', resolve));
    try {
      const { port } = server.address() as AddressInfo;
      await using agent = await attachAgent(connectWebSocket(`ws://127.0.0.1:${port}/`), options);
      return use(agent);
    } finally {
      for (const client of server.clients) client.terminate();
      server.close();
    }
  },
  HTTP: async (spoken, options, use) => {
    const server = createServer((request, response) => void answerHttp(request, response, spoken));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    try {
      const { port } = server.address() as AddressInfo;
      await using agent = await attachAgent(connectHttp(`http://127.0.0.1:${port}/`), options);
      return use(agent);
    } finally {
      server.closeAllConnections();
      server.close();
    }
  },
};

/** Answers `initialize`, and keeps a stream of events open. */
async function answerHttp(
  request: IncomingMessage,
  response: ServerResponse,
  spoken: readonly number[],
): Promise<void> {
  if (request.method === 'GET') {
    response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders();
    return;
  }
  let body = '';
  for await (const chunk of request) body += String(chunk);
  if (request.method !== 'POST') return void response.writeHead(202).end();
  const message = JSON.parse(body) as Asked;
  const headers = { 'content-type': 'application/json', 'acp-connection-id': 'c' };
  response.writeHead(200, headers).end(JSON.stringify(answerOf(message, spoken)));
}

const offers = {
  '1': {},
  '2': { versions: protocolVersions([2]) },
  '1 and 2': { versions: protocolVersions([1, 2]) },
} as const;
const only1 =
  'The agent speaks protocol version 1; this client speaks version 2. The connection was closed: update the older one.';
const only2 = 'The agent speaks protocol version 2, which was not offered. Offer it, or update the older side';

/** For a client and an agent: the agreed version, or the error. */
const meetings: readonly (readonly [
  client: keyof typeof offers,
  agent: readonly number[],
  outcome: number | string,
])[] = [
  ['1', [1], 1],
  ['1', [2], only2],
  ['1', [1, 2], 1],
  ['2', [1], only1],
  ['2', [2], 2],
  ['2', [1, 2], 2],
  ['1 and 2', [1], 1],
  ['1 and 2', [2], 2],
  ['1 and 2', [1, 2], 2],
];

const cases = Object.keys(reach).flatMap((transport) => meetings.map((meeting) => [transport, ...meeting] as const));

test.each(cases)(
  'over %s a client of version %s and a raw agent of %j agree on a version, or the client closes the connection',
  async (transport, client, spoken, outcome) => {
    const met = reach[transport]?.(spoken, offers[client], ({ version }) => version);
    expect(
      await met?.catch((error: unknown) => {
        const { code, message } = error as { readonly code: string | number; readonly message: string };
        return code === 'version-mismatch' ? message : error;
      }),
    ).toBe(outcome);
  },
  60_000,
);
