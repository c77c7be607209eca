import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import type { AddressInfo, Socket } from 'node:net';
import type { SecureContextOptions } from 'node:tls';
import type { Transport } from '@turnwire/protocol';
import { TurnwireError } from '@turnwire/protocol';
import type { HttpEndpointOptions } from '@turnwire/transports/http/node';
import type { WebSocketEndpointOptions } from '@turnwire/transports/websocket/node';

/**
 * Where an agent listens, and for whom. All have defaults: this machine only, a free port, a random token. Of each kind, WebSocket and
 * Streamable HTTP, there may be `maxConnections`.
 */
export interface ListenOptions extends Omit<
  WebSocketEndpointOptions & Omit<HttpEndpointOptions, keyof WebSocketEndpointOptions>,
  'authorize'
> {
  /** Default: a free one. */
  readonly port?: number | undefined;
  /** The address to bind. Default `127.0.0.1`. One that other machines reach needs `tls` and `hosts`. */
  readonly host?: string | undefined;
  /** What clients send as `Authorization: Bearer TOKEN`. Default: 256 random bits. */
  readonly token?: string | undefined;
  /** The key and certificate of the server, which then speaks `wss:` and `https:`, HTTP/2 too. Default: none. */
  readonly tls?: SecureContextOptions | undefined;
}

/** An agent that listens for clients. */
export interface ListeningAgent extends AsyncDisposable {
  /** What clients connect to with a WebSocket: `ws://127.0.0.1:54321/acp`. */
  readonly url: string;
  /** The same for Streamable HTTP: `http://127.0.0.1:54321/acp`. */
  readonly httpUrl: string;
  /** What clients have to send. Give it to nobody else: it allows whatever the agent can do. */
  readonly token: string;
  /** How many clients are connected. */
  readonly connections: number;
  /** Accepts no more clients, ends the connections of the others, and resolves when every session is closed. */
  close(): Promise<void>;
}

/** One connection's agent. */
interface Served {
  readonly closed: Promise<unknown>;
}

/** Listens for clients, and has each served by an agent of its own. Rejects with `invalid-input` if it cannot listen like that. */
export async function listen(options: ListenOptions, serve: (transport: Transport) => Served): Promise<ListeningAgent> {
  const { port = 0, host = '127.0.0.1', token = randomBytes(32).toString('base64url'), tls, ...endpoint } = options;
  refuseExposed({ ...options, host, token });
  // Agents on stdin and stdout do without all of it: it takes 30 ms to load.
  const { createServer } = await import('node:http');
  const { createSecureServer } = await import('node:http2');
  const { serveHttp } = await import('@turnwire/transports/http/node');
  const { bearerToken, serveWebSockets } = await import('@turnwire/transports/websocket/node');
  // WebSockets come over HTTP/1.1.
  const server = tls === undefined ? createServer() : createSecureServer({ ...tls, allowHTTP1: true });
  const wires = new Set<Socket>();
  server.on('connection', (wire: Socket) => {
    wires.add(wire);
    wire.once('close', () => wires.delete(wire));
  });
  const served = new Set<Served>();
  const accept = (transport: Transport): void => {
    const agent = serve(transport);
    served.add(agent);
    void agent.closed.then(() => served.delete(agent));
  };
  const rules = { ...endpoint, authorize: bearerToken(token) };
  const endpoints = [serveWebSockets(server, rules, accept), serveHttp(server, rules, accept)];
  try {
    server.listen(port, host);
    await once(server, 'listening');
  } catch (cause) {
    throw new TurnwireError(
      'invalid-input',
      `the agent cannot listen at ${host}:${port}: ${(cause as Error).message}`,
      {
        cause,
      },
    );
  }
  const close = async (): Promise<void> => {
    await Promise.all(endpoints.map((each) => each.close()));
    await Promise.all([...served].map(({ closed }) => closed));
    const closed = new Promise((resolve) => server.close(resolve));
    for (const wire of wires) wire.destroy();
    await closed;
  };
  const name = host.includes(':') ? `[${host}]` : host;
  const { path = '/acp' } = endpoint;
  const place = `${tls === undefined ? '' : 's'}://${name}:${(server.address() as AddressInfo).port}${path}`;
  return {
    url: `ws${place}`,
    httpUrl: `http${place}`,
    token,
    get connections() {
      return endpoints.reduce((sum, { connections }) => sum + connections, 0);
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}

/** What other machines reach needs encryption, and the names it is known by. */
function refuseExposed({ host = '', token, tls, hosts }: ListenOptions): void {
  if (token === '') throw invalid('the token is empty; leave it out for a random one');
  if (/^(?:localhost|127(?:\.\d+){3}|::1)$/.test(host)) return;
  if (tls === undefined) throw invalid(`${host} is reached from other machines; listening there needs tls`);
  if (hosts === undefined) throw invalid(`list the names that clients know ${host} by in hosts`);
}

function invalid(message: string): TurnwireError {
  return new TurnwireError('invalid-input', message);
}
