import type { Cursor } from '../store/session-store.ts';
import type { AttachedClient } from './attached-client.ts';
import type { HostedClient } from './hosted-client.ts';

/** The clients that are attached to a session. */
export class SessionClients implements Iterable<AttachedClient> {
  readonly #attached = new Set<AttachedClient>();

  get size(): number {
    return this.#attached.size;
  }

  /** As the rest of the session knows them. */
  get hosted(): readonly HostedClient[] {
    return Array.from(this.#attached, ({ client }) => client);
  }

  /** Whether one of them reads events. */
  get areReading(): boolean {
    for (const { client } of this.#attached) if (client.readsEvents) return true;
    return false;
  }

  [Symbol.iterator](): Iterator<AttachedClient> {
    return this.#attached.values();
  }

  add(attached: AttachedClient): void {
    this.#attached.add(attached);
  }

  delete(attached: AttachedClient): void {
    this.#attached.delete(attached);
  }

  /** Whether nobody else is attached. */
  areOnly(attached: AttachedClient): boolean {
    for (const each of this.#attached) if (each !== attached) return false;
    return true;
  }

  /** Whether each of them was sent the events up to a cursor. */
  haveAll({ sequence }: Cursor): boolean {
    for (const attached of this.#attached) if (!attached.has(sequence)) return false;
    return true;
  }

  /** There may be something to send. */
  notify(): void {
    for (const attached of this.#attached) attached.notify();
  }

  detach(): void {
    for (const attached of this.#attached) attached.detach();
  }
}
