import { Deadline } from '@turnwire/machine/waits';
import { type Answer, answerOf, type Question } from '@turnwire/permissions';
import { type EventAuthor, ProtocolError } from '@turnwire/protocol';
import type { SessionLog } from '../log/session-log.ts';
import type { SessionLimits } from '../session-limits.ts';
import type { Subscriber } from './subscriber.ts';
import type { Subscription } from './subscription.ts';

/** A question to the clients that control a session. */
export interface SessionQuestion<Answer> {
  /** Asks one client. Rejects with ProtocolError if it refuses to answer, with another error if it is gone. */
  readonly askOf: (subscriber: Subscriber, signal: AbortSignal) => Promise<Answer>;
  /** Whether a client in control answers such questions at all. The question waits for one that does. */
  readonly concerns: (subscriber: Subscriber) => boolean;
  /** Whether a client can answer this question. If no present client can, the question ends without an answer. */
  readonly fits: (subscriber: Subscriber) => boolean;
  /** Called if the question ends because no present client can answer it. */
  readonly onUnfit?: () => void;
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
  /** Clients have come or gone. */
  readonly clientsChanged: () => void;
}

/**
 * The questions of a session: one at a time, to every client that controls it. The first answer counts, and ends the question for the others.
 * A client is asked after it has received every event from before the question, so that it has seen what the question is about. Without
 * clients, a question waits for one until its timeout; then it has no answer. If the clients that can answer it are gone and only others are left,
 * it waits for a shorter time, since a page that is loaded again comes back at once.
 */
export class Questions {
  readonly #subscriptions: Iterable<Subscription>;
  readonly #log: SessionLog;
  readonly #limits: Pick<SessionLimits, 'question' | 'absence'>;
  #open: OpenQuestion | undefined;
  #last: Promise<unknown> = nothingAsked;
  #waiting = 0;
  /** The clients that answered for a permission, by the id of the tool call. */
  #authors: Map<string, EventAuthor> | undefined;

  constructor(
    subscriptions: Iterable<Subscription>,
    log: SessionLog,
    limits: Pick<SessionLimits, 'question' | 'absence'>,
  ) {
    this.#subscriptions = subscriptions;
    this.#log = log;
    this.#limits = limits;
  }

  /** The number of questions that are open or wait for their turn. */
  get size(): number {
    return this.#waiting;
  }

  /** Resolves with the first answer; with undefined after the timeout, after an abort, or if a client refused to answer. */
  ask<Answer>(question: SessionQuestion<Answer>): Promise<QuestionAnswer<Answer> | undefined> {
    this.#waiting++;
    const asked = this.#last.then(() => this.#ask(question));
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

  /** Asks the open question of a client that has received more events. */
  offerTo(subscription: Subscription): void {
    this.#open?.offerTo(subscription);
  }

  /** A client has subscribed, or its subscription has ended. */
  clientsChanged(): void {
    this.#open?.clientsChanged();
  }

  async #ask<Answer>({
    askOf,
    concerns,
    fits,
    onUnfit,
    signal,
  }: SessionQuestion<Answer>): Promise<QuestionAnswer<Answer> | undefined> {
    if (signal.aborted) return undefined;
    const answered = new AbortController();
    using deadline = new Deadline(this.#limits.question, AbortSignal.any([signal, answered.signal]));
    const asked = new Set<Subscription>();
    /** The last event from before the question, once it is stored. */
    let before: number | undefined;
    const mayAnswer = ({ subscriber }: Subscription): boolean => subscriber.role === 'control' && concerns(subscriber);
    const nobodyFits = (): boolean => {
      const present = [...this.#subscriptions].filter(mayAnswer);
      return present.length > 0 && !present.some(({ subscriber }) => fits(subscriber));
    };
    let absence: NodeJS.Timeout | undefined;
    return await new Promise<QuestionAnswer<Answer> | undefined>((resolve) => {
      const settle = (answer: QuestionAnswer<Answer> | undefined): void => {
        resolve(answer);
        answered.abort();
      };
      const offerTo = (subscription: Subscription): void => {
        const { subscriber } = subscription;
        if (before === undefined || !subscription.isLive || !subscription.has(before)) return;
        if (asked.has(subscription) || !mayAnswer(subscription) || !fits(subscriber)) return;
        asked.add(subscription);
        askOf(subscriber, deadline.signal).then(
          (answer) => settle({ answer, from: subscriber }),
          // A client that is gone may connect again: then it is another client.
          (error: unknown) => error instanceof ProtocolError && settle(undefined),
        );
      };
      const endUnfit = (): void => {
        onUnfit?.();
        settle(undefined);
      };
      const clientsChanged = (): void => {
        clearTimeout(absence);
        absence = nobodyFits() ? setTimeout(endUnfit, this.#limits.absence) : undefined;
      };
      deadline.signal.addEventListener('abort', () => settle(undefined), { once: true });
      this.#open = { offerTo, clientsChanged };
      if (nobodyFits()) return endUnfit();
      this.#log.onceStored(() => {
        before = this.#log.head.sequence;
        for (const subscription of this.#subscriptions) offerTo(subscription);
      });
    }).finally(() => {
      clearTimeout(absence);
      this.#open = undefined;
    });
  }
}
