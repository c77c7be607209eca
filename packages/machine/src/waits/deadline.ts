import { after } from './after.ts';

/**
 * Aborts with another signal, or when its time is up, until it is disposed of. Not `AbortSignal.any` with `AbortSignal.timeout`: in Node 20
 * that signal may be collected as garbage before its time, and then it never aborts.
 */
export class Deadline implements Disposable {
  readonly signal: AbortSignal;
  readonly #timer: ReturnType<typeof setTimeout> | undefined;

  /**
   * @param milliseconds until the signal aborts; `Infinity`: only with the other one
   * @param reason of the abort after the timeout. Default: that of an `AbortController`
   */
  constructor(milliseconds: number, signal?: AbortSignal, reason?: unknown) {
    const timeUp = new AbortController();
    this.#timer = after(milliseconds, () => timeUp.abort(reason));
    this.signal = signal ? AbortSignal.any([signal, timeUp.signal]) : timeUp.signal;
  }

  /** Stops the clock. */
  [Symbol.dispose](): void {
    clearTimeout(this.#timer);
  }
}
