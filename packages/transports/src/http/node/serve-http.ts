import type { Server } from 'node:http';
import type { Http2Server, ServerHttp2Session } from 'node:http2';
import { defaultSilence } from '../../default-silence.ts';
import { isForEndpoint } from '../../endpoint/endpoint-rules.ts';
import { beats, Endpoint, type HttpEndpoint, type HttpEndpointOptions, type OnConnection } from '../server/endpoint.ts';
import { type AnyRequest, type AnyResponse, NodeExchange } from './node-exchange.ts';

/** A server of `node:http`, `node:https` or `node:http2`. */
export type AnyHttpServer = Pick<Server | Http2Server, 'listenerCount'> & {
  on(event: 'request', listener: (request: AnyRequest, response: AnyResponse) => void): unknown;
  off(event: 'request', listener: (request: AnyRequest, response: AnyResponse) => void): unknown;
};

/** Pings the HTTP/2 connections of clients. A connection without answers for too long is dead and is ended with its streams. HTTP/1.1 has no pings. */
class PingedSessions {
  readonly #unanswered = new Map<ServerHttp2Session, number>();

  readonly add = (session: ServerHttp2Session): void => {
    this.#unanswered.set(session, 0);
    session.once('close', () => this.#unanswered.delete(session));
  };

  beat(): void {
    for (const [session, unanswered] of this.#unanswered) {
      if (unanswered >= beats) session.destroy();
      else {
        this.#unanswered.set(session, unanswered + 1);
        session.ping((error) => {
          if (error === null && this.#unanswered.has(session)) this.#unanswered.set(session, 0);
        });
      }
    }
  }
}

/**
 * Accepts connections over Streamable HTTP on a server of yours, at one path: HTTP/1.1 or HTTP/2. Requests for other paths are left to your other
 * `request` listeners, and answered with 404 without such listeners. Over HTTP/2, a client that lost its network is detected after `silence`; over
 * HTTP/1.1, when TCP detects it.
 * @param onConnection called for each client; it must start the transport at once
 */
export function serveHttp(
  server: AnyHttpServer,
  options: HttpEndpointOptions,
  onConnection: OnConnection,
): HttpEndpoint {
  const endpoint = new Endpoint(options, onConnection);
  const listener = (request: AnyRequest, response: AnyResponse): void => {
    const exchange = new NodeExchange(request, response);
    if (isForEndpoint(request, options)) return void endpoint.answer(exchange);
    if (server.listenerCount('request') === 1)
      exchange.answer(404, { 'content-type': 'text/plain' }, 'There is nothing at this path.\n');
  };
  server.on('request', listener);
  const lines = new PingedSessions();
  (server as Http2Server).on('session', lines.add);
  const timer = setInterval(
    () => {
      lines.beat();
      endpoint.beat();
    },
    (options.silence ?? defaultSilence) / beats,
  );
  timer.unref();
  const close = async (): Promise<void> => {
    server.off('request', listener);
    (server as Http2Server).off('session', lines.add);
    clearInterval(timer);
    await endpoint.close();
  };
  return {
    get connections() {
      return endpoint.connections.size;
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}
