import { connectHttp } from '@turnwire/transports/http';
import { messageStream } from '../streams/message-stream.ts';
import { DEFAULT_MAX_MESSAGE_BYTES, MessageTooLargeError, type Stream } from '../streams/stream.ts';
import { type AcpCookieStore, MemoryAcpCookieStore } from './cookie-store.ts';

/** Options of `createHttpStream`. */
export interface HttpStreamOptions {
  /** Sends the requests. Default: `fetch` of the platform. */
  readonly fetch?: typeof globalThis.fetch;
  /** Headers of every request. */
  readonly headers?: Record<string, string>;
  /** Whether to send and store cookies. Default `include`. */
  readonly cookies?: 'include' | 'omit';
  /** Keeps the cookies, for other streams as well. Default: a store of this stream. */
  readonly cookieStore?: AcpCookieStore;
  /** The longest message received, in bytes. A longer one is skipped. Default 32 MiB. */
  readonly maxMessageBytes?: number;
}

/**
 * Connects to an agent over Streamable HTTP. The first message must be `initialize`. Unlike with the official package, an event stream
 * that breaks is reopened if the server keeps its events.
 */
export function createHttpStream(serverUrl: string, options: HttpStreamOptions = {}): Stream {
  const { maxMessageBytes = DEFAULT_MAX_MESSAGE_BYTES } = options;
  return messageStream(
    () => connectHttp(serverUrl, { fetch: fetchWithCookies(options), maxFrameBytes: maxMessageBytes }),
    'client',
  );
}

/** The cookies of the transport itself are replaced by those of the store. */
function fetchWithCookies({
  fetch = globalThis.fetch,
  headers: own = {},
  cookies = 'include',
  cookieStore = new MemoryAcpCookieStore(),
}: HttpStreamOptions): typeof globalThis.fetch {
  return async (url, init = {}) => {
    const headers = new Headers(init.headers);
    headers.delete('cookie');
    for (const [name, value] of Object.entries(own)) headers.set(name, value);
    if (cookies === 'include') cookieStore.apply(headers);
    const response = await fetch(url, { ...init, headers, credentials: cookies });
    if (cookies === 'include') cookieStore.store(response.headers);
    return response;
  };
}

export { type AcpCookieStore, DEFAULT_MAX_MESSAGE_BYTES, MemoryAcpCookieStore, MessageTooLargeError };
