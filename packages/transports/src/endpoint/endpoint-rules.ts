import { TurnwireError } from '@turnwire/protocol';

/** The head of a request: an `IncomingMessage` of Node is one. */
export interface EndpointRequest {
  readonly method?: string | undefined;
  /** Path and query. */
  readonly url?: string | undefined;
  /** By names in lower case. */
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  /** Names and values by turns, as they were sent, where the server knows. */
  readonly rawHeaders?: readonly string[] | undefined;
  /** What it came over, where the server knows. */
  readonly socket?: { readonly remoteAddress?: string | undefined } | undefined;
}

/**
 * Decides whether a request may connect. The answer is 401 for `false`. Instead of `true` it may return an object that stands for who sent
 * it, which `onConnection` gets; every request of a connection has to be of the same one.
 */
export type Authorize = (request: EndpointRequest) => Authorized | Promise<Authorized>;

/** What {@link Authorize} decides. */
export type Authorized = boolean | object;

/** Which requests an endpoint accepts. */
export interface EndpointRules {
  /** Who may connect: {@link bearerToken}, or a function of your own that looks at the headers. */
  readonly authorize: Authorize;
  /** The path of the endpoint. Default `/acp`. */
  readonly path?: string | undefined;
  /** Accepted host names of the `Host` header, any port. Default: `localhost`, `127.0.0.1` and `[::1]`. */
  readonly hosts?: readonly string[] | undefined;
  /**
   * Accepted values of the `Origin` header, which browsers send: `https://example.com`; `self`: pages of this server, under whichever of its
   * `hosts` they were opened. Default: none.
   */
  readonly origins?: readonly string[] | undefined;
  /**
   * Called for each new connection with what `authorize` returned; with `false` it is answered with 429. To bound how often
   * somebody connects. Default: no bound.
   */
  readonly mayConnect?: ((principal: true | object) => boolean) | undefined;
}

/** The answer to a connection that {@link EndpointRules.mayConnect} refuses. */
export const tooManyConnects: Refusal = {
  status: 429,
  message: 'Too many connections were made in a short time. Try again in a minute.',
};

/** A request that may connect. */
export interface Accepted {
  /** Who sent it, as {@link Authorize} says. */
  readonly principal: true | object;
}

/** An answer other than the one that was asked for. */
export interface Refusal {
  readonly status: number;
  readonly message: string;
}

const loopback = ['localhost', '127.0.0.1', '[::1]'];

/** What the WebSocket subprotocol begins with that holds a token. */
const tokenProtocol = 'bearer.';

/**
 * Accepts requests with the header `Authorization: Bearer TOKEN`, and WebSockets of pages with the subprotocol `bearer.TOKEN`. How long the
 * comparison takes depends on the length of what was sent alone.
 * @throws TurnwireError `invalid-input` if the token is empty
 */
export function bearerToken(token: string): Authorize {
  if (token === '') throw new TurnwireError('invalid-input', 'the token is empty');
  return (request) => {
    const given = bearerOf(request) ?? '';
    let difference = given.length ^ token.length;
    for (let index = 0; index < given.length; index += 1)
      difference |= given.charCodeAt(index) ^ token.charCodeAt(index % token.length);
    return difference === 0;
  };
}

/**
 * The token of a request: in its header `Authorization: Bearer TOKEN`, or in the WebSocket subprotocol `bearer.TOKEN`, since a page can set no
 * header there.
 */
export function bearerOf(request: EndpointRequest): string | undefined {
  const header = headerOf(request, 'authorization');
  if (header !== undefined) return /^bearer +(\S+) *$/i.exec(header)?.[1];
  const offered = (headerOf(request, 'sec-websocket-protocol') ?? '').split(',').map((name) => name.trim());
  return offered.find((name) => name.startsWith(tokenProtocol))?.slice(tokenProtocol.length);
}

/** The subprotocol that a WebSocket is answered with: the first one that the client offers and that holds no token. */
export function acceptedProtocol(offered: ReadonlySet<string>): string | false {
  return [...offered].find((name) => !name.startsWith(tokenProtocol)) ?? false;
}

/** A header of a request; of one that came more than once, the first. */
export function headerOf({ headers }: EndpointRequest, name: string): string | undefined {
  const value = headers[name];
  return typeof value === 'string' || value === undefined ? value : value[0];
}

/** Whether a request is for the endpoint. */
export function isForEndpoint({ url = '' }: EndpointRequest, { path = '/acp' }: EndpointRules): boolean {
  return url.split('?', 1)[0] === path;
}

/**
 * Who sent a request, or why it is not accepted. A page of another site can make a browser send requests here, under a host name of its own
 * too (DNS rebinding), so `Host` and `Origin` are compared as they are written and before anything else.
 */
export async function acceptedFrom(request: EndpointRequest, rules: EndpointRules): Promise<Accepted | Refusal> {
  return foreignRefusal(request, rules) ?? (await authorizedBy(request, rules));
}

/** Why a request is not accepted, by `Host` and `Origin`. */
export function foreignRefusal(request: EndpointRequest, rules: EndpointRules): Refusal | undefined {
  const { hosts = loopback, origins = [] } = rules;
  const host = hostOf(request);
  const origin = headerOf(request, 'origin');
  // A proxy in front may have looked at the other one.
  if ((request.rawHeaders ?? []).filter((name, index) => index % 2 === 0 && /^host$/i.test(name)).length > 1)
    return { status: 400, message: 'The request has more than one Host.' };
  const [, name = ''] = /^(\[[\da-f:.]+\]|[^:]+)(?::\d{1,5})?$/i.exec(host) ?? [];
  if (!hosts.includes(name.toLowerCase()))
    return { status: 403, message: 'This Host is not accepted. The server has to list it in hosts.' };
  if (origin !== undefined && !isAcceptedOrigin(origin, { host, origins }))
    return { status: 403, message: 'This Origin is not accepted. The server has to list it in origins.' };
  return undefined;
}

/** Whether pages of an origin may connect to a server that is asked under a host, with its port. */
export function isAcceptedOrigin(
  origin: string,
  { host, origins = [] }: { readonly host: string; readonly origins?: readonly string[] | undefined },
): boolean {
  const isOwn = origin === `http://${host}` || origin === `https://${host}`;
  return origins.includes(origin) || (isOwn && origins.includes('self'));
}

/** The host that a request is for, with its port. HTTP/2 has another name for it. */
export function hostOf(request: EndpointRequest): string {
  return headerOf(request, 'host') ?? headerOf(request, ':authority') ?? '';
}

/** Who sent a request, or why it is not accepted. */
export async function authorizedBy(
  request: EndpointRequest,
  { authorize }: EndpointRules,
): Promise<Accepted | Refusal> {
  try {
    const decided = await authorize(request);
    if (decided !== false) return { principal: decided };
  } catch {
    return { status: 500, message: 'The authorization of this request failed on the server.' };
  }
  return { status: 401, message: 'Not authorized. Send a valid token in the Authorization header.' };
}

/** Headers by which a browser gives the answer to a page of an accepted origin. */
export function pageHeaders(request: EndpointRequest): Readonly<Record<string, string>> {
  const origin = headerOf(request, 'origin');
  if (origin === undefined) return {};
  return {
    'access-control-allow-origin': origin,
    'access-control-allow-credentials': 'true',
    'access-control-expose-headers': 'acp-connection-id',
    vary: 'origin',
  };
}
