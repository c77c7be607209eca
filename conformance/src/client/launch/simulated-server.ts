import { createHash, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { text } from 'node:stream/consumers';
import type { RemoteProfile } from '../../remote/endpoint.ts';
import { asMessage, parsed } from '../../wire/messages.ts';
import { affinityCookie, HttpLaunch } from './http-launch.ts';
import type { LaunchPad } from './launch-pad.ts';
import type { Launch } from './launch.ts';
import { webSocketLaunch } from './web-socket-launch.ts';

/** An HTTP request of the client, as received. */
export interface SeenRequest {
  readonly method: string;
  readonly headers: IncomingHttpHeaders;
  /** The message; undefined if the body is not a JSON object. */
  readonly message: Readonly<Record<string, unknown>> | undefined;
}

/** An answer that replaces the correct one. */
export interface ServerAnswer {
  readonly status: number;
  readonly type?: string;
  readonly body?: string;
}

/** A server through which clients reach the simulated agent. */
export interface SimulatedServer extends LaunchPad {
  /** All requests so far, in order of arrival. */
  readonly requests: readonly SeenRequest[];
}

/**
 * A hand-written server for clients that reach agents by a URL. It follows the protocol, but accepts incomplete requests: these are
 * recorded, judged later, and still processed, so that the rest of the conversation can be observed.
 * @param oddAnswer replaces the answer to a request
 */
export async function openSimulatedServer(
  profile: RemoteProfile,
  onLaunch: (launch: Launch) => void,
  oddAnswer: (request: SeenRequest) => ServerAnswer | undefined,
): Promise<SimulatedServer> {
  const requests: SeenRequest[] = [];
  const record = (request: SeenRequest): SeenRequest => {
    requests.push(request);
    return request;
  };
  const connections = new Map<string, HttpLaunch>();
  const server = createServer((request, response) => {
    response.on('error', () => undefined);
    void answer(request, response);
  });
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { method = '', headers } = request;
    const body = await text(request).catch(() => '');
    const seen = record({ method, headers, message: asMessage(parsed(body)) });
    const odd = oddAnswer(seen);
    if (odd !== undefined) {
      // A refused client has still reached its agent.
      if (seen.message?.['method'] === 'initialize') onLaunch({ line: deadLine });
      return void response.writeHead(odd.status, { 'content-type': odd.type ?? 'text/plain' }).end(odd.body ?? '');
    }
    if (profile === 'websocket') return void response.writeHead(426).end();
    serve(seen, { body, response }, { connections, onLaunch });
  };
  server.on('upgrade', (request: IncomingMessage, wire: Duplex, head: Buffer) => {
    wire.on('error', () => undefined);
    const seen = record({ method: 'UPGRADE', headers: request.headers, message: undefined });
    const odd = oddAnswer(seen) ?? (profile === 'http' ? { status: 404 } : undefined);
    if (odd !== undefined) {
      onLaunch({ line: deadLine });
      const lines = ['HTTP/1.1 ' + String(odd.status) + ' Refused', `Content-Type: ${odd.type ?? 'text/plain'}`];
      return void wire.end([...lines, 'Connection: close', '', odd.body ?? ''].join('\r\n'));
    }
    wire.write(upgradeHead(request.headers['sec-websocket-key'] ?? ''));
    onLaunch(webSocketLaunch(wire, head));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    path: `${profile === 'http' ? 'http' : 'ws'}://127.0.0.1:${port}/acp`,
    requests,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** The line of a client that was refused: nothing is sent or received. */
const deadLine: Launch['line'] = {
  start: () => undefined,
  send: () => undefined,
  close: () => Promise.resolve(),
};

function serve(
  { method, headers, message }: SeenRequest,
  { body, response }: { readonly body: string; readonly response: ServerResponse },
  { connections, onLaunch }: { connections: Map<string, HttpLaunch>; onLaunch: (launch: Launch) => void },
): void {
  const connectionId = headers['acp-connection-id'];
  if (method === 'POST' && connectionId === undefined && message?.['method'] === 'initialize') {
    const id = randomUUID();
    const connection = new HttpLaunch(id, response, () => connections.delete(id));
    connections.set(id, connection);
    onLaunch(connection);
    return connection.receive(body);
  }
  const connection =
    connectionId === undefined ? [...connections.values()].at(-1) : connections.get(String(connectionId));
  if (connection === undefined) return void response.writeHead(connectionId === undefined ? 400 : 404).end();
  if (method === 'GET') return connection.open(String(headers['acp-session-id'] ?? ''), response);
  response.writeHead(202).end();
  if (method === 'POST') connection.receive(body);
  else connection.end();
}

function upgradeHead(key: string): string {
  const accept = createHash('sha1').update(`${key}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`).digest('base64');
  return [
    'HTTP/1.1 101 Switching Protocols',
    'Upgrade: websocket',
    'Connection: Upgrade',
    `Sec-WebSocket-Accept: ${accept}`,
    `Acp-Connection-Id: ${randomUUID()}`,
    `Set-Cookie: ${affinityCookie}=here; Path=/`,
    '\r\n',
  ].join('\r\n');
}
