import type { Transport } from '@turnwire/protocol';
import { TurnwireError } from '@turnwire/protocol';
import { type HttpAddress, listenHttp, serveHttp } from '@turnwire/transports/http/node';
import { serveWebSockets, type UpgradingServer, type WebSocketEndpoint } from '@turnwire/transports/websocket/node';
import type { AttachOptions } from '../gateway.ts';
import { ConnectLimit } from '../auth/connect-limit.ts';
import { Access } from '../auth/access.ts';
import type { PagePasses } from '../auth/page-passes.ts';
import type { Principal } from '../auth/principal.ts';
import type { TokenFile, TokenPrincipal } from '../auth/token-file.ts';
import type { SignedTokens } from '../auth/signed-tokens.ts';
import { type ConnectionCount, FrontPages, type WebClient } from './front-pages.ts';

/** Where a gateway listens for clients over HTTP and WebSocket, and for whom. */
export interface HttpFrontOptions extends HttpAddress {
  /** The names of the agents: letters, digits, `.`, `_` and `-`. Each is at `/agents/NAME/acp`, the first at `/acp` too. */
  readonly agents: readonly string[];
  /** Who may connect. */
  readonly tokens: TokenFile;
  /** The id of the token that the server has made for its owner and revokes when it ends. Links to watch that were made with it stay valid. */
  readonly serverToken?: string | undefined;
  /** Whether a tenant has a session, which others may be let watch. Default: any id is accepted. */
  readonly hasSession?: ((tenant: string, sessionId: string) => Promise<boolean>) | undefined;
  /** Signed tokens that are accepted as well: a `TokenIssuer` of `@turnwire/cluster`, say. Default: none. */
  readonly issuer?: SignedTokens | undefined;
  /** Where the logins of web pages are kept: a `PageLoginFile`, say. Default: in memory, so that they end with the process. */
  readonly passes?: PagePasses | undefined;
  /** Accepted values of the `Origin` header, which browsers send: `https://example.com`. Default: none. With `web`: its own. */
  readonly origins?: readonly string[] | undefined;
  /** The web client, at `/`. Default: none. */
  readonly web?: WebClient | undefined;
  /** Open connections at the same time, for each address and kind; more are answered with 503. Default 1,000. */
  readonly maxConnections?: number | undefined;
  /** New connections with one token within a minute; more are answered with 429. Default 1,000. */
  readonly maxConnects?: number | undefined;
  /** Called with the address that a wrong token or ticket came from, at most ten times a minute for each. Default: it is not reported. */
  readonly onRefused?: ((address: string) => void) | undefined;
  /** Whether `/readyz` answers 200; otherwise 503. Default: always. */
  readonly isReady?: (() => boolean) | undefined;
  /** Where other nodes of a cluster connect on behalf of their clients: the `links` of a `GatewayNode` of `@turnwire/cluster`. Default: nowhere. */
  readonly links?: readonly LinkEndpoint[] | undefined;
  /** More lines for `/metrics`, in the text format of Prometheus, for whoever asks. Default: none. */
  readonly metrics?: ((principal: Principal) => string) | undefined;
}

/** A client that is served. */
export interface ServedClient {
  /** Resolves when it is not served any more. */
  readonly closed: Promise<unknown>;
}

/** Whom a transport leads to, and where: what `Gateway.attach` takes. */
export type ServeClient = (transport: Transport, to: AttachOptions) => ServedClient;

/** An endpoint for another node of a cluster, which connects on behalf of its clients. */
export interface LinkEndpoint {
  /** Its path on the server. */
  readonly path: string;
  /** Accepts links on a server until it is closed. `onClient` is called with each client, whom the other node speaks for. */
  serve(
    server: UpgradingServer,
    onClient: (transport: Transport, to: Pick<AttachOptions, 'principal' | 'agent' | 'firstId'>) => void,
  ): Pick<WebSocketEndpoint, 'close'>;
}

/** A gateway that listens. */
export interface HttpFront extends AsyncDisposable {
  /** What clients that speak HTTP connect to: `http://127.0.0.1:54321/acp`. */
  readonly url: string;
  /** The same for a WebSocket: `ws://127.0.0.1:54321/acp`. */
  readonly webSocketUrl: string;
  /** The address of the web client, with a ticket with which it logs in on behalf of a principal: once, within a minute. */
  pageFor(principal: TokenPrincipal): Promise<string>;
  /** How many clients are connected. */
  readonly connections: number;
  /** Accepts no more clients, ends the connections of the others, and resolves when none is served any more. */
  close(): Promise<void>;
}

/**
 * Listens for clients over WebSocket and Streamable HTTP. `Host` and `Origin` are checked before anything else, then the token, on loopback
 * too; a client whose token is revoked or expires is cut off. Besides: `/healthz`, `/readyz`, `/metrics` for a token of scope `admin`, and
 * `/tickets`, `/login` and `/logout` for web pages.
 * @throws TurnwireError `invalid-input` if it cannot listen like that: other machines would reach it without `tls` and `hosts`, the address
 * is taken, or an agent's name is no part of a path
 */
export async function openHttpFront(options: HttpFrontOptions, serve: ServeClient): Promise<HttpFront> {
  const { agents, web, links = [] } = options;
  const unfit = agents.find((name) => !/^[\w.-]*\w[\w.-]*$/.test(name));
  if (unfit !== undefined)
    throw new TurnwireError('invalid-input', `${unfit} cannot be a part of a path: rename the agent`);
  const access = new Access(options);
  const clients = new FrontClients(serve);
  const connects = new ConnectLimit(options.maxConnects ?? 1_000);
  access.onEnd((principal) => clients.cut(principal));
  const rules = {
    ...options,
    origins: [...(options.origins ?? []), ...(web ? ['self'] : [])],
    mayConnect: (principal: true | object) => principal !== true && connects.admit(principal),
    authorize: (request: Parameters<Access['principalOf']>[0]) => access.principalOf(request),
  };
  const counts: ConnectionCount[] = [];
  const listening = listenHttp(options, (server) => {
    const endpoints = placesOf(agents).flatMap(({ path, agent }) => {
      const accept =
        (by: 'websocket' | 'http') =>
        (transport: Transport, { principal }: { readonly principal: true | object }): void =>
          clients.add(transport, { principal: principal as TokenPrincipal, agent, by });
      const sockets = serveWebSockets(server, { ...rules, path }, accept('websocket'));
      const http = serveHttp(server, { ...rules, path }, accept('http'));
      counts.push({ agent, transport: 'websocket', of: sockets }, { agent, transport: 'http', of: http });
      return [sockets, http];
    });
    const paths = [...placesOf(agents), ...links].map(({ path }) => path);
    const pages = new FrontPages({ rules, access, agents, web, counts, paths });
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
    url: `http${listener.place}/acp`,
    webSocketUrl: `ws${listener.place}/acp`,
    pageFor: async (principal) => {
      const page = new URL(`http${listener.place}`);
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

/** Where each agent is. */
function placesOf(agents: readonly string[]): readonly { readonly path: string; readonly agent: string }[] {
  const own = agents.map((agent) => ({ path: `/agents/${agent}/acp`, agent }));
  const [first] = agents;
  return first === undefined ? own : [{ path: '/acp', agent: first }, ...own];
}

/** The clients that are served. */
class FrontClients {
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

  /** Ends the connections of a principal that may not have them any more. */
  cut(principal: TokenPrincipal): void {
    for (const [transport, client] of this.#open)
      if (client.principal === principal) void transport[Symbol.asyncDispose]();
  }

  async closed(): Promise<void> {
    await Promise.all([...this.#open.values()].map(({ served }) => served.closed));
  }
}
