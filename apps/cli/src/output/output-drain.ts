import type { Output } from '../terminal/output.ts';

/** Waits for the reader of an output. Without the wait, text that is printed faster than it is read would fill our memory. */
export class OutputDrain {
  readonly #output: Output;
  readonly #stopped: AbortSignal;
  #waiting: Promise<void> | undefined;

  /** @param stopped ends the wait, because a reader that does not read must not keep us from exiting */
  constructor(output: Output, stopped: AbortSignal) {
    this.#output = output;
    this.#stopped = stopped;
  }

  /** Undefined if the output is ready; otherwise a promise that resolves when it is ready or closed. */
  wait(): Promise<void> | undefined {
    if (!this.#output.isBusy || this.#stopped.aborted) return undefined;
    return (this.#waiting ??= this.#untilDrained());
  }

  async #untilDrained(): Promise<void> {
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
