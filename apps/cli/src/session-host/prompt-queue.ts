import type { PromptOutcome } from './host-protocol.ts';
import type { PromptJob } from './prompt-job.ts';

interface Waiting {
  readonly job: PromptJob;
  readonly resolve: (outcome: PromptOutcome) => void;
  readonly reject: (error: unknown) => void;
}

/** Runs the prompts of one session one after the other. */
export class PromptQueue {
  readonly #run: (job: PromptJob) => Promise<PromptOutcome>;
  #running: Waiting | undefined;
  #waiting: Waiting[] = [];
  #isClosed = false;
  /** Called when the queue is empty. */
  onIdle: () => void = () => undefined;

  constructor(run: (job: PromptJob) => Promise<PromptOutcome>) {
    this.#run = run;
  }

  get running(): PromptJob | undefined {
    return this.#running?.job;
  }

  /** The subscriber to current events. */
  get listening(): PromptJob | undefined {
    return this.#running?.job ?? this.#waiting[0]?.job;
  }

  /** Prompts that have not started. */
  get length(): number {
    return this.#waiting.length;
  }

  get isIdle(): boolean {
    return this.#running === undefined && this.#waiting.length === 0;
  }

  /** Resolves when its turn is over. */
  add(job: PromptJob): Promise<PromptOutcome> {
    if (this.#isClosed) return Promise.reject(new Error('the session is being closed'));
    return new Promise((resolve, reject) => {
      this.#waiting.push({ job, resolve, reject });
      this.#next();
    });
  }

  /** Cancels a prompt, or the running one. Returns false if there is none. */
  cancel(promptId?: string): boolean {
    const all = [...(this.#running ? [this.#running] : []), ...this.#waiting];
    const found = promptId === undefined ? this.#running : all.find(({ job }) => job.order.promptId === promptId);
    if (!found) return false;
    found.job.cancel();
    if (found !== this.#running) {
      this.#waiting = this.#waiting.filter((each) => each !== found);
      found.resolve(found.job.outcome('cancelled'));
    }
    return true;
  }

  /** Cancels everything and accepts nothing more. */
  close(): void {
    this.#isClosed = true;
    for (const { job } of [...this.#waiting]) this.cancel(job.order.promptId);
    this.#running?.job.cancel();
  }

  #next(): void {
    if (this.#running) return;
    this.#running = this.#waiting.shift();
    if (!this.#running) return this.onIdle();
    void this.#finish(this.#running);
  }

  async #finish(waiting: Waiting): Promise<void> {
    try {
      waiting.resolve(await this.#run(waiting.job));
    } catch (error) {
      waiting.reject(error);
    }
    this.#running = undefined;
    this.#next();
  }
}
