import type { Transport } from '@turnwire/protocol';
import {
  bearerToken,
  serveWebSockets,
  type UpgradingServer,
  type WebSocketEndpoint,
} from '@turnwire/transports/websocket/node';
import { type LinkedClient, linkedClient, linkPath } from '../nodes/node-link.ts';

/** Who may link to a node. */
export interface NodeLinksOptions {
  /** What other nodes have to show. */
  readonly secret: string;
  /** The host name by which they know this one. */
  readonly host: string;
}

/** Accepts the links of other nodes, each for one of their clients, on whose behalf they speak. */
export function serveNodeLinks(
  server: UpgradingServer,
  { agent, secret, host }: NodeLinksOptions & { readonly agent: string },
  onLink: (link: LinkedClient & { readonly transport: Transport }) => void,
): WebSocketEndpoint {
  const hasSecret = bearerToken(secret);
  return serveWebSockets(
    server,
    {
      path: linkPath(agent),
      hosts: [host],
      // The other nodes have bounds for their clients.
      maxConnections: 100_000,
      authorize: async (request) => (await hasSecret(request)) === true && (linkedClient(request.headers) ?? false),
    },
    (transport, { principal: linked }) => onLink({ ...(linked as LinkedClient), transport }),
  );
}
