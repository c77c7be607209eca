/** How long a call may take. */
export interface CallTimes {
  /** Milliseconds without progress. */
  readonly idle: number;
  /** Milliseconds in all. */
  readonly whole: number;
}

/**
 * Ends a call that shows no progress for too long, or that takes too long in all. While a user is asked something for it, no time passes.
 */
export class CallClock {
  readonly #times: CallTimes;
  readonly #controller = new AbortController();
  readonly #given: AbortSignal;
  readonly #giveUp = (): void => this.#controller.abort(this.#given.reason);
  #idle: NodeJS.Timeout | undefined;
  #wholeLeft: number;
  #whole: NodeJS.Timeout | undefined;
  #since = 0;
  #pauses = 0;
  #tooLong: string | undefined;

  /** @param given aborts when the call is no longer wanted */
  constructor(times: CallTimes, given: AbortSignal) {
    this.#times = times;
    this.#given = given;
    this.#wholeLeft = times.whole;
    if (given.aborted) this.#giveUp();
    else given.addEventListener('abort', this.#giveUp, { once: true });
    this.#run();
  }

  /** Aborts when the call is to end. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** Why the time is up, if it is. */
  get tooLong(): string | undefined {
    return this.#tooLong;
  }

  /** There is progress. */
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

  /** The call is over. */
  [Symbol.dispose](): void {
    this.#hold();
    this.#given.removeEventListener('abort', this.#giveUp);
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
