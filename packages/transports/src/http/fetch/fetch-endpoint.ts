import { defaultSilence } from '../../default-silence.ts';
import { isForEndpoint, type Refusal } from '../../endpoint/endpoint-rules.ts';
import { beats, Endpoint, type HttpEndpoint, type HttpEndpointOptions, type OnConnection } from '../server/endpoint.ts';
import { type Posted, readPost } from '../server/read-post.ts';
import { FetchExchange } from './fetch-exchange.ts';

/** An endpoint for servers whose handlers take a `Request` and return a `Response`. */
export interface FetchEndpoint extends HttpEndpoint {
  /** Answers a request; 404 for another path. Never rejects. */
  readonly fetch: (request: Request) => Promise<Response>;
}

/**
 * Accepts connections over Streamable HTTP in any server that uses `Request` and `Response`: Deno, Bun, Hono, a worker. All requests of a connection
 * must reach the same endpoint.
 * ```ts
 * const endpoint = fetchEndpoint({ authorize: bearerToken(token) }, (transport) => serveAgent(definition, { transport }));
 * Deno.serve(endpoint.fetch);
 * ```
 * @param onConnection called for each client; it must start the transport at once
 */
export function fetchEndpoint(options: HttpEndpointOptions, onConnection: OnConnection): FetchEndpoint {
  const endpoint = new Endpoint(options, onConnection);
  const timer = setInterval(() => endpoint.beat(), (options.silence ?? defaultSilence) / beats);
  // The timer alone does not keep a Node process running.
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

/**
 * Reads the message of a POST with the limits of an endpoint, for a server that checks it before it passes its text to an endpoint. A body that is
 * too long is not read to its end, and one with too many values is not parsed.
 */
export async function readRequest(request: Request): Promise<Posted | Refusal> {
  return readPost(new FetchExchange(request));
}
