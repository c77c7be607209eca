import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Transport } from '@turnwire/protocol';
import type { WebSocket } from 'ws';
import { WebSocketServer } from 'ws';
import { defaultSilence } from '../../default-silence.ts';
import { holdsTooMuch } from '../../endpoint/count-values.ts';
import type { EndpointRules, Refusal } from '../../endpoint/endpoint-rules.ts';
import { acceptedFrom, acceptedProtocol, isForEndpoint, tooManyConnects } from '../../endpoint/endpoint-rules.ts';
import { transportOver, type WebSocketLimits } from '../websocket-transport.ts';
import { keepAlive } from './keep-alive.ts';
import { textWriter } from './text-message.ts';

/** Which WebSockets are accepted, and how much each may use. */
export interface WebSocketEndpointOptions extends EndpointRules, WebSocketLimits {
  /** Open connections at the same time; more are answered with 503. Default 1,000. */
  readonly maxConnections?: number | undefined;
  /** Longest frame received, in bytes; a longer one, or one of more than 250,000 JSON values, ends the connection with code 1009. Default 16 MiB. */
  readonly maxFrameBytes?: number | undefined;
  /** How long nothing may arrive, not even answers to pings, before the connection is cut, in milliseconds. Default 45,000. */
  readonly silence?: number | undefined;
}

/** A client that connected. */
export interface AcceptedConnection {
  /** What the client was given as `Acp-Connection-Id`. It is no credential. */
  readonly id: string;
  /** The request that was upgraded, for what its headers say. */
  readonly request: IncomingMessage;
  /** Who it is: what `authorize` returned. */
  readonly principal: true | object;
}

/** A server of `node:http` or `node:https`, or of `node:http2` with `allowHTTP1`. */
export interface UpgradingServer {
  /** Adds a listener of requests to become a WebSocket. */
  on(event: 'upgrade', listener: (request: IncomingMessage, wire: Duplex, head: Buffer) => void): unknown;
  /** Removes it. */
  off(event: 'upgrade', listener: (request: IncomingMessage, wire: Duplex, head: Buffer) => void): unknown;
  /** How many listeners there are: a request that is for none of our paths is left to another one, if there is one. */
  listenerCount(event: 'upgrade'): number;
}

/** An endpoint that accepts WebSockets. */
export interface WebSocketEndpoint extends AsyncDisposable {
  /** How many connections are open. */
  readonly connections: number;
  /** Accepts no more, and closes those that are open with code 1001. The HTTP server is not closed. */
  close(): Promise<void>;
}

const mebibyte = 1024 * 1024;
/** How long a client that is asked to leave may take, in milliseconds. */
const closeTimeout = 2_000;

/**
 * Accepts WebSockets on an HTTP server of yours, at one path. `Host`, `Origin` and authorization are checked before the upgrade: what is refused
 * costs no connection. A client whose first message is not `initialize` is let go with code 1002. Requests for other paths are left to your other `upgrade` listeners, and answered with 404 if there are none.
 * ```ts
 * const server = createServer().listen(8080, '127.0.0.1');
 * serveWebSockets(server, { authorize: bearerToken(token) }, (transport) => serveAgent(definition, { transport }));
 * ```
 * @param onConnection called for each client; whoever takes the transport starts it
 */
export function serveWebSockets(
  server: UpgradingServer,
  options: WebSocketEndpointOptions,
  onConnection: (transport: Transport, accepted: AcceptedConnection) => void,
): WebSocketEndpoint {
  const { maxConnections = 1_000, maxFrameBytes = 16 * mebibyte, silence = defaultSilence } = options;
  const limits: WebSocketLimits = { maxBufferedBytes: 64 * mebibyte, ...options };
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
      // What lasts as long as the connection is made elsewhere: closures here would keep the request as long.
      onConnection(
        transportOver(socket, limits, { write: textWriter(wire), begin: 'initialize', isTooMuch: holdsTooMuch }),
        {
          id,
          request,
          principal: accepted.principal,
        },
      );
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

/** Not a closure: it would keep the request for as long as the connection lasts. */
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
  // What else the client sends is not read.
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
