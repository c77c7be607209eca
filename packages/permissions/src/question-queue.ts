import { untilAborted } from '@turnwire/machine/waits';
import type { Action, Answer, Asker, Decision, Question } from './permissions.ts';

/** How a question was settled. */
export type QuestionOutcome =
  | { readonly by: 'rules'; readonly decision: Decision }
  | { readonly by: 'user'; readonly answer: Answer }
  | { readonly by: 'nobody'; readonly reason: string };

interface Waiting {
  readonly question: Question;
  readonly settle: (outcome: QuestionOutcome) => void;
}

/** The reason for an outcome when the client has no user to ask. */
export const noUserToAsk = 'no user can be asked';

/** The queue of questions for a user. One is asked at a time, oldest first, and each is settled exactly once. */
export class QuestionQueue {
  readonly #asker: Asker | undefined;
  /** Set while a question waits. */
  #waiting: Set<Waiting> | undefined;
  #asking = false;
  #pending: readonly Question[] | undefined;

  constructor(asker: Asker | undefined) {
    this.#asker = asker;
  }

  /** Oldest first. */
  get pending(): readonly Question[] {
    return (this.#pending ??= [...(this.#waiting ?? [])].map(({ question }) => question));
  }

  /** Queues a question until a user, a rule or the end of the turn settles it. `make` receives the signal of the question. */
  wait(make: (signal: AbortSignal) => Question, signal: AbortSignal): Promise<QuestionOutcome> {
    if (!this.#asker) return Promise.resolve({ by: 'nobody', reason: noUserToAsk });
    if (signal.aborted) return Promise.resolve(withdrawn);
    return new Promise((resolve) => {
      const withdrawal = new AbortController();
      const withdraw = (): void => waiting.settle(withdrawn);
      const waiting: Waiting = {
        question: make(withdrawal.signal),
        settle: (outcome) => {
          if (!this.#waiting?.delete(waiting)) return;
          if (this.#waiting.size === 0) this.#waiting = undefined;
          this.#pending = undefined;
          signal.removeEventListener('abort', withdraw);
          resolve(outcome);
          withdrawal.abort();
        },
      };
      signal.addEventListener('abort', withdraw, { once: true });
      (this.#waiting ??= new Set()).add(waiting);
      this.#pending = undefined;
      this.#askNext();
    });
  }

  /** Settles the questions that the rules now answer. */
  judgeAgain(judge: (action: Action) => Decision): void {
    for (const { question, settle } of this.#waiting ?? []) {
      const decision = judge(question.action);
      if (decision.effect !== 'ask') settle({ by: 'rules', decision });
    }
  }

  /** Withdraws all questions of a session, or of all sessions. */
  withdraw(sessionId: string | undefined): void {
    for (const { question, settle } of this.#waiting ?? []) {
      if (sessionId === undefined || question.action.sessionId === sessionId) settle(withdrawn);
    }
  }

  #askNext(): void {
    const [next] = this.#asking ? [] : (this.#waiting ?? []);
    if (!next || !this.#asker) return;
    this.#asking = true;
    void this.#ask(next, this.#asker).then(() => {
      this.#asking = false;
      this.#askNext();
    });
  }

  /**
   * Asks one question. A withdrawn question frees the queue at once, even if the asker never returns. An asker that fails gives no answer.
   */
  async #ask({ question, settle }: Waiting, asker: Asker): Promise<void> {
    const asked = Promise.resolve()
      .then(() => asker(question))
      .then(
        (answer) => settle(outcomeOf(answer, question)),
        (error: unknown) =>
          settle({ by: 'nobody', reason: `asking failed: ${error instanceof Error ? error.message : String(error)}` }),
      );
    await untilAborted(asked, question.signal);
  }
}

/** The outcome of an answer. An option that was not offered is not an answer, even if it has the id of one that was. */
function outcomeOf(answer: Answer, { request: { options } }: Question): QuestionOutcome {
  if (answer && !options.includes(answer.option))
    return { by: 'nobody', reason: 'the answer is not one of the offered options' };
  return { by: 'user', answer };
}

const withdrawn: QuestionOutcome = { by: 'nobody', reason: 'the question was withdrawn before it was answered' };
