import { TurnwireError } from '@turnwire/protocol';

/** The head of a request: an `IncomingMessage` of Node is one. */
export interface EndpointRequest {
  readonly method?: string | undefined;
  /** Path and query. */
  readonly url?: string | undefined;
  /** By names in lower case. */
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
}

/** Decides whether a request may connect. The answer is 401 if it may not. */
export type Authorize = (request: EndpointRequest) => boolean | Promise<boolean>;

/** Which requests an endpoint accepts. */
export interface EndpointRules {
  /** Who may connect: {@link bearerToken}, or a function of your own that looks at the headers. */
  readonly authorize: Authorize;
  /** The path of the endpoint. Default `/acp`. */
  readonly path?: string | undefined;
  /** Accepted host names of the `Host` header, any port. Default: `localhost`, `127.0.0.1` and `[::1]`. */
  readonly hosts?: readonly string[] | undefined;
  /** Accepted values of the `Origin` header, which browsers send: `https://example.com`. Default: none. */
  readonly origins?: readonly string[] | undefined;
}

/** An answer other than the one that was asked for. */
export interface Refusal {
  readonly status: number;
  readonly message: string;
}

const loopback = ['localhost', '127.0.0.1', '[::1]'];

/**
 * Accepts requests with the header `Authorization: Bearer TOKEN`. How long the comparison takes depends on the length of what was sent alone.
 * @throws TurnwireError `invalid-input` if the token is empty
 */
export function bearerToken(token: string): Authorize {
  if (token === '') throw new TurnwireError('invalid-input', 'the token is empty');
  return (request) => {
    const [, given = ''] = /^bearer +(\S+) *$/i.exec(headerOf(request, 'authorization') ?? '') ?? [];
    let difference = given.length ^ token.length;
    for (let index = 0; index < given.length; index += 1)
      difference |= given.charCodeAt(index) ^ token.charCodeAt(index % token.length);
    return difference === 0;
  };
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
 * Why a request is not accepted; undefined if it is. A page of another site can make a browser send requests here, under a host name of its
 * own too (DNS rebinding), so `Host` and `Origin` are compared as they are written and before anything else.
 */
export async function refusalOf(request: EndpointRequest, rules: EndpointRules): Promise<Refusal | undefined> {
  return foreignRefusal(request, rules) ?? (await authorizationRefusal(request, rules));
}

/** Why a request is not accepted, by `Host` and `Origin`. */
export function foreignRefusal(request: EndpointRequest, rules: EndpointRules): Refusal | undefined {
  const { hosts = loopback, origins = [] } = rules;
  // HTTP/2 has another name for it.
  const host = headerOf(request, 'host') ?? headerOf(request, ':authority') ?? '';
  const origin = headerOf(request, 'origin');
  const [, name = ''] = /^(\[[\da-f:.]+\]|[^:]+)(?::\d{1,5})?$/i.exec(host) ?? [];
  if (!hosts.includes(name.toLowerCase()))
    return { status: 403, message: 'This Host is not accepted. The server has to list it in hosts.' };
  if (origin !== undefined && !origins.includes(origin))
    return { status: 403, message: 'This Origin is not accepted. The server has to list it in origins.' };
  return undefined;
}

/** Why a request is not accepted, by who sent it. */
export async function authorizationRefusal(
  request: EndpointRequest,
  { authorize }: EndpointRules,
): Promise<Refusal | undefined> {
  try {
    if (await authorize(request)) return undefined;
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
