/** The state of a terminal that other work, such as a login, uses for a while. */
export class LentTerminal {
  #work: AbortController | undefined;

  get isLent(): boolean {
    return this.#work !== undefined;
  }

  /**
   * Gives the terminal to other work, which ends when the signal aborts.
   * @param takeBack called afterwards, unless the chat is over: then the terminal is no longer its own
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

  /** Ends the other work for good. */
  stop(): void {
    this.#work?.abort();
  }
}
