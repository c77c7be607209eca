import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

/** Decides whether a request may connect. The answer is 401 if it may not. */
export type Authorize = (request: IncomingMessage) => boolean | Promise<boolean>;

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

/** Accepts requests with the header `Authorization: Bearer TOKEN`, comparing in constant time. Only the hash of the token is kept. */
export function bearerToken(token: string): Authorize {
  const expected = sha256(token);
  return ({ headers: { authorization = '' } }) => {
    const [, given = ''] = /^bearer +(\S+) *$/i.exec(authorization) ?? [];
    return timingSafeEqual(sha256(given), expected);
  };
}

function sha256(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

/** Whether a request is for the endpoint. */
export function isForEndpoint({ url = '' }: IncomingMessage, { path = '/acp' }: EndpointRules): boolean {
  return url.split('?', 1)[0] === path;
}

/**
 * Why a request is not accepted; undefined if it is. A page of another site can make a browser send requests here, under a host name of its
 * own too (DNS rebinding), so `Host` and `Origin` are compared as they are written and before anything else.
 */
export async function refusalOf(request: IncomingMessage, rules: EndpointRules): Promise<Refusal | undefined> {
  const { hosts = loopback, origins = [], authorize } = rules;
  const { host = '', origin } = request.headers;
  const [, name = ''] = /^(\[[\da-f:.]+\]|[^:]+)(?::\d{1,5})?$/i.exec(host) ?? [];
  if (!hosts.includes(name.toLowerCase()))
    return { status: 403, message: 'This Host is not accepted. The server has to list it in hosts.' };
  if (origin !== undefined && !origins.includes(origin))
    return { status: 403, message: 'This Origin is not accepted. The server has to list it in origins.' };
  try {
    if (await authorize(request)) return undefined;
  } catch {
    return { status: 500, message: 'The authorization of this request failed on the server.' };
  }
  return { status: 401, message: 'Not authorized. Send a valid token in the Authorization header.' };
}
