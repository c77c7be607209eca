/** Writes nobody waits for while a command runs. They are waited for before the process ends, or what they write would be lost. */
export class PendingWrites {
  readonly #writes = new Set<Promise<void>>();

  /** @param write never rejects */
  add(write: Promise<void>): void {
    this.#writes.add(write);
    void write.then(() => this.#writes.delete(write));
  }

  /** Resolves when nothing is being written any more. */
  async settled(): Promise<void> {
    await Promise.all(this.#writes);
  }
}

/** The decisions of this process that are on their way to the disk. */
export const decisionWrites: PendingWrites = new PendingWrites();
