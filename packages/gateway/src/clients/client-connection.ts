import { type Closed, keptValue, type Transport, v1 } from '@turnwire/protocol';
import { connectAgentVersions, v2 } from '@turnwire/protocol/v2';
import { exactTransport } from '@turnwire/runtime';
import { clientHandlers } from './client-handlers.ts';
import type { ClientSessions, SessionsOwner } from './client-sessions.ts';
import type { ClientOf } from './client-requests.ts';
import { ClientState } from './client-state.ts';
import { v2Handlers } from './v2-handlers.ts';

let connections = 0;
const clients = new WeakMap<object, ClientState>();

const clientOf: ClientOf = ({ peer }) => {
  const client = clients.get(peer);
  if (!client) throw new Error('The message came from a connection that the gateway does not know');
  return client;
};
/** The handlers of both versions, for all connections, of which there may be ten thousand. */
const offers = [
  { edition: v1, handlers: clientHandlers(clientOf) },
  { edition: v2, handlers: v2Handlers(clientOf) },
] as const;

/** The connection of a client, which uses the gateway like an agent, for any number of sessions. */
export class ClientConnection {
  readonly closed: Promise<Closed>;
  readonly #client: ClientState;

  constructor(
    transport: Transport,
    sessions: ClientSessions,
    { owner, firstId }: { readonly owner: SessionsOwner; readonly firstId?: number | undefined },
  ) {
    const id = `${Date.now().toString(36)}-${++connections}`;
    const peer = connectAgentVersions(exactTransport(transport), offers, { firstId, keep: keptValue });
    const client = new ClientState({ id, peer, sessions, owner });
    clients.set(peer, client);
    this.#client = client;
    this.closed = peer.closed.then((closed) => {
      client.opened.detachAll();
      return closed;
    });
  }

  /** Unique among the connections of all gateways. */
  get id(): string {
    return this.#client.id;
  }

  /** Whether the client has no session open. */
  get isIdle(): boolean {
    return this.#client.opened.size === 0;
  }

  /** Whether the client has a session open. */
  hasOpen(sessionId: string): boolean {
    return this.#client.opened.has(sessionId);
  }

  /** Ends the connection. Its sessions continue. */
  close(): Promise<void> {
    return this.#client.peer.close();
  }
}
