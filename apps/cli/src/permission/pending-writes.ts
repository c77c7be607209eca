/** The background writes of a command. The process waits for them before it ends, because they would be lost. */
export class PendingWrites {
  readonly #writes = new Set<Promise<void>>();

  /** @param write never rejects */
  add(write: Promise<void>): void {
    this.#writes.add(write);
    void write.then(() => this.#writes.delete(write));
  }

  /** Resolves when all writes have finished. */
  async settled(): Promise<void> {
    await Promise.all(this.#writes);
  }
}

/** The decisions of this process that are still being written. */
export const decisionWrites: PendingWrites = new PendingWrites();
