/**
 * Runs a session's turns one after the other. A cancel is a watermark: it reaches the turns that are there, running or
 * waiting, and none that comes later.
 */
export class TurnQueue {
  readonly #turns = new Set<AbortController>();
  #last: Promise<unknown> = Promise.resolve();

  /** Turns that run or wait. */
  get size(): number {
    return this.#turns.size;
  }

  /**
   * Runs the work when all earlier turns are over. A turn cancelled while it waits is never run.
   * @param request aborting it cancels this turn alone
   * @returns what the work returned; undefined when it was not run
   */
  async run<Outcome>(
    request: AbortSignal,
    work: (signal: AbortSignal) => Promise<Outcome>,
  ): Promise<Outcome | undefined> {
    const turn = new AbortController();
    this.#turns.add(turn);
    const cancel = (): void => turn.abort(request.reason);
    if (request.aborted) cancel();
    else request.addEventListener('abort', cancel, { once: true });
    const earlier = this.#last;
    const outcome = this.#runAfter(earlier, turn.signal, work);
    this.#last = Promise.allSettled([earlier, outcome]).then(answersToLeave);
    try {
      return await outcome;
    } finally {
      request.removeEventListener('abort', cancel);
      this.#turns.delete(turn);
    }
  }

  /** Cancels every turn there is. */
  cancel(): void {
    for (const turn of this.#turns) turn.abort();
  }

  /** Resolves when every turn there is is over. */
  async idle(): Promise<void> {
    await this.#last;
  }

  async #runAfter<Outcome>(
    earlier: Promise<unknown>,
    signal: AbortSignal,
    work: (signal: AbortSignal) => Promise<Outcome>,
  ): Promise<Outcome | undefined> {
    await Promise.race([earlier, aborted(signal)]);
    return signal.aborted ? undefined : work(signal);
  }
}

/** The next turn begins when the answer of the last has been written, lest its updates come before. */
function answersToLeave(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
}
