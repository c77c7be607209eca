import type { Writable } from 'node:stream';

/** Whether whoever reads an output keeps up. What is printed faster than it is read would wait in our memory. */
export class OutputRoom {
  readonly #output: Writable;
  readonly #stopped: AbortSignal;
  #waiting: Promise<void> | undefined;

  /** @param stopped once it aborts nobody waits: a reader that does not read must not keep us from ending */
  constructor(output: Writable, stopped: AbortSignal) {
    this.#output = output;
    this.#stopped = stopped;
  }

  /** Nothing while there is room; otherwise a promise that resolves when there is, or will never be. */
  wait(): Promise<void> | undefined {
    if (!this.#output.writableNeedDrain || this.#output.destroyed || this.#stopped.aborted) return undefined;
    return (this.#waiting ??= this.#untilRoom());
  }

  async #untilRoom(): Promise<void> {
    const ends = ['drain', 'error', 'close'];
    await new Promise<void>((resolve) => {
      const done = (): void => {
        for (const event of ends) this.#output.off(event, done);
        this.#stopped.removeEventListener('abort', done);
        resolve();
      };
      for (const event of ends) this.#output.on(event, done);
      this.#stopped.addEventListener('abort', done);
    });
    this.#waiting = undefined;
  }
}
