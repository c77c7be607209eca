import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Transport } from '@turnwire/protocol';
import type { WebSocket } from 'ws';
import { WebSocketServer } from 'ws';
import { defaultSilence } from '../../default-silence.ts';
import { maxValues } from '../../endpoint/count-values.ts';
import type { EndpointRules, Refusal } from '../../endpoint/endpoint-rules.ts';
import { acceptedFrom, acceptedProtocol, isForEndpoint, tooManyConnects } from '../../endpoint/endpoint-rules.ts';
import { transportOver, type WebSocketLimits } from '../websocket-transport.ts';
import { keepAlive } from './keep-alive.ts';
import { textWriter } from './text-message.ts';

/** The WebSockets that are accepted, and their limits. */
export interface WebSocketEndpointOptions extends EndpointRules, WebSocketLimits {
  /** Limit of open connections; further ones are answered with 503. Default 1,000. */
  readonly maxConnections?: number | undefined;
  /** Longest frame received, in bytes; a longer one, or one of more than 250,000 JSON values, ends the connection with code 1009. Default 16 MiB. */
  readonly maxFrameBytes?: number | undefined;
  /** How long the peer may be silent, without even answering pings, before the connection counts as dead, in milliseconds. Default 45,000. */
  readonly silence?: number | undefined;
}

/** A client that connected. */
export interface AcceptedConnection {
  /** The `Acp-Connection-Id` of the client. It is not a credential. */
  readonly id: string;
  /** The upgrade request, for its headers. */
  readonly request: IncomingMessage;
  /** The sender, as `authorize` returned it. */
  readonly principal: true | object;
}

/** A server of `node:http` or `node:https`, or of `node:http2` with `allowHTTP1`. */
export interface UpgradingServer {
  /** Adds a listener for WebSocket upgrade requests. */
  on(event: 'upgrade', listener: (request: IncomingMessage, wire: Duplex, head: Buffer) => void): unknown;
  /** Removes it. */
  off(event: 'upgrade', listener: (request: IncomingMessage, wire: Duplex, head: Buffer) => void): unknown;
  /** The number of listeners: a request for another path is left to the other listeners, if any. */
  listenerCount(event: 'upgrade'): number;
}

/** An endpoint that accepts WebSockets. */
export interface WebSocketEndpoint extends AsyncDisposable {
  /** The number of open connections. */
  readonly connections: number;
  /** Stops accepting connections, and closes the open ones with code 1001. The HTTP server stays open. */
  close(): Promise<void>;
}

const mebibyte = 1024 * 1024;
/** How long a client may take to close its side, in milliseconds. */
const closeTimeout = 2_000;

/**
 * Accepts WebSockets on an HTTP server of yours, at one path. Checks `Host`, `Origin` and authorization before the upgrade, so a refusal costs no
 * connection. A client whose first message is not `initialize` is disconnected with code 1002. Requests for other paths are left to your other
 * `upgrade` listeners, and answered with 404 without such listeners.
 * ```ts
 * const server = createServer().listen(8080, '127.0.0.1');
 * serveWebSockets(server, { authorize: bearerToken(token) }, (transport) => serveAgent(definition, { transport }));
 * ```
 * @param onConnection called for each client; it must start the transport
 */
export function serveWebSockets(
  server: UpgradingServer,
  options: WebSocketEndpointOptions,
  onConnection: (transport: Transport, accepted: AcceptedConnection) => void,
): WebSocketEndpoint {
  const { maxConnections = 1_000, maxFrameBytes = 16 * mebibyte, silence = defaultSilence } = options;
  const limits: WebSocketLimits = { maxBufferedBytes: 64 * mebibyte, maxValues, ...options };
  const sockets = new WebSocketServer({
    noServer: true,
    perMessageDeflate: false,
    maxPayload: maxFrameBytes,
    handleProtocols: acceptedProtocol,
  });
  const ids = new WeakMap<IncomingMessage, string>();
  sockets.on('headers', (headers, request) => headers.push(`Acp-Connection-Id: ${ids.get(request)}`));

  const upgrade = async (request: IncomingMessage, wire: Duplex, head: Buffer): Promise<void> => {
    const isOurs = isForEndpoint(request, options);
    if (!isOurs && server.listenerCount('upgrade') > 1) return;
    wire.on('error', destroyed);
    if (!isOurs) return refuse(wire, { status: 404, message: 'There is nothing at this path.' });
    const accepted = await acceptedFrom(request, options);
    if ('status' in accepted) return refuse(wire, accepted);
    if (sockets.clients.size >= maxConnections)
      return refuse(wire, { status: 503, message: 'Too many connections are open. Try again later.' });
    if (options.mayConnect?.(accepted.principal) === false) return refuse(wire, tooManyConnects);
    const id = randomUUID();
    ids.set(request, id);
    sockets.handleUpgrade(request, wire, head, (socket) => {
      wire.off('error', destroyed);
      keepAlive(socket, wire, silence);
      // Long-lived objects are created outside of this function: closures here would keep the request alive.
      onConnection(transportOver(socket, limits, { write: textWriter(wire), begin: 'initialize' }), {
        id,
        request,
        principal: accepted.principal,
      });
    });
  };
  const listener = (...upgraded: Parameters<typeof upgrade>): void => void upgrade(...upgraded);
  server.on('upgrade', listener);

  const close = async (): Promise<void> => {
    server.off('upgrade', listener);
    await Promise.all([...sockets.clients].map((socket) => dismiss(socket)));
  };
  return {
    get connections() {
      return sockets.clients.size;
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}

/** A shared function, because a closure would keep the request for the lifetime of the connection. */
function destroyed(this: Duplex): void {
  this.destroy();
}

function refuse(wire: Duplex, { status, message }: Refusal): void {
  const body = `${message}\n`;
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    'Content-Type: text/plain; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Connection: close',
    ...(status === 401 ? ['WWW-Authenticate: Bearer'] : []),
  ];
  // The rest of the client's data is not read.
  wire.end(`${head.join('\r\n')}\r\n\r\n${body}`, () => wire.destroy());
}

async function dismiss(socket: WebSocket): Promise<void> {
  const closed = once(socket, 'close');
  socket.resume();
  socket.close(1001, 'the server is shutting down');
  const timer = setTimeout(() => socket.terminate(), closeTimeout);
  await closed;
  clearTimeout(timer);
}
