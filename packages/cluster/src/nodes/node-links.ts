import { bearerToken, serveWebSockets } from '@turnwire/transports/websocket/node';
import type { LinkEndpoint } from '@turnwire/gateway/endpoints';
import { type LinkedClient, linkedClient, linkPath } from './node-link.ts';

/** The endpoint of an agent at which other nodes link to this one, each for one of their clients, on whose behalf they speak. */
export function nodeLinks(
  agent: string,
  {
    secret,
    host,
  }: {
    /** What other nodes have to show. */
    readonly secret: string;
    /** The host name by which they know this one. */
    readonly host: string;
  },
): LinkEndpoint {
  const hasSecret = bearerToken(secret);
  const path = linkPath(agent);
  const rules = {
    path,
    hosts: [host],
    // The other nodes have bounds for their clients.
    maxConnections: 100_000,
    authorize: async (request: Parameters<typeof hasSecret>[0]) =>
      (await hasSecret(request)) === true && (linkedClient(request.headers) ?? false),
  };
  return {
    path,
    serve: (server, onClient) =>
      serveWebSockets(server, rules, (transport, { principal: linked }) =>
        onClient(transport, { ...(linked as LinkedClient), agent }),
      ),
  };
}
