import type { Output } from '../terminal/output.ts';

/** Whether whoever reads an output keeps up. What is printed faster than it is read would wait in our memory. */
export class OutputDrain {
  readonly #output: Output;
  readonly #stopped: AbortSignal;
  #waiting: Promise<void> | undefined;

  /** @param stopped once it aborts nobody waits: a reader that does not read must not keep us from ending */
  constructor(output: Output, stopped: AbortSignal) {
    this.#output = output;
    this.#stopped = stopped;
  }

  /** Nothing while there is room; otherwise a promise that resolves when there is, or will never be. */
  wait(): Promise<void> | undefined {
    if (!this.#output.isBusy || this.#stopped.aborted) return undefined;
    return (this.#waiting ??= this.#untilRoom());
  }

  async #untilRoom(): Promise<void> {
    await new Promise<void>((resolve) => {
      const done = (): void => {
        for (const off of listening) off();
        this.#stopped.removeEventListener('abort', done);
        resolve();
      };
      const listening = (['drain', 'error', 'close'] as const).map((event) => this.#output.on(event, done));
      this.#stopped.addEventListener('abort', done);
    });
    this.#waiting = undefined;
  }
}
