import type { Session, Subscription } from '@turnwire/runtime';
import type { AcpSubscriber } from './acp-subscriber.ts';
import { notOpen, onlyObserves } from './connection-refusals.ts';

/** A session, and the client's subscription to it. */
export interface OpenedSession {
  readonly host: Session;
  readonly subscriber: AcpSubscriber;
  readonly subscription: Subscription;
}

/** The sessions that a client has open. */
export class OpenedSessions {
  readonly #byId = new Map<string, OpenedSession>();

  get size(): number {
    return this.#byId.size;
  }

  has(sessionId: string): boolean {
    return this.#byId.has(sessionId);
  }

  /** Throws the ProtocolError to answer with if the session is not open. */
  get(sessionId: string): OpenedSession {
    const opened = this.#byId.get(sessionId);
    if (!opened) throw notOpen(sessionId);
    return opened;
  }

  /** One that the client may change. Throws the ProtocolError to answer with if it is not open, or only watched. */
  controlled(sessionId: string): OpenedSession {
    const opened = this.get(sessionId);
    if (opened.subscriber.role === 'observe') throw onlyObserves();
    return opened;
  }

  /** Those whose agents wait for a login. */
  get waitingForLogin(): readonly Session[] {
    return Array.from(this.#byId.values(), ({ host }) => host).filter(({ state }) => state.name === 'login-needed');
  }

  set(opened: OpenedSession): void {
    this.#byId.set(opened.host.id, opened);
  }

  /** The client opens a session again: it is sent nothing more as it was attached before. */
  detach(sessionId: string): void {
    this.#byId.get(sessionId)?.subscription.end();
  }

  detachAll(): void {
    for (const { subscription } of this.#byId.values()) subscription.end();
  }

  delete(sessionId: string): void {
    this.#byId.delete(sessionId);
  }

  /** The client is no longer attached in this way; it may be in another. */
  ended(sessionId: string, subscription: object): void {
    if (this.#byId.get(sessionId)?.subscription === subscription) this.#byId.delete(sessionId);
  }
}
