import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { constants, createSecureServer, type Http2SecureServer, type ServerHttp2Session } from 'node:http2';
import type { AddressInfo, Socket } from 'node:net';
import type { SecureContextOptions } from 'node:tls';
import { TurnwireError } from '@turnwire/protocol';

/** The time limit for a whole request, as a multiple of `headTimeout`. */
const headsInRequest = 6;

/**
 * How long an idle connection stays open after its first request, in milliseconds. Longer than clients keep idle connections: if the server closed
 * one while a message is in transit, the message would be lost.
 */
const idle = 75_000;

/** The address that a server listens at, and its limits. */
export interface HttpAddress {
  /** Default: any free port. */
  readonly port?: number | undefined;
  /** The address to bind. Default `127.0.0.1`. An address that is reachable from other machines needs `tls` and `hosts`. */
  readonly host?: string | undefined;
  /** The key and certificate of the server, which then uses `wss:` and `https:`, including HTTP/2. Default: none. */
  readonly tls?: SecureContextOptions | undefined;
  /** Accepted host names of the `Host` header. */
  readonly hosts?: readonly string[] | undefined;
  /**
   * Time limit for the TLS handshake, the head of a request, and the first stream of an HTTP/2 connection, in milliseconds; a whole request may take
   * six times as long. Over HTTP/1.1 the answer is then 408. Default 10,000.
   */
  readonly headTimeout?: number | undefined;
}

/** A listening server. */
export interface HttpListener extends AsyncDisposable {
  /** Its URL without a path: `http://127.0.0.1:54321`, or `https:` with TLS. The host is the first of `hosts`, since no other names are accepted. */
  url(scheme: 'http' | 'ws'): string;
  /** Closes the mounted endpoints, then the server and its remaining connections. */
  close(): Promise<void>;
}

/**
 * Listens for requests and upgrades, the latter over HTTP/1.1. Disconnects clients that take too long for a request.
 * @param mount adds the listeners to the server before it listens, and returns the endpoints to close before the server
 * @throws TurnwireError `invalid-input` if it would be reachable from other machines without `tls` and `hosts`, or the address cannot be bound
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
  // A server with HTTP/2 does not accept these options for HTTP/1.1.
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
  const authority = `${name}:${(server.address() as AddressInfo).port}`;
  return {
    url: (scheme) => `${scheme}${tls === undefined ? '' : 's'}://${authority}`,
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

/** An address that is reachable from other machines needs encryption, and the host names that clients use. */
function refuseExposed({ host = '', tls, hosts }: HttpAddress): void {
  if (/^(?:localhost|127(?:\.\d+){3}|::1)$/.test(host)) return;
  if (tls === undefined) throw invalid(`${host} is reached from other machines; listening there needs tls`);
  if (hosts === undefined) throw invalid(`list the names that clients know ${host} by in hosts`);
}

function invalid(message: string): TurnwireError {
  return new TurnwireError('invalid-input', message);
}
