import type { SessionEvent } from '@turnwire/client/gateway';

/** The number of events that are kept. */
const most = 100;
const none: readonly SessionEvent[] = [];

/** Events that no client read, and that the next client needs to receive: warnings, boundaries and failures. */
export class MissedEvents {
  #events = none;

  /** @param isUnattended returns whether no client waits for the answer of a turn */
  add(event: SessionEvent, isUnattended: (turnId: string) => boolean): void {
    const matters =
      event.type === 'remark' ||
      event.type === 'ran-unasked' ||
      event.type === 'boundary' ||
      (event.type === 'turn-failed' && isUnattended(event.turnId));
    if (matters && this.#events.length < most) this.#events = [...this.#events, event];
  }

  /** Takes the events. */
  take(): readonly SessionEvent[] {
    const events = this.#events;
    this.#events = none;
    return events;
  }
}
