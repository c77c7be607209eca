import type { Server } from 'node:http';
import type { Http2Server } from 'node:http2';
import { isForEndpoint } from '../../endpoint/endpoint-rules.ts';
import {
  beats,
  defaultSilence,
  Endpoint,
  type HttpEndpoint,
  type HttpEndpointOptions,
  type OnConnection,
} from '../server/endpoint.ts';
import { type AnyRequest, type AnyResponse, NodeExchange } from './node-exchange.ts';

/** A server of `node:http`, `node:https` or `node:http2`. */
export type AnyHttpServer = Pick<Server | Http2Server, 'listenerCount'> & {
  on(event: 'request', listener: (request: AnyRequest, response: AnyResponse) => void): unknown;
  off(event: 'request', listener: (request: AnyRequest, response: AnyResponse) => void): unknown;
};

/**
 * Accepts connections over Streamable HTTP on a server of yours, at one path: HTTP/1.1 or HTTP/2. Requests for other paths are left to your
 * other `request` listeners, and answered with 404 if there are none.
 * @param onConnection called for each client; it has to start the transport at once
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
  const timer = setInterval(() => endpoint.beat(), (options.silence ?? defaultSilence) / beats);
  timer.unref();
  const close = async (): Promise<void> => {
    server.off('request', listener);
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
