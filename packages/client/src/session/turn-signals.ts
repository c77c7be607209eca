import { requestCancelled } from '@agentwire/protocol';

/** Lets work for the agent be withdrawn when the agent takes its request back, or when the turn is cancelled or over. */
export class TurnSignals {
  readonly #open = new Set<AbortController>();

  /** Waits for the work until it is withdrawn; rejects then, whatever becomes of the work. */
  async withdrawable<Value>(signal: AbortSignal, work: (signal: AbortSignal) => Promise<Value>): Promise<Value> {
    const moot = new AbortController();
    const abort = (): void => moot.abort(signal.reason);
    if (signal.aborted) abort();
    signal.addEventListener('abort', abort, { once: true });
    this.#open.add(moot);
    try {
      return await Promise.race([work(moot.signal), withdrawn(moot.signal)]);
    } finally {
      signal.removeEventListener('abort', abort);
      this.#open.delete(moot);
    }
  }

  abortAll(): void {
    for (const moot of this.#open) moot.abort();
  }
}

function withdrawn(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    const refuse = (): void => reject(requestCancelled());
    if (signal.aborted) refuse();
    else signal.addEventListener('abort', refuse, { once: true });
  });
}
