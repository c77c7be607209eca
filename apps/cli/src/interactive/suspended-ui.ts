/** Suspends the UI while other work, such as a login, uses the terminal. */
export class SuspendedUi {
  #work: AbortController | undefined;

  get isSuspended(): boolean {
    return this.#work !== undefined;
  }

  /**
   * Suspends the UI during other work. The signal asks the work to end.
   * @param resume called afterwards, unless the chat has ended and released the terminal
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

  /** Ends the other work because the chat ends. */
  stop(): void {
    this.#work?.abort();
  }
}
