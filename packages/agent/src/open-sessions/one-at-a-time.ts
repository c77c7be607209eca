/** Runs the operations on one session in sequence, and those on different sessions in parallel. */
export class OneAtATime {
  readonly #last = new Map<string, Promise<unknown>>();

  /** Runs the operation immediately if no other is running for this session, else after that one has succeeded or failed. */
  async run<Value>(sessionId: string, work: () => Promise<Value>): Promise<Value> {
    const earlier = this.#last.get(sessionId);
    const done = earlier === undefined ? work() : earlier.then(work, work);
    this.#last.set(sessionId, done);
    try {
      return await done;
    } finally {
      if (this.#last.get(sessionId) === done) this.#last.delete(sessionId);
    }
  }
}
