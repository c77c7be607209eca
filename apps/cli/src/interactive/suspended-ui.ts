/** Whether the UI is suspended, while other work, such as a login, uses the terminal. */
export class SuspendedUi {
  #work: AbortController | undefined;

  get isSuspended(): boolean {
    return this.#work !== undefined;
  }

  /**
   * Suspends the UI during other work, which ends when the signal aborts.
   * @param resume called afterwards, unless the chat is over: then the terminal is no longer its own
   */
  async during<Value>(work: (signal: AbortSignal) => Promise<Value>, resume: () => void): Promise<Value> {
    const ending = new AbortController();
    this.#work = ending;
    try {
      return await work(ending.signal);
    } finally {
      if (!ending.signal.aborted) {
        this.#work = undefined;
        resume();
      }
    }
  }

  /** Ends the other work for good. */
  stop(): void {
    this.#work?.abort();
  }
}
