/** The time limits of a call. */
export interface CallTimes {
  /** Milliseconds without progress. */
  readonly idle: number;
  /** Milliseconds in total. */
  readonly whole: number;
}

/**
 * Aborts a call that shows no progress for too long, or takes too long in total. The clock stops while the user answers a question for it.
 */
export class CallClock {
  readonly #times: CallTimes;
  readonly #controller = new AbortController();
  /** Aborts when the call must end. */
  readonly signal: AbortSignal;
  #idle: NodeJS.Timeout | undefined;
  #wholeLeft: number;
  #whole: NodeJS.Timeout | undefined;
  #since = 0;
  #pauses = 0;
  #tooLong: string | undefined;

  /** @param outer aborts if the call is no longer wanted */
  constructor(times: CallTimes, outer: AbortSignal) {
    this.#times = times;
    this.signal = AbortSignal.any([outer, this.#controller.signal]);
    this.#wholeLeft = times.whole;
    this.#run();
  }

  /** The reason, if the time is up. */
  get tooLong(): string | undefined {
    return this.#tooLong;
  }

  /** Records progress. */
  touch(): void {
    if (this.#pauses > 0 || this.signal.aborted) return;
    clearTimeout(this.#idle);
    this.#waitIdle();
  }

  pause(): void {
    if (this.#pauses++ > 0) return;
    this.#hold();
    this.#wholeLeft -= Date.now() - this.#since;
  }

  resume(): void {
    if (--this.#pauses === 0 && !this.signal.aborted) this.#run();
  }

  /** Ends the clock with the call. */
  [Symbol.dispose](): void {
    this.#hold();
  }

  #run(): void {
    this.#since = Date.now();
    this.#waitIdle();
    this.#whole = setTimeout(() => this.#end(this.#times.whole), Math.max(0, this.#wholeLeft));
  }

  #waitIdle(): void {
    this.#idle = setTimeout(() => this.#end(this.#times.idle), this.#times.idle);
  }

  #hold(): void {
    clearTimeout(this.#idle);
    clearTimeout(this.#whole);
  }

  #end(limit: number): void {
    this.#tooLong = `it took longer than ${limit / 1000} s`;
    this.#controller.abort(new Error(this.#tooLong));
    this.#hold();
  }
}
