import type { Transport } from '@turnwire/protocol';
import { TurnwireError } from '@turnwire/protocol';
import { type HttpAddress, listenHttp, serveHttp } from '@turnwire/transports/http/node';
import { serveWebSockets, type UpgradingServer, type WebSocketEndpoint } from '@turnwire/transports/websocket/node';
import type { AttachOptions } from '../gateway.ts';
import { ConnectLimit } from '../auth/connect-limit.ts';
import { Access } from '../auth/access.ts';
import type { PageTokenStore } from '../auth/page-token-store.ts';
import type { Principal } from '../auth/principal.ts';
import type { TokenFile, TokenPrincipal } from '../auth/token-file.ts';
import type { SignedTokens } from '../auth/signed-tokens.ts';
import { type ConnectionCount, HttpPages, type WebClient } from './http-pages.ts';

/** Options of {@link openHttpServer}. */
export interface HttpServerOptions extends HttpAddress {
  /** The names of the agents: letters, digits, `.`, `_` and `-`. Each is at `/agents/NAME/acp`, the first at `/acp` too. */
  readonly agents: readonly string[];
  /** The tokens that are accepted. */
  readonly tokens: TokenFile;
  /** The id of the token that the server made for its owner and revokes when it ends. Watch links that were made with it stay valid. */
  readonly serverToken?: string | undefined;
  /** Whether a tenant has a session; checked before a watch link is made. Default: any id is accepted. */
  readonly hasSession?: ((tenant: string, sessionId: string) => Promise<boolean>) | undefined;
  /** Accepts signed tokens as well: a `TokenIssuer` of `@turnwire/cluster`, for example. Default: none. */
  readonly issuer?: SignedTokens | undefined;
  /** Stores the logins of web pages: a `PageLoginFile`, for example. Default: memory, so they end with the process. */
  readonly pageTokens?: PageTokenStore | undefined;
  /** Accepted values of the `Origin` header, which browsers send: `https://example.com`. Default: none. With `web`: the server's own. */
  readonly origins?: readonly string[] | undefined;
  /** The web client, at `/`. Default: none. */
  readonly web?: WebClient | undefined;
  /** Limit of concurrent connections for each address and kind; further ones are answered with 503. Default 1,000. */
  readonly maxConnections?: number | undefined;
  /** Limit of new connections with one token within a minute; further ones are answered with 429. Default 1,000. */
  readonly maxConnects?: number | undefined;
  /** Called with the address that sent a wrong token or ticket, at most ten times a minute for each address. Default: not reported. */
  readonly onRefused?: ((address: string) => void) | undefined;
  /** Whether `/readyz` answers 200; otherwise 503. Default: always. */
  readonly isReady?: (() => boolean) | undefined;
  /**
   * Endpoints where other nodes of a cluster connect on behalf of their clients: the `links` of a `GatewayNode` of `@turnwire/cluster`. Default:
   * none.
   */
  readonly links?: readonly LinkEndpoint[] | undefined;
  /** More lines for `/metrics`, in the text format of Prometheus, for the principal that reads it. Default: none. */
  readonly metrics?: ((principal: Principal) => string) | undefined;
}

/** A client that is being served. */
export interface ServedClient {
  /** Resolves when the client is no longer served. */
  readonly closed: Promise<unknown>;
}

/** Serves a client: `Gateway.attach`, for example. */
export type ServeClient = (transport: Transport, to: AttachOptions) => ServedClient;

/** An endpoint for another node of a cluster, which connects on behalf of its clients. */
export interface LinkEndpoint {
  /** Its path on the server. */
  readonly path: string;
  /** Accepts links on a server until it is closed. Calls `onClient` with each client that the other node forwards. */
  serve(
    server: UpgradingServer,
    onClient: (transport: Transport, to: Pick<AttachOptions, 'principal' | 'agent' | 'firstId'>) => void,
  ): Pick<WebSocketEndpoint, 'close'>;
}

/** A gateway that listens for HTTP and WebSocket connections. */
export interface HttpServer extends AsyncDisposable {
  /** The URL for clients that use HTTP: `http://127.0.0.1:54321/acp`. */
  readonly url: string;
  /** The URL for clients that use WebSocket: `ws://127.0.0.1:54321/acp`. */
  readonly webSocketUrl: string;
  /** A URL of the web client that logs a page in on behalf of a principal: once, within a minute. */
  pageFor(principal: TokenPrincipal): Promise<string>;
  /** The number of connected clients. */
  readonly connections: number;
  /** Stops accepting clients, ends the connections, and resolves when no client is served any more. */
  close(): Promise<void>;
}

/**
 * Listens for clients over WebSocket and Streamable HTTP. Checks `Host` and `Origin` first, then the token, on loopback too, and disconnects a client
 * whose token is revoked or expires. It also serves `/healthz`, `/readyz`, `/metrics` for a token of scope `admin`, and `/tickets`, `/login` and
 * `/logout` for web pages.
 * @throws TurnwireError `invalid-input` if it cannot listen like that: it would be reachable from other machines without `tls` and `hosts`, the
 * address is taken, or an agent's name cannot be part of a path
 */
export async function openHttpServer(options: HttpServerOptions, serve: ServeClient): Promise<HttpServer> {
  const { agents, web, links = [] } = options;
  const unfit = agents.find((name) => !/^[\w.-]*\w[\w.-]*$/.test(name));
  if (unfit !== undefined)
    throw new TurnwireError('invalid-input', `${unfit} cannot be a part of a path: rename the agent`);
  const access = new Access(options);
  const clients = new ServedClients(serve);
  const connects = new ConnectLimit(options.maxConnects ?? 1_000);
  access.onEnd((principal) => clients.disconnect(principal));
  const rules = {
    ...options,
    origins: [...(options.origins ?? []), ...(web ? ['self'] : [])],
    mayConnect: (principal: true | object) => principal !== true && connects.admit(principal),
    authorize: (request: Parameters<Access['principalOf']>[0]) => access.principalOf(request),
  };
  const counts: ConnectionCount[] = [];
  const listening = listenHttp(options, (server) => {
    const endpoints = agentPaths(agents).flatMap(({ path, agent }) => {
      const accept =
        (by: 'websocket' | 'http') =>
        (transport: Transport, { principal }: { readonly principal: true | object }): void =>
          clients.add(transport, { principal: principal as TokenPrincipal, agent, by });
      const sockets = serveWebSockets(server, { ...rules, path }, accept('websocket'));
      const http = serveHttp(server, { ...rules, path }, accept('http'));
      counts.push({ agent, transport: 'websocket', of: sockets }, { agent, transport: 'http', of: http });
      return [sockets, http];
    });
    const paths = [...agentPaths(agents), ...links].map(({ path }) => path);
    const pages = new HttpPages({ rules, access, agents, web, counts, paths });
    const nodes = links.map((link) =>
      link.serve(server, (transport, to) =>
        clients.add(transport, { ...to, principal: to.principal as TokenPrincipal, by: 'node' }),
      ),
    );
    return [...endpoints, ...nodes, pages.mount(server)];
  });
  const listener = await listening.catch((error: unknown) => {
    access.close();
    throw error;
  });
  const close = async (): Promise<void> => {
    access.close();
    await listener.close();
    await clients.closed();
  };
  return {
    url: `${listener.url('http')}/acp`,
    webSocketUrl: `${listener.url('ws')}/acp`,
    pageFor: async (principal) => {
      const page = new URL(listener.url('http'));
      page.hash = `ticket=${await access.ticketFor(principal, page.origin)}`;
      return page.href;
    },
    get connections() {
      return counts.reduce((sum, { of }) => sum + of.connections, 0);
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}

function agentPaths(agents: readonly string[]): readonly { readonly path: string; readonly agent: string }[] {
  const own = agents.map((agent) => ({ path: `/agents/${agent}/acp`, agent }));
  const [first] = agents;
  return first === undefined ? own : [{ path: '/acp', agent: first }, ...own];
}

class ServedClients {
  readonly #serve: ServeClient;
  readonly #open = new Map<Transport, { readonly principal: TokenPrincipal; readonly served: ServedClient }>();

  constructor(serve: ServeClient) {
    this.#serve = serve;
  }

  add(transport: Transport, to: AttachOptions & { readonly principal: TokenPrincipal }): void {
    const served = this.#serve(transport, to);
    this.#open.set(transport, { principal: to.principal, served });
    void served.closed.finally(() => this.#open.delete(transport));
  }

  /** Closes the connections of a principal whose token was revoked or has expired. */
  disconnect(principal: TokenPrincipal): void {
    for (const [transport, client] of this.#open)
      if (client.principal === principal) void transport[Symbol.asyncDispose]();
  }

  async closed(): Promise<void> {
    await Promise.all([...this.#open.values()].map(({ served }) => served.closed));
  }
}
