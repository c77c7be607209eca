import type { Cursor } from '../store/session-store.ts';
import type { Subscription } from './subscription.ts';
import type { Subscriber } from './subscriber.ts';

/** The subscriptions of a session. */
export class Subscriptions implements Iterable<Subscription> {
  readonly #all = new Set<Subscription>();

  get size(): number {
    return this.#all.size;
  }

  get subscribers(): readonly Subscriber[] {
    return Array.from(this.#all, ({ subscriber }) => subscriber);
  }

  /** Whether a subscriber reads events. */
  get areReading(): boolean {
    for (const { subscriber } of this.#all) if (subscriber.readsEvents) return true;
    return false;
  }

  [Symbol.iterator](): Iterator<Subscription> {
    return this.#all.values();
  }

  add(subscription: Subscription): void {
    this.#all.add(subscription);
  }

  delete(subscription: Subscription): void {
    this.#all.delete(subscription);
  }

  /** Whether a subscription is the only one. */
  areOnly(subscription: Subscription): boolean {
    for (const each of this.#all) if (each !== subscription) return false;
    return true;
  }

  /** Whether every subscriber has received the events up to a cursor. */
  haveAll({ sequence }: Cursor): boolean {
    for (const subscription of this.#all) if (!subscription.has(sequence)) return false;
    return true;
  }

  /** Delivers new events and changes. */
  notify(): void {
    for (const subscription of this.#all) subscription.notify();
  }

  end(): void {
    for (const subscription of this.#all) subscription.end();
  }
}
