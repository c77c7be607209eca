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

/** A request of the client, as it came. */
export interface SeenRequest {
  readonly method: string;
  readonly headers: IncomingHttpHeaders;
  /** The message; undefined if there is none, or it is no JSON object. */
  readonly message: Readonly<Record<string, unknown>> | undefined;
}

/** What a request is answered with in place of what a server owes it. */
export interface PlayedAnswer {
  readonly status: number;
  readonly type?: string;
  readonly body?: string;
}

/** Where clients reach the agent that is played. */
export interface PlayedServer extends LaunchPad {
  /** Every request so far, in the order of arrival. */
  readonly requests: readonly SeenRequest[];
}

/**
 * A server by hand, for clients that reach agents by a URL. It conforms where that can be judged from requests afterwards, and is generous
 * beyond that: a request without what it must carry is noted and understood all the same, so that the rest can be seen.
 * @param oddAnswer an answer that is not what a server owes the request
 */
export async function openPlayedServer(
  profile: RemoteProfile,
  onLaunch: (launch: Launch) => void,
  oddAnswer: (request: SeenRequest) => PlayedAnswer | undefined,
): Promise<PlayedServer> {
  const requests: SeenRequest[] = [];
  const seen = (request: SeenRequest): SeenRequest => {
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
    const given = seen({ method, headers, message: asMessage(parsed(body)) });
    const odd = oddAnswer(given);
    if (odd !== undefined) {
      // Who is refused has reached its agent all the same.
      if (given.message?.['method'] === 'initialize') onLaunch({ line: deadLine });
      return void response.writeHead(odd.status, { 'content-type': odd.type ?? 'text/plain' }).end(odd.body ?? '');
    }
    if (profile === 'websocket') return void response.writeHead(426).end();
    serve(given, { body, response }, { connections, onLaunch });
  };
  server.on('upgrade', (request: IncomingMessage, wire: Duplex, head: Buffer) => {
    wire.on('error', () => undefined);
    const given = seen({ method: 'UPGRADE', headers: request.headers, message: undefined });
    const odd = oddAnswer(given) ?? (profile === 'http' ? { status: 404 } : undefined);
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

/** For a client that was not let in: nothing comes, and nothing goes. */
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
  const named = headers['acp-connection-id'];
  if (method === 'POST' && named === undefined && message?.['method'] === 'initialize') {
    const id = randomUUID();
    const connection = new HttpLaunch(id, response, () => connections.delete(id));
    connections.set(id, connection);
    onLaunch(connection);
    return connection.receive(body);
  }
  const connection = named === undefined ? [...connections.values()].at(-1) : connections.get(String(named));
  if (connection === undefined) return void response.writeHead(named === undefined ? 400 : 404).end();
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
