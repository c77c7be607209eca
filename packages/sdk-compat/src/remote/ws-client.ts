import { messageStream } from '../streams/message-stream.ts';
import type { Stream } from '../streams/stream.ts';
import { type AcpCookieStore, MemoryAcpCookieStore } from './cookie-store.ts';
import { listenTo, socketTransport, type WebSocketLike } from './socket.ts';

/** The class of a WebSocket: that of the platform, or of the package `ws`. */
export interface WebSocketConstructor {
  new (
    url: string,
    protocols?: string | string[],
    options?: { headers?: Record<string, string> | undefined },
  ): WebSocketLike;
}

/** Options of `createWebSocketStream`. */
export interface WebSocketStreamOptions {
  /** Subprotocols to offer. */
  readonly protocols?: string[];
  /** Headers of the upgrade, for classes that send them, such as that of `ws`. Browsers do not. */
  readonly headers?: Record<string, string>;
  /** The class of the socket. Default: `WebSocket` of the platform, which Node 20 does not have. */
  readonly WebSocket?: WebSocketConstructor;
  /** Whether to send and store cookies. Default `include`. */
  readonly cookies?: 'include' | 'omit';
  /** Keeps the cookies, for other streams as well. Default: a store of this stream. */
  readonly cookieStore?: AcpCookieStore;
}

/**
 * Connects to an agent over a WebSocket: one text message is one message of the protocol.
 * @throws Error on a platform without `WebSocket`, unless a class was passed
 */
export function createWebSocketStream(serverUrl: string, options: WebSocketStreamOptions = {}): Stream {
  const { protocols, headers = {}, cookies = 'include', cookieStore = new MemoryAcpCookieStore() } = options;
  const WebSocket = options.WebSocket ?? (globalThis as { readonly WebSocket?: WebSocketConstructor }).WebSocket;
  if (WebSocket === undefined)
    throw new Error(
      'WebSocket is missing on this platform: pass a class as options.WebSocket, such as that of the package ws',
    );
  const sent = cookies === 'include' ? withCookies(headers, cookieStore) : headers;
  const socket = new WebSocket(serverUrl, protocols, { headers: Object.keys(sent).length > 0 ? sent : undefined });
  if (cookies === 'include') listenTo(socket, 'upgrade', (response) => cookieStore.store(headersOf(response)));
  const transport = socketTransport(socket);
  return messageStream(() => transport);
}

/** The names of headers stay as the program wrote them. */
function withCookies(headers: Record<string, string>, cookieStore: AcpCookieStore): Record<string, string> {
  const applied = new Headers(headers);
  cookieStore.apply(applied);
  const cookie = applied.get('cookie');
  if (cookie === null) return headers;
  const others = Object.entries(headers).filter(([name]) => name.toLowerCase() !== 'cookie');
  return { ...Object.fromEntries(others), Cookie: cookie };
}

/** The headers of the answer to an upgrade, as Node describes it. */
function headersOf(response: unknown): Headers {
  const { headers = {} } = (response ?? {}) as { readonly headers?: Readonly<Record<string, string | string[]>> };
  const pairs = Object.entries(headers).flatMap(([name, values]) =>
    [values].flat().map((value) => [name, value] as [string, string]),
  );
  return new Headers(pairs);
}

export { type AcpCookieStore, MemoryAcpCookieStore, type WebSocketLike };
