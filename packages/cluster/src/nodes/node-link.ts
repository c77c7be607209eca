import type { FrameReceiver, Transport } from '@turnwire/protocol';
import { connectWebSocket } from '@turnwire/transports/websocket/node';
import type { Principal } from '@turnwire/gateway';

/** What other nodes are asked with, besides the secret: whom a link is for. */
const clientHeader = 'x-turnwire-client';

/** The ids of requests that nodes send to one client do not meet: each link has this many. */
export const idsOfLink: number = 2 ** 32;

/** The client that a link is for. */
export interface LinkedClient {
  readonly principal: Principal;
  /** The first id of requests to it. */
  readonly firstId: number;
}

/** Where a link leads, and for whom. */
export interface NodeLinkPlace extends LinkedClient {
  /** `http://10.0.0.7:8137`. */
  readonly address: string;
  readonly agent: string;
  /** What the nodes of a cluster know each other by. */
  readonly secret: string;
}

/** How a client is led to another node. */
export interface NodeLinkOptions extends NodeLinkPlace {
  /** The frame with which the client began. */
  readonly initialize: string;
}

/** The path at which a node is reached by others, for one of its agents. */
export function linkPath(agent: string): string {
  return `/nodes/${agent}`;
}

/** The client of a link that comes in; undefined if the header is not one of a node. */
export function linkedClient(
  headers: Readonly<Record<string, string | readonly string[] | undefined>>,
): LinkedClient | undefined {
  const given = headers[clientHeader];
  try {
    return typeof given === 'string'
      ? (JSON.parse(Buffer.from(given, 'base64url').toString()) as LinkedClient)
      : undefined;
  } catch {
    return undefined;
  }
}

/** A connection to another node, on behalf of somebody. */
export function linkTransport({ address, agent, secret, principal, firstId }: NodeLinkPlace): Transport {
  const client = Buffer.from(JSON.stringify({ principal, firstId } satisfies LinkedClient)).toString('base64url');
  return connectWebSocket(`${address.replace(/^http/, 'ws')}${linkPath(agent)}`, {
    headers: { authorization: `Bearer ${secret}`, [clientHeader]: client },
    handshakeTimeout: 3_000,
    silence: 10_000,
  });
}

/** The connection to another node for one client: what comes in is meant for it, as it is. */
export class NodeLink {
  readonly firstId: number;
  readonly #transport: Transport;

  private constructor(transport: Transport, firstId: number) {
    this.#transport = transport;
    this.firstId = firstId;
  }

  /**
   * Connects, and introduces the client. Rejects if the other node cannot be reached or refuses it.
   * @param receiver gets what the other node sends to the client, and the end of the link once it was there
   */
  static open(
    { address, agent, secret, principal, firstId, initialize }: NodeLinkOptions,
    receiver: Pick<FrameReceiver, 'frame' | 'end'>,
  ): Promise<NodeLink> {
    const transport = linkTransport({ address, agent, secret, principal, firstId });
    return new Promise((resolve, reject) => {
      let isOpen = false;
      transport.start({
        frame: (text) => {
          if (isOpen) return receiver.frame(text);
          // The first one answers initialize, which the client had from its own node.
          isOpen = true;
          const { error } = JSON.parse(text) as { readonly error?: { readonly message: string } };
          if (error) reject(new Error(error.message));
          else resolve(new NodeLink(transport, firstId));
          return undefined;
        },
        warning: () => undefined,
        end: (reason) => {
          if (isOpen) receiver.end(reason);
          else reject(reason ?? new Error('the other node closed the connection'));
        },
      });
      void transport.send(initialize);
    });
  }

  send(frame: string): Promise<void> | undefined {
    return this.#transport.send(frame);
  }

  close(): Promise<void> {
    return this.#transport.close();
  }
}
