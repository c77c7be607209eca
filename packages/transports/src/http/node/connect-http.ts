import type { Transport } from '@turnwire/protocol';
import { connectHttp as connectBy, type ConnectHttpOptions } from '../http-transport.ts';
import { nodeFetch, type NodeFetchOptions } from './node-fetch.ts';

/** Options of {@link connectHttp} in Node. */
export interface ConnectNodeHttpOptions extends Omit<ConnectHttpOptions, 'fetch'>, NodeFetchOptions {}

/**
 * Connects to an agent over Streamable HTTP, as `connectHttp` of `@turnwire/transports/http` does, with the HTTP of Node: over HTTP/2 if the server
 * supports it, through a proxy, and with a fraction of the processor time of `fetch`.
 * ```ts
 * connectHttp(url, { headers, proxy: proxyFor(url, process.env) });
 * ```
 * @param url `http:` or `https:`. Secrets belong in `headers`: URLs appear in logs
 * @throws TurnwireError `invalid-input` if it is not such a URL
 */
export function connectHttp(url: string | URL, { proxy, ca, ...options }: ConnectNodeHttpOptions = {}): Transport {
  return connectBy(url, { ...options, fetch: nodeFetch({ proxy, ca }) });
}
