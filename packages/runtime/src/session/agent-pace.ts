import type { SessionLog } from '../log/session-log.ts';
import type { Cursor } from '../store/session-store.ts';
import type { Subscription } from './subscription.ts';

/** The number of events that a subscriber may be behind while the agent waits for the slowest one. */
const mayBeBehind = 64;

/** How fast an agent may be: no faster than the store, nor, if events are passing, than the slowest subscriber. */
export class AgentPace {
  readonly #log: SessionLog;
  readonly #subscriptions: Iterable<Subscription>;
  readonly #isPassing: boolean;

  /** @param isPassing whether events are forgotten once every subscriber has received them */
  constructor(log: SessionLog, subscriptions: Iterable<Subscription>, isPassing: boolean) {
    this.#log = log;
    this.#subscriptions = subscriptions;
    this.#isPassing = isPassing;
  }

  /** Resolves when the agent may send its next update; undefined: now. */
  next(): Promise<void> | undefined {
    const { backpressure } = this.#log;
    if (!this.#isPassing) return backpressure;
    const due = this.#log.length - mayBeBehind;
    let slowest: Cursor | undefined;
    for (const { position } of this.#subscriptions)
      if (!slowest || position.sequence < slowest.sequence) slowest = position;
    if (slowest) this.#log.forget(slowest).catch(() => undefined);
    if (!slowest || slowest.sequence >= due) return backpressure;
    return Promise.all([backpressure, ...Array.from(this.#subscriptions, (each) => each.reached(due))]).then(
      () => undefined,
    );
  }
}
