/** Does what is about one session one after the other, and what is about different ones side by side. */
export class OneAtATime {
  readonly #last = new Map<string, Promise<unknown>>();

  /** Does the work at once if nothing about this session is under way, else after it, however that ends. */
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
