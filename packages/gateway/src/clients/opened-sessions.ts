import type { Session, Subscription } from '@turnwire/runtime';
import type { ClientSubscriber } from './client-subscriber.ts';
import { isChild, notOpen, onlyObserves } from './connection-refusals.ts';

/** A session and the client's subscription to it. */
export interface OpenedSession {
  readonly host: Session;
  readonly subscriber: ClientSubscriber;
  readonly subscription: Subscription;
}

/** The sessions that a client has open. */
export class OpenedSessions {
  readonly #byId = new Map<string, OpenedSession>();
  #isClosed = false;

  get size(): number {
    return this.#byId.size;
  }

  has(sessionId: string): boolean {
    return this.#byId.has(sessionId);
  }

  /** Throws the ProtocolError to answer with if the session is not open. */
  get(sessionId: string): OpenedSession {
    const opened = this.#byId.get(sessionId);
    if (opened) return opened;
    this.refuseChild(sessionId);
    throw notOpen(sessionId);
  }

  /** The open session whose agent has started a session for a part of the work. */
  parentOf(sessionId: string): OpenedSession | undefined {
    return [...this.#byId.values()].find(({ host }) => host.hasChild(sessionId));
  }

  /** Throws the ProtocolError to answer with if the session is a child of an open one: a client may only cancel it. */
  refuseChild(sessionId: string): void {
    if (this.parentOf(sessionId)) throw isChild(sessionId);
  }

  /** A session that the client may change. Throws the ProtocolError to answer with if it is not open, or opened as an observer. */
  controlled(sessionId: string): OpenedSession {
    const opened = this.get(sessionId);
    if (opened.subscriber.role === 'observe') throw onlyObserves();
    return opened;
  }

  get hosts(): readonly Session[] {
    return Array.from(this.#byId.values(), ({ host }) => host);
  }

  /** Sessions whose agents wait for a login. */
  get waitingForLogin(): readonly Session[] {
    return this.hosts.filter(({ state }) => state.name === 'login-needed');
  }

  /** Adds a session. The client may have opened it twice at the same time, or have disconnected: keep one subscription of a connected client. */
  set(opened: OpenedSession): void {
    this.detach(opened.host.id);
    if (this.#isClosed) return opened.subscription.end();
    this.#byId.set(opened.host.id, opened);
  }

  /** Ends the current subscription before the client opens the session again. */
  detach(sessionId: string): void {
    this.#byId.get(sessionId)?.subscription.end();
  }

  /** The connection has ended. */
  detachAll(): void {
    this.#isClosed = true;
    for (const { subscription } of this.#byId.values()) subscription.end();
  }

  delete(sessionId: string): void {
    this.#byId.delete(sessionId);
  }

  /** Forgets a session when its subscription has ended, unless the client has subscribed again. */
  ended(sessionId: string, subscription: object): void {
    if (this.#byId.get(sessionId)?.subscription === subscription) this.#byId.delete(sessionId);
  }
}
