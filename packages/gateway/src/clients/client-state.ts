import type { ClientCapabilities, Peer } from '@turnwire/protocol';
import { soon } from '@turnwire/machine/waits';
import {
  cursorText,
  type Session,
  type Subscriber,
  type Subscription,
  type SubscriptionStart,
} from '@turnwire/runtime';
import type { Principal } from '../auth/principal.ts';
import { AcpSubscriber } from './acp-subscriber.ts';
import type { ClientSessions, SessionsOwner } from './client-sessions.ts';
import { onlyObserves } from './connection-refusals.ts';
import { type OpenedSession, OpenedSessions } from './opened-sessions.ts';
import { shownOptions } from './shown-options.ts';
import { turnwireMeta } from './turnwire-meta.ts';

/** The state of a client's connection, which the handlers of its messages share. */
export class ClientState {
  /** The id of the connection. */
  readonly id: string;
  readonly peer: Peer<'agent'>;
  readonly sessions: ClientSessions;
  readonly owner: SessionsOwner;
  readonly opened: OpenedSessions = new OpenedSessions();
  capabilities: ClientCapabilities = {};
  /** The name that the client gives itself. */
  name = 'unknown';

  constructor({ id, peer, sessions, owner }: Pick<ClientState, 'id' | 'peer' | 'sessions' | 'owner'>) {
    this.id = id;
    this.peer = peer;
    this.sessions = sessions;
    this.owner = owner;
  }

  get principal(): Principal {
    return this.owner.principal;
  }

  /** Whether the client wants its answer before the agent runs, and starts the agent itself. */
  get startsLater(): boolean {
    return turnwireMeta(this.capabilities._meta)['startsLater'] === true;
  }

  /** A session that the client may change. Throws the ProtocolError to answer with if it is not open, or opened as an observer. */
  controlled(sessionId: string): OpenedSession {
    return this.opened.controlled(sessionId);
  }

  /** Throws the ProtocolError to answer with if the client may only watch. */
  refuseObserver(): void {
    if (this.principal.scope === 'observe') throw onlyObserves();
  }

  /** Subscribes the client to a session, in place of an earlier subscription. `answer` is the common part of the answers that open a session. */
  async subscribe(
    host: Session,
    { role, ...start }: SubscriptionStart & { readonly role: Subscriber['role'] },
  ): Promise<{
    readonly subscriber: AcpSubscriber;
    readonly subscription: Subscription;
    readonly answer: object;
  }> {
    this.opened.detach(host.id);
    const { events, batches, ownPrompts, asks } = turnwireMeta(this.capabilities._meta);
    const subscriber = new AcpSubscriber({
      sessionId: host.id,
      peer: this.peer,
      author: { connection: this.id, client: this.name },
      role,
      isOwner: this.principal.isOwner === true,
      capabilities: this.capabilities,
      readsEvents: events === true,
      readsBatches: events === true && batches === true,
      readsOwnPrompts: ownPrompts === true,
      asks: asks !== false,
      ended: (ended) => this.opened.ended(host.id, ended),
    });
    const { subscription, gap } = await host.subscribe(subscriber, start);
    this.opened.set({ host, subscriber, subscription });
    void subscription.replayed.then(() => soon(() => subscription.goLive()));
    const { modes, configOptions } = host.facts;
    return {
      subscriber,
      subscription,
      answer: {
        ...(modes && { modes }),
        ...(configOptions && { configOptions: shownOptions(configOptions, this.capabilities) }),
        _meta: { turnwire: { cursor: cursorText(host.head), role, state: host.state, ...(gap && { gap }) } },
      },
    };
  }
}
