import { defaultSilence } from '../../default-silence.ts';
import { isForEndpoint } from '../../endpoint/endpoint-rules.ts';
import { beats, Endpoint, type HttpEndpoint, type HttpEndpointOptions, type OnConnection } from '../server/endpoint.ts';
import { FetchExchange } from './fetch-exchange.ts';

/** An endpoint for servers that give a handler a `Request` and take a `Response`. */
export interface FetchEndpoint extends HttpEndpoint {
  /** Answers a request; one for another path with 404. Never rejects. */
  readonly fetch: (request: Request) => Promise<Response>;
}

/**
 * Accepts connections over Streamable HTTP in whatever serves with `Request` and `Response`: Deno, Bun, Hono, a worker. All requests of a
 * connection have to come to the same endpoint.
 * ```ts
 * const endpoint = fetchEndpoint({ authorize: bearerToken(token) }, (transport) => serveAgent(definition, { transport }));
 * Deno.serve(endpoint.fetch);
 * ```
 * @param onConnection called for each client; it has to start the transport at once
 */
export function fetchEndpoint(options: HttpEndpointOptions, onConnection: OnConnection): FetchEndpoint {
  const endpoint = new Endpoint(options, onConnection);
  const timer = setInterval(() => endpoint.beat(), (options.silence ?? defaultSilence) / beats);
  // It alone keeps no program of Node running.
  (timer as { unref?: () => void }).unref?.();
  const close = async (): Promise<void> => {
    clearInterval(timer);
    await endpoint.close();
  };
  return {
    fetch: async (request) => {
      const exchange = new FetchExchange(request);
      if (!isForEndpoint(exchange.request, options))
        return new Response('There is nothing at this path.\n', { status: 404 });
      void endpoint.answer(exchange);
      return exchange.response;
    },
    get connections() {
      return endpoint.connections.size;
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}
