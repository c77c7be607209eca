/** How calls are answered together. */
export interface CallQueueOptions<Asked, Answer> {
  /** How many of the calls that wait go together, from the first one on: one at least. */
  readonly take: (waiting: readonly Asked[]) => number;
  /** Answers some of them, in their order: with a value each, or an error. It may reject instead, which answers all of them. */
  readonly answer: (calls: readonly Asked[]) => Promise<readonly (Answer | Error)[]>;
  /** How many times `answer` may run at the same time. Default 1: all calls are done in their order. */
  readonly atOnce?: number | undefined;
}

interface Waiting<Asked, Answer> {
  readonly asked: Asked;
  readonly resolve: (answer: Answer) => void;
  readonly reject: (error: unknown) => void;
}

/** Calls on their way to the database. While a statement runs others come in, and the next one answers all of these: that is what makes them cheap. */
export class CallQueue<Asked, Answer> {
  readonly #options: CallQueueOptions<Asked, Answer>;
  readonly #waiting: Waiting<Asked, Answer>[] = [];
  readonly #running = new Set<Promise<void>>();
  #active = 0;

  constructor(options: CallQueueOptions<Asked, Answer>) {
    this.#options = options;
  }

  ask(asked: Asked): Promise<Answer> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ asked, resolve, reject });
      if (this.#active >= (this.#options.atOnce ?? 1)) return;
      this.#active++;
      const running = this.#run().finally(() => this.#running.delete(running));
      this.#running.add(running);
    });
  }

  /** Resolves when everything that was asked is answered. */
  async settled(): Promise<void> {
    await Promise.all(this.#running);
  }

  async #run(): Promise<void> {
    // Calls of the same moment go together.
    await Promise.resolve();
    while (this.#waiting.length > 0) {
      const count = Math.max(1, this.#options.take(this.#waiting.map(({ asked }) => asked)));
      await this.#answer(this.#waiting.splice(0, count));
    }
    // At once: whoever asks next finds that nobody runs.
    this.#active--;
  }

  async #answer(calls: readonly Waiting<Asked, Answer>[]): Promise<void> {
    try {
      const answers = await this.#options.answer(calls.map(({ asked }) => asked));
      for (const [index, { resolve, reject }] of calls.entries()) {
        const answer = answers[index];
        if (answer instanceof Error) reject(answer);
        else resolve(answer as Answer);
      }
    } catch (error) {
      for (const { reject } of calls) reject(error);
    }
  }
}
