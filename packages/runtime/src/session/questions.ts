import { Deadline } from '@turnwire/machine/waits';
import { type Answer, answerOf, type Question } from '@turnwire/permissions';
import { type EventAuthor, ProtocolError } from '@turnwire/protocol';
import type { SessionLog } from '../log/session-log.ts';
import type { Subscriber } from './subscriber.ts';
import type { Subscription } from './subscription.ts';

/** A question to the clients that control a session. */
export interface SessionQuestion<Answer> {
  /** Asks one client. Rejects with ProtocolError if it refuses to answer, with another error if it is gone. */
  readonly askOf: (subscriber: Subscriber, signal: AbortSignal) => Promise<Answer>;
  /** Whether a client in control answers such questions at all. The question waits for one that does. */
  readonly concerns: (subscriber: Subscriber) => boolean;
  /** Whether a client can answer this question. If none of the present clients can, the question ends at once without an answer. */
  readonly fits: (subscriber: Subscriber) => boolean;
  /** Aborts when the answer no longer matters. */
  readonly signal: AbortSignal;
}

/** An answer, and its author. */
export interface QuestionAnswer<Answer> {
  readonly answer: Answer;
  readonly from: Subscriber;
}

const nothingAsked: Promise<void> = Promise.resolve();

/** An open question. */
interface OpenQuestion {
  readonly offerTo: (subscription: Subscription) => void;
}

/**
 * The questions of a session: one at a time, to every client that controls it. The first answer counts, and ends the question for the others.
 * Without clients, a question waits for one until its timeout; then it has no answer.
 */
export class Questions {
  readonly #subscriptions: Iterable<Subscription>;
  readonly #timeout: number;
  readonly #log: Pick<SessionLog, 'onceStored'>;
  #open: OpenQuestion | undefined;
  #last: Promise<unknown> = nothingAsked;
  #waiting = 0;
  /** The clients that answered for a permission, by the id of the tool call. */
  #authors: Map<string, EventAuthor> | undefined;

  /** @param options `timeout`: how long a question waits for an answer, in milliseconds */
  constructor(
    subscriptions: Iterable<Subscription>,
    { timeout, log }: { readonly timeout: number; readonly log: Pick<SessionLog, 'onceStored'> },
  ) {
    this.#subscriptions = subscriptions;
    this.#timeout = timeout;
    this.#log = log;
  }

  /** The number of questions that are open or wait for their turn. */
  get size(): number {
    return this.#waiting;
  }

  /** Resolves with the first answer; with undefined after the timeout, after an abort, or if a client refused to answer. */
  ask<Answer>(question: SessionQuestion<Answer>): Promise<QuestionAnswer<Answer> | undefined> {
    this.#waiting++;
    // Clients receive an event once it is stored, and the question must follow the events before it.
    const asked = Promise.all([this.#last, this.#stored(question.signal)]).then(() => this.#ask(question));
    this.#last = asked.catch(() => undefined);
    return asked.finally(() => void this.#waiting--);
  }

  /** Asks for a permission that the rules leave open. Resolves with the first answer; after the timeout with a rejection. */
  async askPermission(question: Question): Promise<Answer> {
    const { signal, view } = question;
    const answered = await this.ask({
      askOf: async ({ askPermission }, called) => askPermission?.(question, called),
      concerns: ({ askPermission }) => askPermission !== undefined,
      fits: () => true,
      signal,
    });
    if (answered) {
      (this.#authors ??= new Map()).set(view.toolCallId, answered.from.author);
      return answered.answer;
    }
    const rejection = view.choices.find(({ kind }) => kind === 'reject_once');
    return signal.aborted ? undefined : answerOf(question, rejection);
  }

  /** Takes the author of the answer about a tool call. */
  takeAuthor(toolCallId: string): EventAuthor | undefined {
    const author = this.#authors?.get(toolCallId);
    this.#authors?.delete(toolCallId);
    return author;
  }

  /** Asks the open question of a client that has received all events, so that it has seen the subject of the question. */
  offerTo(subscription: Subscription): void {
    this.#open?.offerTo(subscription);
  }

  /** Resolves when the events so far are stored, or the answer no longer matters. */
  #stored(signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      signal.addEventListener('abort', () => resolve(), { once: true });
      this.#log.onceStored(resolve);
    });
  }

  async #ask<Answer>({
    askOf,
    concerns,
    fits,
    signal,
  }: SessionQuestion<Answer>): Promise<QuestionAnswer<Answer> | undefined> {
    if (signal.aborted) return undefined;
    const answered = new AbortController();
    using deadline = new Deadline(this.#timeout, AbortSignal.any([signal, answered.signal]));
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
          // A client that is gone may connect again: then it is another client.
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
