import type { FrameReceiver, Transport } from '@turnwire/protocol';
import { connectWebSocket } from '@turnwire/transports/websocket/node';
import type { Principal } from '@turnwire/gateway';

/** The request header that names the client of a link. */
const clientHeader = 'x-turnwire-client';

/** Request ids per link: the nodes send requests to one client, and their ids must not collide. */
export const idsOfLink: number = 2 ** 32;

/** The client of a link. */
export interface LinkedClient {
  readonly principal: Principal;
  /** The first id of requests to the client. */
  readonly firstId: number;
}

/** The target and the client of a link. */
export interface NodeLinkTarget extends LinkedClient {
  /** `http://10.0.0.7:8137`. */
  readonly address: string;
  readonly agent: string;
  /** The shared secret of all nodes. */
  readonly secret: string;
}

/** Options of {@link NodeLink.open}. */
export interface NodeLinkOptions extends NodeLinkTarget {
  /** The `initialize` frame of the client. */
  readonly initialize: string;
}

/** The path at which a node accepts links for one of its agents. */
export function linkPath(agent: string): string {
  return `/nodes/${agent}`;
}

/** The client of an incoming link; undefined if the header is not from a node. */
export function linkedClient(
  headers: Readonly<Record<string, string | readonly string[] | undefined>>,
): LinkedClient | undefined {
  const header = headers[clientHeader];
  try {
    return typeof header === 'string'
      ? (JSON.parse(Buffer.from(header, 'base64url').toString()) as LinkedClient)
      : undefined;
  } catch {
    return undefined;
  }
}

/** A connection to another node on behalf of a client. */
export function linkTransport({ address, agent, secret, principal, firstId }: NodeLinkTarget): Transport {
  const client = Buffer.from(JSON.stringify({ principal, firstId } satisfies LinkedClient)).toString('base64url');
  return connectWebSocket(`${address.replace(/^http/, 'ws')}${linkPath(agent)}`, {
    headers: { authorization: `Bearer ${secret}`, [clientHeader]: client },
    handshakeTimeout: 3_000,
    silence: 10_000,
  });
}

/** The connection to another node for one client, whose incoming frames go to the client unchanged. */
export class NodeLink {
  readonly firstId: number;
  readonly #transport: Transport;

  private constructor(transport: Transport, firstId: number) {
    this.#transport = transport;
    this.firstId = firstId;
  }

  /**
   * Connects, and introduces the client. Rejects if the other node cannot be reached or refuses it.
   * @param receiver gets the frames of the other node, and the end of the link after it was open
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
          // The first frame answers initialize, which the client's own node has already answered.
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
