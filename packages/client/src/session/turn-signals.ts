/** Work for the agent, and what to answer if it is withdrawn. */
export interface Withdrawable<Value> {
  readonly work: (signal: AbortSignal) => Value | Promise<Value>;
  /** The answer; or it throws the error to answer with. */
  readonly withdrawn: () => Value;
}

/** Lets work for the agent be withdrawn when the agent takes its request back, or when the turn is cancelled or over. */
export class TurnSignals {
  readonly #open = new Set<AbortController>();

  /** Waits for the work until it is withdrawn, and then no longer, whatever becomes of it. */
  async run<Value>(signal: AbortSignal, { work, withdrawn }: Withdrawable<Value>): Promise<Value> {
    const moot = new AbortController();
    const abort = (): void => moot.abort(signal.reason);
    if (signal.aborted) abort();
    signal.addEventListener('abort', abort, { once: true });
    this.#open.add(moot);
    try {
      return await Promise.race([work(moot.signal), onAbort(moot.signal, withdrawn)]);
    } finally {
      signal.removeEventListener('abort', abort);
      this.#open.delete(moot);
    }
  }

  abortAll(): void {
    for (const moot of this.#open) moot.abort();
  }
}

function onAbort<Value>(signal: AbortSignal, value: () => Value): Promise<Value> {
  return new Promise<void>((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  }).then(value);
}
