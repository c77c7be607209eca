import { Deadline } from '@turnwire/machine/waits';
import { ProtocolError } from '@turnwire/protocol';
import type { Subscriber } from './subscriber.ts';
import type { Subscription } from './subscription.ts';

/** A question to whoever controls the session. */
export interface SessionQuestion<Answer> {
  /** Asks one client. Rejects with ProtocolError if it refuses to answer, with anything else if it is gone. */
  readonly askOf: (subscriber: Subscriber, signal: AbortSignal) => Promise<Answer>;
  /** Whether a client in control is one of those that answer such questions. Without any the question waits for one. */
  readonly concerns: (subscriber: Subscriber) => boolean;
  /** Whether a client can be asked this. With clients in control none of which can, there is no answer at once. */
  readonly fits: (subscriber: Subscriber) => boolean;
  /** Aborts when the answer no longer matters. */
  readonly signal: AbortSignal;
}

/** An answer, and who gave it. */
export interface QuestionAnswer<Answer> {
  readonly answer: Answer;
  readonly from: Subscriber;
}

const nothingAsked: Promise<void> = Promise.resolve();

/** A question that is open. */
interface OpenQuestion {
  readonly offerTo: (subscription: Subscription) => void;
}

/**
 * The questions of a session: one at a time, to every client that controls it. The first answer counts, and the others are called off. A
 * question waits for clients that come back, until its time is up; then it has no answer.
 */
export class Questions {
  readonly #subscriptions: Iterable<Subscription>;
  readonly #time: number;
  #open: OpenQuestion | undefined;
  #last: Promise<unknown> = nothingAsked;
  #waiting = 0;

  /** @param time how long a question waits for an answer, in milliseconds */
  constructor(subscriptions: Iterable<Subscription>, time: number) {
    this.#subscriptions = subscriptions;
    this.#time = time;
  }

  /** How many are open or wait for their turn. */
  get size(): number {
    return this.#waiting;
  }

  /** Resolves with the first answer; undefined if its time was up, it was called off, or a client refused to answer it. */
  ask<Answer>(question: SessionQuestion<Answer>): Promise<QuestionAnswer<Answer> | undefined> {
    this.#waiting++;
    const asked = this.#last.then(() => this.#ask(question));
    this.#last = asked.catch(() => undefined);
    return asked.finally(() => void this.#waiting--);
  }

  /** A client has come, and has seen what the question is about. */
  offerTo(subscription: Subscription): void {
    this.#open?.offerTo(subscription);
  }

  async #ask<Answer>({
    askOf,
    concerns,
    fits,
    signal,
  }: SessionQuestion<Answer>): Promise<QuestionAnswer<Answer> | undefined> {
    if (signal.aborted) return undefined;
    const answered = new AbortController();
    using deadline = new Deadline(this.#time, AbortSignal.any([signal, answered.signal]));
    const asked = new Set<Subscription>();
    const mayAnswer = ({ subscriber }: Subscription): boolean => subscriber.role === 'control' && concerns(subscriber);
    return await new Promise<QuestionAnswer<Answer> | undefined>((resolve) => {
      const settle = (answer: QuestionAnswer<Answer> | undefined): void => {
        resolve(answer);
        answered.abort();
      };
      const offerTo = (subscription: Subscription): void => {
        const { subscriber, isCaughtUp } = subscription;
        if (asked.has(subscription) || !mayAnswer(subscription) || !isCaughtUp || !fits(subscriber)) return;
        asked.add(subscription);
        askOf(subscriber, deadline.signal).then(
          (answer) => settle({ answer, from: subscriber }),
          // Whoever is gone may come back, and is another one then.
          (error: unknown) => error instanceof ProtocolError && settle(undefined),
        );
      };
      deadline.signal.addEventListener('abort', () => settle(undefined), { once: true });
      this.#open = { offerTo };
      const controlling = [...this.#subscriptions].filter(mayAnswer);
      if (controlling.length > 0 && !controlling.some(({ subscriber }) => fits(subscriber))) return settle(undefined);
      for (const subscription of controlling) offerTo(subscription);
    }).finally(() => (this.#open = undefined));
  }
}
