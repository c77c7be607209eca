import type { AttachedClient } from '../session/attached-client.ts';
import type { SessionHost } from '../session/session-host.ts';
import { notOpen, onlyObserves } from './connection-refusals.ts';

/** A session, and the client as it is attached to it. */
export interface OpenedSession {
  readonly host: SessionHost;
  readonly attached: AttachedClient;
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
    if (opened.attached.client.role === 'observe') throw onlyObserves();
    return opened;
  }

  /** Those whose agents wait for a login. */
  get waitingForLogin(): readonly SessionHost[] {
    return Array.from(this.#byId.values(), ({ host }) => host).filter(({ state }) => state.name === 'login-needed');
  }

  set(opened: OpenedSession): void {
    this.#byId.set(opened.host.id, opened);
  }

  /** The client opens a session again: it is sent nothing more as it was attached before. */
  detach(sessionId: string): void {
    this.#byId.get(sessionId)?.attached.detach();
  }

  detachAll(): void {
    for (const { attached } of this.#byId.values()) attached.detach();
  }

  delete(sessionId: string): void {
    this.#byId.delete(sessionId);
  }

  /** The client is no longer attached in this way; it may be in another. */
  ended(sessionId: string, attached: object): void {
    if (this.#byId.get(sessionId)?.attached === attached) this.#byId.delete(sessionId);
  }
}
