import { type Closed, connectAgent, keptValue, type Transport } from '@turnwire/protocol';
import { exactTransport } from '@turnwire/runtime';
import { clientHandlers } from './client-handlers.ts';
import type { ClientSessions, SessionsOwner } from './client-sessions.ts';
import { ClientState } from './client-state.ts';

let connections = 0;
const clients = new WeakMap<object, ClientState>();

/** One table for all connections, of which there may be ten thousand. */
const handlers = clientHandlers(({ peer }) => {
  const client = clients.get(peer);
  if (!client) throw new Error('The message came from a connection that the gateway does not know');
  return client;
});

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
    const peer = connectAgent(exactTransport(transport), handlers, { firstId, keep: keptValue });
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
