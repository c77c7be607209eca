import { TurnwireError } from '@turnwire/protocol';

/** The head of a request: an `IncomingMessage` of Node, for example. */
export interface EndpointRequest {
  readonly method?: string | undefined;
  /** Path and query. */
  readonly url?: string | undefined;
  /** By names in lower case. */
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  /** Names and values alternately, as they were sent, if the server knows them. */
  readonly rawHeaders?: readonly string[] | undefined;
  readonly socket?: { readonly remoteAddress?: string | undefined } | undefined;
}

/**
 * Decides whether a request may connect; `false` is answered with 401. Instead of `true` it may return an object that represents the sender, which
 * `onConnection` receives; every request of a connection must have the same one.
 */
export type Authorize = (request: EndpointRequest) => Authorized | Promise<Authorized>;

/** The decision of {@link Authorize}. */
export type Authorized = boolean | object;

/** The requests that an endpoint accepts. */
export interface EndpointRules {
  /** {@link bearerToken}, or a function of your own that checks the headers. */
  readonly authorize: Authorize;
  /** The path of the endpoint. Default `/acp`. */
  readonly path?: string | undefined;
  /** Accepted host names of the `Host` header, any port. Default: `localhost`, `127.0.0.1` and `[::1]`. */
  readonly hosts?: readonly string[] | undefined;
  /**
   * Accepted values of the `Origin` header, which browsers send: `https://example.com`; `self` for pages of this server, under any of its `hosts`.
   * Default: none.
   */
  readonly origins?: readonly string[] | undefined;
  /**
   * Called for each new connection with the result of `authorize`; `false` is answered with 429. Use it to limit how often a sender connects.
   * Default: no limit.
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
  /** The sender, as {@link Authorize} returned it. */
  readonly principal: true | object;
}

/** An error answer. */
export interface Refusal {
  /** The status of the answer. */
  readonly status: number;
  /** Its text. */
  readonly message: string;
}

const loopback = ['localhost', '127.0.0.1', '[::1]'];

/** The start of a WebSocket subprotocol that holds a token. */
const tokenProtocol = 'bearer.';

/**
 * Accepts requests with the header `Authorization: Bearer TOKEN`, and WebSockets of pages with the subprotocol `bearer.TOKEN`. The time of the
 * comparison depends only on the length of the received token.
 * @throws TurnwireError `invalid-input` if the token is empty
 */
export function bearerToken(token: string): Authorize {
  if (token === '') throw new TurnwireError('invalid-input', 'the token is empty');
  return (request) => {
    const sent = bearerOf(request) ?? '';
    let difference = sent.length ^ token.length;
    for (let index = 0; index < sent.length; index += 1)
      difference |= sent.charCodeAt(index) ^ token.charCodeAt(index % token.length);
    return difference === 0;
  };
}

/**
 * The token of a request: in its header `Authorization: Bearer TOKEN`, or in the WebSocket subprotocol `bearer.TOKEN`, since a page cannot set that
 * header for a WebSocket.
 */
export function bearerOf(request: EndpointRequest): string | undefined {
  const header = headerOf(request, 'authorization');
  if (header !== undefined) return /^bearer +(\S+) *$/i.exec(header)?.[1];
  const offered = (headerOf(request, 'sec-websocket-protocol') ?? '').split(',').map((name) => name.trim());
  return offered.find((name) => name.startsWith(tokenProtocol))?.slice(tokenProtocol.length);
}

/** The subprotocol to accept: the first one offered that holds no token. */
export function acceptedProtocol(offered: ReadonlySet<string>): string | false {
  return [...offered].find((name) => !name.startsWith(tokenProtocol)) ?? false;
}

/** A header of a request; the first value if it was sent more than once. */
export function headerOf({ headers }: EndpointRequest, name: string): string | undefined {
  const value = headers[name];
  return typeof value === 'string' || value === undefined ? value : value[0];
}

/** Whether a request is for the endpoint. */
export function isForEndpoint({ url = '' }: EndpointRequest, { path = '/acp' }: EndpointRules): boolean {
  return url.split('?', 1)[0] === path;
}

/**
 * The sender of a request, or its refusal. Checks `Host` and `Origin` first, as they are written: a page of another site can make a browser send
 * requests here, also under a host name of its own (DNS rebinding).
 */
export async function acceptedFrom(request: EndpointRequest, rules: EndpointRules): Promise<Accepted | Refusal> {
  return foreignRefusal(request, rules) ?? (await authorizedBy(request, rules));
}

/** The refusal of a request by its `Host` and `Origin`. */
export function foreignRefusal(request: EndpointRequest, rules: EndpointRules): Refusal | undefined {
  const { hosts = loopback, origins = [] } = rules;
  const host = hostOf(request);
  const origin = headerOf(request, 'origin');
  // A proxy in front may have checked the other one.
  if ((request.rawHeaders ?? []).filter((name, index) => index % 2 === 0 && /^host$/i.test(name)).length > 1)
    return { status: 400, message: 'The request has more than one Host.' };
  const [, name = ''] = /^(\[[\da-f:.]+\]|[^:]+)(?::\d{1,5})?$/i.exec(host) ?? [];
  if (!hosts.includes(name.toLowerCase()))
    return { status: 403, message: 'This Host is not accepted. The server has to list it in hosts.' };
  if (origin !== undefined && !isAcceptedOrigin(origin, { host, origins }))
    return { status: 403, message: 'This Origin is not accepted. The server has to list it in origins.' };
  return undefined;
}

/** Whether pages of an origin may connect to a server whose request named this host and port. */
export function isAcceptedOrigin(
  origin: string,
  { host, origins = [] }: { readonly host: string; readonly origins?: readonly string[] | undefined },
): boolean {
  const isOwn = origin === `http://${host}` || origin === `https://${host}`;
  return origins.includes(origin) || (isOwn && origins.includes('self'));
}

/** The host that a request names, with its port. HTTP/2 uses a header of another name. */
export function hostOf(request: EndpointRequest): string {
  return headerOf(request, 'host') ?? headerOf(request, ':authority') ?? '';
}

/** The sender of a request, or its refusal. */
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

/** Headers that let a page of an accepted origin read the answer. */
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
