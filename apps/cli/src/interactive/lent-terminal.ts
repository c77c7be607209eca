/** A terminal that is left to other work for a while: a login, say. */
export class LentTerminal {
  #work: AbortController | undefined;

  get isLent(): boolean {
    return this.#work !== undefined;
  }

  /**
   * Leaves the terminal to other work, which ends when the signal aborts.
   * @param takeBack called afterwards, unless the chat is over: the terminal is no longer its own then
   */
  async lend<Value>(work: (signal: AbortSignal) => Promise<Value>, takeBack: () => void): Promise<Value> {
    const lending = new AbortController();
    this.#work = lending;
    try {
      return await work(lending.signal);
    } finally {
      if (!lending.signal.aborted) {
        this.#work = undefined;
        takeBack();
      }
    }
  }

  /** Stops the other work for good. */
  stop(): void {
    this.#work?.abort();
  }
}
