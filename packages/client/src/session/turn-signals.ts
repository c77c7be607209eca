import { unlessAborted } from '@turnwire/machine/waits';

/** A request of the agent, and the answer if it is withdrawn. */
export interface Withdrawable<Value> {
  readonly work: (signal: AbortSignal) => Value | Promise<Value>;
  /** Returns the answer, or throws the error to answer with. */
  readonly withdrawn: () => Value;
  /** Whether the request belongs to work that does not end with the turn. Default: it does. */
  readonly continues?: (() => boolean) | undefined;
}

/** Withdraws requests when the agent cancels them, or when the turn is cancelled or has ended. */
export class TurnSignals {
  #open: Map<AbortController, Withdrawable<never>['continues']> | undefined;

  /** Waits for the work until it is withdrawn; its later result is ignored. */
  async run<Value>(signal: AbortSignal, { work, withdrawn, continues }: Withdrawable<Value>): Promise<Value> {
    const withdrawal = new AbortController();
    const either = AbortSignal.any([signal, withdrawal.signal]);
    const open = (this.#open ??= new Map());
    open.set(withdrawal, continues);
    try {
      return await unlessAborted(Promise.resolve(work(either)), either);
    } catch (error) {
      if (either.aborted) return withdrawn();
      throw error;
    } finally {
      open.delete(withdrawal);
    }
  }

  /** Withdraws the requests of the turn, or all of them. */
  abort(isAll?: boolean): void {
    for (const [withdrawal, continues] of this.#open ?? []) if (isAll || !continues?.()) withdrawal.abort();
  }
}
