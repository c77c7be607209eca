import { randomBytes } from 'node:crypto';
import type { Transport } from '@turnwire/protocol';
import { TurnwireError } from '@turnwire/protocol';
import type { HttpAddress, HttpEndpointOptions } from '@turnwire/transports/http/node';
import type { WebSocketEndpointOptions } from '@turnwire/transports/websocket/node';

/**
 * The address and access of an agent that listens. Defaults: this machine only, a free port, a random token. `maxConnections` applies to
 * WebSocket and to Streamable HTTP separately.
 */
export interface ListenOptions extends Omit<
  WebSocketEndpointOptions & Omit<HttpEndpointOptions, keyof WebSocketEndpointOptions> & Omit<HttpAddress, 'hosts'>,
  'authorize'
> {
  /** The token that clients send as `Authorization: Bearer TOKEN`. Default: 256 random bits. */
  readonly token?: string | undefined;
}

/** An agent that listens for clients. */
export interface ListeningAgent extends AsyncDisposable {
  /** The WebSocket address for clients: `ws://127.0.0.1:54321/acp`. */
  readonly url: string;
  /** The same for Streamable HTTP: `http://127.0.0.1:54321/acp`. */
  readonly httpUrl: string;
  /** The token that clients have to send. Keep it secret: it gives access to everything the agent can do. */
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

/** Listens for clients and serves each with a separate agent. Rejects with `invalid-input` for options that it cannot use. */
export async function listen(options: ListenOptions, serve: (transport: Transport) => Served): Promise<ListeningAgent> {
  const { port, host, token = randomBytes(32).toString('base64url'), tls, ...endpoint } = options;
  if (token === '') throw new TurnwireError('invalid-input', 'the token is empty; leave it out for a random one');
  // Agents on stdin and stdout do not need this module.
  const { listenHttp, serveHttp } = await import('@turnwire/transports/http/node');
  const { bearerToken, serveWebSockets } = await import('@turnwire/transports/websocket/node');
  const served = new Set<Served>();
  const accept = (transport: Transport): void => {
    const agent = serve(transport);
    served.add(agent);
    void agent.closed.then(() => served.delete(agent));
  };
  const rules = { ...endpoint, authorize: bearerToken(token) };
  const endpoints: { readonly connections: number; close(): Promise<void> }[] = [];
  const listener = await listenHttp({ port, host, tls, hosts: endpoint.hosts }, (server) => {
    endpoints.push(serveWebSockets(server, rules, accept), serveHttp(server, rules, accept));
    return endpoints;
  });
  const close = async (): Promise<void> => {
    await Promise.all(endpoints.map((each) => each.close()));
    await Promise.all([...served].map(({ closed }) => closed));
    await listener.close();
  };
  const { path = '/acp' } = endpoint;
  return {
    url: `${listener.url('ws')}${path}`,
    httpUrl: `${listener.url('http')}${path}`,
    token,
    get connections() {
      return endpoints.reduce((sum, { connections }) => sum + connections, 0);
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}
