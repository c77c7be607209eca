import { bearerToken, serveWebSockets } from '@turnwire/transports/websocket/node';
import type { LinkEndpoint } from '@turnwire/gateway/endpoints';
import { type LinkedClient, linkedClient, linkPath } from './node-link.ts';

/** The endpoint of an agent where other nodes connect on behalf of their clients. */
export function nodeLinks(
  agent: string,
  {
    secret,
    host,
  }: {
    /** The shared secret of all nodes. */
    readonly secret: string;
    /** The host name by which other nodes reach this one. */
    readonly host: string;
  },
): LinkEndpoint {
  const hasSecret = bearerToken(secret);
  const path = linkPath(agent);
  const rules = {
    path,
    hosts: [host],
    // The other nodes limit their clients.
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
