import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { constants, createSecureServer, type Http2SecureServer, type ServerHttp2Session } from 'node:http2';
import type { AddressInfo, Socket } from 'node:net';
import type { SecureContextOptions } from 'node:tls';
import { TurnwireError } from '@turnwire/protocol';

/** How long a client may take for a whole request, in times of what it may take for the head. */
const headsInRequest = 6;

/**
 * How long a connection may be without a request after its first one, in milliseconds. Longer than clients keep one that is idle: a
 * connection that the server closes while a message is on its way loses the message.
 */
const idle = 75_000;

/** Where a server listens, and for whom. */
export interface HttpAddress {
  /** Default: a free one. */
  readonly port?: number | undefined;
  /** The address to bind. Default `127.0.0.1`. One that other machines reach needs `tls` and `hosts`. */
  readonly host?: string | undefined;
  /** The key and certificate of the server, which then speaks `wss:` and `https:`, HTTP/2 too. Default: none. */
  readonly tls?: SecureContextOptions | undefined;
  /** Accepted host names of the `Host` header. */
  readonly hosts?: readonly string[] | undefined;
  /**
   * How long a client may take for its TLS handshake, for the head of a request, or for the first stream of an HTTP/2 connection, in
   * milliseconds; for the whole request six times as long. Over HTTP/1.1 it is answered with 408 then. Default 10,000.
   */
  readonly headTimeout?: number | undefined;
}

/** A server that listens. */
export interface HttpListener extends AsyncDisposable {
  /** What follows `http` or `ws` in its URL: `://127.0.0.1:54321`, `s://…` with TLS; with the first of `hosts`, since no other name is accepted. */
  readonly place: string;
  /** Closes what was mounted, then the server and what is left of its connections. */
  close(): Promise<void>;
}

/**
 * Listens for requests and upgrades, WebSockets over HTTP/1.1. A client that takes too long for its request is cut off.
 * @param mount adds the listeners to the server before it listens, and returns what is to be closed before the server is
 * @throws TurnwireError `invalid-input` if other machines would reach it without `tls` and `hosts`, or the address cannot be bound
 */
export async function listenHttp(
  address: HttpAddress,
  mount: (server: Server | Http2SecureServer) => readonly { close(): Promise<void> }[],
): Promise<HttpListener> {
  const { port = 0, host = '127.0.0.1', tls, hosts, headTimeout = 10_000 } = address;
  refuseExposed({ ...address, host });
  const server =
    tls === undefined
      ? createServer()
      : createSecureServer({ ...tls, allowHTTP1: true, handshakeTimeout: headTimeout }).on('session', (session) =>
          limitSession(session, headTimeout),
        );
  // A server with HTTP/2 does not take these for HTTP/1.1 as options.
  Object.assign(server, {
    headersTimeout: headTimeout,
    requestTimeout: headTimeout * headsInRequest,
    connectionsCheckingInterval: headTimeout / 5,
    keepAliveTimeout: idle,
  });
  const wires = new Set<Socket>();
  server.on('connection', (wire: Socket) => {
    wires.add(wire);
    wire.once('close', () => wires.delete(wire));
  });
  const mounted = mount(server);
  try {
    server.listen(port, host);
    await once(server, 'listening');
  } catch (cause) {
    await Promise.all(mounted.map((each) => each.close()));
    throw new TurnwireError('invalid-input', `cannot listen at ${host}:${port}: ${(cause as Error).message}`, {
      cause,
    });
  }
  const close = async (): Promise<void> => {
    await Promise.all(mounted.map((each) => each.close()));
    const closed = new Promise((resolve) => server.close(resolve));
    for (const wire of wires) wire.destroy();
    await closed;
  };
  const name = hosts?.[0] ?? (host.includes(':') ? `[${host}]` : host);
  return {
    place: `${tls === undefined ? '' : 's'}://${name}:${(server.address() as AddressInfo).port}`,
    close,
    [Symbol.asyncDispose]: close,
  };
}

/** Node limits neither HTTP/2 connections without a stream nor requests that never end. */
function limitSession(session: ServerHttp2Session, headTimeout: number): void {
  let streams = 0;
  let withoutStream = setTimeout(() => session.destroy(), headTimeout);
  session.once('close', () => clearTimeout(withoutStream));
  session.on('stream', (stream) => {
    streams++;
    clearTimeout(withoutStream);
    const request = setTimeout(() => {
      if (!stream.endAfterHeaders && !stream.readableEnded) stream.close(constants.NGHTTP2_CANCEL);
    }, headTimeout * headsInRequest);
    stream.once('close', () => {
      clearTimeout(request);
      if (--streams === 0 && !session.destroyed) withoutStream = setTimeout(() => session.destroy(), idle);
    });
  });
}

/** What other machines reach needs encryption, and the names it is known by. */
function refuseExposed({ host = '', tls, hosts }: HttpAddress): void {
  if (/^(?:localhost|127(?:\.\d+){3}|::1)$/.test(host)) return;
  if (tls === undefined) throw invalid(`${host} is reached from other machines; listening there needs tls`);
  if (hosts === undefined) throw invalid(`list the names that clients know ${host} by in hosts`);
}

function invalid(message: string): TurnwireError {
  return new TurnwireError('invalid-input', message);
}
