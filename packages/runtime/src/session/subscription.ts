import type { LoggedEvent } from '../log/session-event.ts';
import type { SessionLog } from '../log/session-log.ts';
import type { Cursor } from '../store/session-store.ts';
import { nothingWaits } from './prompt-queue.ts';
import type { ShownSession, Subscriber } from './subscriber.ts';

/** The two sides of a subscription. */
export interface SubscriptionParts {
  readonly subscriber: Subscriber;
  readonly log: SessionLog;
  /** The current view of the session besides its events. */
  readonly shown: Readonly<ShownSession>;
  /** Called whenever the subscriber has received events, or has become live. */
  readonly onReceived: (subscription: Subscription) => void;
  /** Called once, at the end of the subscription. */
  readonly onEnded: (subscription: Subscription) => void;
}

/** A call of {@link Subscription.reached} whose event the subscriber has not received. */
interface Waiter {
  readonly sequence: number;
  readonly resolve: () => void;
}

/** The empty list, shared by all subscriptions that no call waits for. */
const noWaiters: readonly Waiter[] = [];

/** Where a subscription begins. */
export interface SubscriptionStart {
  /** The cursor of the last event that the subscriber has. */
  readonly after: Cursor;
  /** The subscriber created the session: the answer to `session/new` contains the set-up, so only the agent's early updates follow. */
  readonly begins?: boolean | undefined;
}

/**
 * Reads the log of a session for a subscriber, at its own pace and from its own cursor, history and new events alike: a subscriber that stops
 * reading costs one page of memory, and delays no other.
 */
export class Subscription {
  readonly subscriber: Subscriber;
  readonly #parts: SubscriptionParts;
  /** The last event it received. Two numbers: an object for each event would be old when it is replaced, and expensive to collect. */
  #epoch: number;
  #sequence: number;
  /** The last event of the history: it is older than the subscription. */
  readonly #historyEnd: number;
  /** The last event that is delivered before {@link goLive}. */
  #pausedAt: number;
  readonly #begins: boolean;
  #received: ShownSession;
  #isEnded = false;
  #isLive = false;
  #isReading = false;
  /** There may be events that were not read yet. */
  #isDue = false;
  #waiters: readonly Waiter[] = noWaiters;

  constructor(parts: SubscriptionParts, { after, begins = false }: SubscriptionStart) {
    this.subscriber = parts.subscriber;
    this.#parts = parts;
    this.#epoch = after.epoch;
    this.#sequence = after.sequence;
    this.#received = { waiting: nothingWaits, state: parts.shown.state };
    this.#historyEnd = parts.log.head.sequence;
    this.#begins = begins;
    this.#pausedAt = begins ? after.sequence : this.#historyEnd;
    this.notify();
  }

  /** Whether the subscriber has received the history and its end, and now receives events as they happen. */
  get isLive(): boolean {
    return this.#isLive;
  }

  /** The cursor of the last event that the subscriber received. */
  get position(): Cursor {
    return { epoch: this.#epoch, sequence: this.#sequence };
  }

  /** Whether the subscriber has received an event. */
  has(sequence: number): boolean {
    return this.#sequence >= sequence;
  }

  /** Resolves when the subscriber has received the history. */
  get replayed(): Promise<void> {
    return this.reached(Math.min(this.#historyEnd, this.#pausedAt));
  }

  /** Delivers the events after the history. Call it once the answer is sent that ends the history. */
  goLive(): void {
    this.#pausedAt = Infinity;
    this.notify();
  }

  /** Resolves when the subscriber has received an event, or the subscription has ended. */
  reached(sequence: number): Promise<void> {
    if (this.#isEnded || this.has(sequence)) return Promise.resolve();
    return new Promise((resolve) => (this.#waiters = [...this.#waiters, { sequence, resolve }]));
  }

  /** Ends the subscription: the subscriber receives nothing more. */
  end(): void {
    if (this.#isEnded) return;
    this.#isEnded = true;
    this.notify();
    this.#settleWaiters();
  }

  /** Reads on: there may be new events, or a change. */
  notify(): void {
    this.#isDue = true;
    if (!this.#isReading) this.#read();
  }

  /** Reads until there is nothing more, or until the store or the subscriber is slow: a subscriber that keeps up costs no promise. */
  #read(): void {
    this.#isReading = true;
    while (this.#isDue && !this.#isEnded) {
      // Events that are stored during the read set it again.
      this.#isDue = false;
      let waiting: Promise<void> | undefined;
      try {
        const page = this.#sequence >= this.#pausedAt ? [] : this.#parts.log.recentAfter(this.position);
        waiting = page
          ? this.#deliver(page)
          : this.#parts.log.pageAfter(this.position).then((stored) => this.#deliver(stored));
      } catch {
        this.end();
      }
      // Without its log there is nothing to receive.
      if (waiting) return void waiting.catch(() => this.end()).then(() => this.#read());
    }
    this.#isReading = false;
    if (this.#isEnded) this.#parts.onEnded(this);
  }

  #deliver(page: readonly LoggedEvent[]): Promise<void> | undefined {
    const events = this.#pausedAt === Infinity ? page : page.filter(({ sequence }) => sequence <= this.#pausedAt);
    const last = events.at(-1);
    if (!last) return this.#deliverChange();
    const news = this.#begins ? events.filter((logged) => !this.#isInAnswer(logged)) : events;
    const receiving = news.length > 0 ? this.subscriber.receive(news, this.#historyEnd) : undefined;
    this.#epoch = last.epoch;
    this.#sequence = last.sequence;
    this.#isDue = true;
    const received = (): Promise<void> | undefined => {
      if (this.#waiters.length > 0) this.#settleWaiters();
      return this.#deliverChange();
    };
    return receiving ? receiving.then(received) : received();
  }

  /** Whether the answer to `session/new` contains an event. */
  #isInAnswer({ sequence, event }: LoggedEvent): boolean {
    return sequence <= this.#historyEnd && event.type !== 'update';
  }

  /** Delivers a change of the view, after a page of events. */
  #deliverChange(): Promise<void> | undefined {
    const { waiting, state } = this.#parts.shown;
    const before = this.#received;
    const isOther = waiting !== before.waiting || state !== before.state;
    if (!isOther || this.#pausedAt !== Infinity || !this.subscriber.changed) return this.#checkLive();
    this.#received = { waiting, state };
    const receiving = this.subscriber.changed({
      ...(waiting !== before.waiting && { waiting }),
      ...(state !== before.state && { state }),
    });
    return receiving ? receiving.then(() => this.#checkLive()) : this.#checkLive();
  }

  #checkLive(): undefined {
    // The next page follows at once.
    if (this.#isDue) return;
    this.#isLive = this.#pausedAt === Infinity;
    if (this.#isLive) this.#parts.onReceived(this);
  }

  #settleWaiters(): void {
    const isReached = (sequence: number): boolean => this.#isEnded || this.has(sequence);
    for (const { sequence, resolve } of this.#waiters) if (isReached(sequence)) resolve();
    const left = this.#waiters.filter(({ sequence }) => !isReached(sequence));
    this.#waiters = left.length === 0 ? noWaiters : left;
  }
}
