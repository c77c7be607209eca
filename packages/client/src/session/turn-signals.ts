import { unlessAborted } from '@turnwire/machine/waits';

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
    const own = new AbortController();
    const moot = AbortSignal.any([signal, own.signal]);
    this.#open.add(own);
    try {
      return await unlessAborted(Promise.resolve(work(moot)), moot);
    } catch (error) {
      if (moot.aborted) return withdrawn();
      throw error;
    } finally {
      this.#open.delete(own);
    }
  }

  abortAll(): void {
    for (const own of this.#open) own.abort();
  }
}
