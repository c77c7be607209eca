import type { SessionEvent } from '@turnwire/client/gateway';

/** How many are kept. */
const most = 100;
const none: readonly SessionEvent[] = [];

/** What happens in a session while no client is there that reads events, as far as the next one has to know it although it did not ask. */
export class MissedEvents {
  #events = none;

  /** @param isUnattended whether no client waits for the answer of a turn */
  add(event: SessionEvent, isUnattended: (turnId: string) => boolean): void {
    const matters =
      event.type === 'remark' ||
      event.type === 'ran-unasked' ||
      event.type === 'boundary' ||
      (event.type === 'turn-failed' && isUnattended(event.turnId));
    if (matters && this.#events.length < most) this.#events = [...this.#events, event];
  }

  /** Each is given once. */
  take(): readonly SessionEvent[] {
    const events = this.#events;
    this.#events = none;
    return events;
  }
}
