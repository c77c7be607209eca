import type { LoggedEvent } from '../log/session-event.ts';
import type { SessionLog } from '../log/session-log.ts';
import type { Cursor } from '../store/session-store.ts';
import { nothingWaits } from './prompt-queue.ts';
import type { AgentState, WaitingPrompt } from '@turnwire/protocol';
import type { Subscriber } from './subscriber.ts';

/** The session that is subscribed to. */
export interface SubscribedSession {
  readonly log: SessionLog;
  /** The prompts that wait in the session now: another list after every change. */
  readonly waiting: readonly WaitingPrompt[];
  /** What the agent of the session does now; the same object until that changes. */
  readonly shownState: AgentState;
  /** Called whenever the subscriber has all events. */
  caughtUp(subscription: Subscription): void;
  /** Called once, when the subscription has ended. */
  ended(subscription: Subscription): void;
}

/** Resolves when a subscriber has received an event. */
interface Waiter {
  readonly sequence: number;
  readonly resolve: () => void;
}

/** Nobody waits for most subscribers: they share this list. */
const noWaiters: readonly Waiter[] = [];

/** Where a subscription begins. */
export interface SubscriptionStart {
  /** The last event that the subscriber has. */
  readonly after: Cursor;
  /** The subscriber created the session: the answer to that has the set-up, so only the agent's early updates follow it. */
  readonly begins?: boolean | undefined;
}

/**
 * A subscriber's place in the log of a session. It reads at its own pace from its own cursor, history and new events alike: a subscriber that
 * stops reading costs one page of memory, and delays no other.
 */
export class Subscription {
  readonly subscriber: Subscriber;
  readonly #session: SubscribedSession;
  /** The last event it received. Two numbers: an object for each would be old by the time it is replaced, and expensive to collect. */
  #epoch: number;
  #sequence: number;
  /** The last event of the history, which was there before the subscription. */
  readonly #historyEnd: number;
  /** Nothing beyond this event is received until {@link goLive}. */
  #pausedAt: number;
  readonly #begins: boolean;
  #receivedWaiting = nothingWaits;
  #receivedState: AgentState;
  #isEnded = false;
  #isLive = false;
  #isReading = false;
  /** There may be events that were not read yet. */
  #isDue = false;
  #waiters: readonly Waiter[] = noWaiters;

  constructor(subscriber: Subscriber, session: SubscribedSession, { after, begins = false }: SubscriptionStart) {
    this.subscriber = subscriber;
    this.#session = session;
    this.#epoch = after.epoch;
    this.#sequence = after.sequence;
    this.#receivedState = session.shownState;
    this.#historyEnd = session.log.head.sequence;
    this.#begins = begins;
    this.#pausedAt = begins ? after.sequence : this.#historyEnd;
    this.notify();
  }

  /** It has received every event there is. */
  get isCaughtUp(): boolean {
    return this.#isLive && this.#sequence >= this.#session.log.head.sequence;
  }

  /** The last event it received. */
  get position(): Cursor {
    return { epoch: this.#epoch, sequence: this.#sequence };
  }

  /** Whether it has received an event. */
  has(sequence: number): boolean {
    return this.#sequence >= sequence;
  }

  /** Resolves when the history was received. */
  get replayed(): Promise<void> {
    return this.reached(Math.min(this.#historyEnd, this.#pausedAt));
  }

  /** Receives what follows the history, once the answer that ends it was sent. */
  goLive(): void {
    this.#pausedAt = Infinity;
    this.notify();
  }

  /** Resolves when an event was received, or the subscription has ended. */
  reached(sequence: number): Promise<void> {
    if (this.#isEnded || this.has(sequence)) return Promise.resolve();
    return new Promise((resolve) => (this.#waiters = [...this.#waiters, { sequence, resolve }]));
  }

  /** Nothing more is received. */
  end(): void {
    if (this.#isEnded) return;
    this.#isEnded = true;
    this.notify();
    this.#settle();
  }

  /** There may be more to read. */
  notify(): void {
    this.#isDue = true;
    if (!this.#isReading) this.#read();
  }

  /** Reads until there is nothing more, or something has to be waited for: a subscriber that keeps up costs no promise. */
  #read(): void {
    this.#isReading = true;
    while (this.#isDue && !this.#isEnded) {
      // Before the log is read: what is stored meanwhile must not be missed.
      this.#isDue = false;
      let waiting: Promise<void> | undefined;
      try {
        waiting = this.#readPage();
      } catch {
        this.end();
      }
      // Without its log there is nothing to receive.
      if (waiting) return void waiting.catch(() => this.end()).then(() => this.#read());
    }
    this.#isReading = false;
    if (this.#isEnded) this.#session.ended(this);
  }

  #readPage(): Promise<void> | undefined {
    if (this.#sequence >= this.#pausedAt) return this.#deliver([]);
    const { log } = this.#session;
    const events = log.recentAfter(this.position);
    return events ? this.#deliver(events) : log.pageAfter(this.position).then((page) => this.#deliver(page));
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
    if (receiving) return receiving.then(() => this.#received());
    return this.#received();
  }

  #received(): Promise<void> | undefined {
    this.#settle();
    return this.#deliverChange();
  }

  /** Whether the answer to `session/new` already contains an event. */
  #isInAnswer({ sequence, event }: LoggedEvent): boolean {
    return this.#begins && sequence <= this.#historyEnd && event.type !== 'update';
  }

  /** After a page: what is not in the log. */
  #deliverChange(): Promise<void> | undefined {
    const { waiting, shownState: state } = this.#session;
    const isOther = waiting !== this.#receivedWaiting || state !== this.#receivedState;
    if (!isOther || this.#pausedAt !== Infinity || !this.subscriber.changed) return this.#deliveredAll();
    const receiving = this.subscriber.changed({
      ...(waiting !== this.#receivedWaiting && { waiting }),
      ...(state !== this.#receivedState && { state }),
    });
    this.#receivedWaiting = waiting;
    this.#receivedState = state;
    return receiving ? receiving.then(() => this.#deliveredAll()) : this.#deliveredAll();
  }

  #deliveredAll(): undefined {
    // The next page follows at once.
    if (this.#isDue) return;
    this.#isLive = this.#pausedAt === Infinity;
    if (this.isCaughtUp) this.#session.caughtUp(this);
  }

  #settle(): void {
    if (this.#waiters.length === 0) return;
    const isReached = (sequence: number): boolean => this.#isEnded || this.has(sequence);
    for (const { sequence, resolve } of this.#waiters) if (isReached(sequence)) resolve();
    const left = this.#waiters.filter(({ sequence }) => !isReached(sequence));
    this.#waiters = left.length === 0 ? noWaiters : left;
  }
}
