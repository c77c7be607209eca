/** Options of a {@link CallQueue}. */
export interface CallQueueOptions<Call, Answer> {
  /** The number of waiting calls to answer together, from the first one on: at least one. */
  readonly take: (waiting: readonly Call[]) => number;
  /** Answers some calls, in order: with a value or an error each. A rejection answers all of them. */
  readonly answer: (calls: readonly Call[]) => Promise<readonly (Answer | Error)[]>;
  /** The number of concurrent runs of `answer`. Default 1, which keeps the order of all calls. */
  readonly concurrency?: number | undefined;
}

interface Waiting<Call, Answer> {
  readonly call: Call;
  readonly resolve: (answer: Answer) => void;
  readonly reject: (error: unknown) => void;
}

/** Batches calls to the database: while one statement runs, further calls queue up, and the next statement answers all of them. */
export class CallQueue<Call, Answer> {
  readonly #options: CallQueueOptions<Call, Answer>;
  readonly #waiting: Waiting<Call, Answer>[] = [];
  readonly #running = new Set<Promise<void>>();
  #active = 0;

  constructor(options: CallQueueOptions<Call, Answer>) {
    this.#options = options;
  }

  add(call: Call): Promise<Answer> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ call, resolve, reject });
      if (this.#active >= (this.#options.concurrency ?? 1)) return;
      this.#active++;
      const running = this.#run().finally(() => this.#running.delete(running));
      this.#running.add(running);
    });
  }

  /** Resolves when all calls are answered. */
  async settled(): Promise<void> {
    await Promise.all(this.#running);
  }

  async #run(): Promise<void> {
    // Calls of the same tick go together.
    await Promise.resolve();
    while (this.#waiting.length > 0) {
      const count = Math.max(1, this.#options.take(this.#waiting.map(({ call }) => call)));
      await this.#answer(this.#waiting.splice(0, count));
    }
    // At once, so that the next call starts a new run.
    this.#active--;
  }

  async #answer(calls: readonly Waiting<Call, Answer>[]): Promise<void> {
    try {
      const answers = await this.#options.answer(calls.map(({ call }) => call));
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
