/** How long a stream has to be silent to count as read, in milliseconds, and how long that is waited for at most. */
const [quiet, patience] = [50, 2_000];

/** How many frames of a session's stream have arrived. */
export class StreamProgress {
  #received = 0;
  readonly #arrived: (() => void)[] = [];
  #isOver = false;

  /** A frame was delivered. */
  count(): void {
    this.#received += 1;
    this.#wake();
  }

  /** No more will arrive. */
  end(): void {
    this.#isOver = true;
    this.#wake();
  }

  /** Resolves when so many frames have been delivered, or none will follow. */
  async reached(frames: number): Promise<void> {
    while (this.#received < frames && !this.#isOver) await this.#next();
  }

  /** Resolves when nothing has arrived for a moment: a server that does not say how much it has sent. */
  async settled(): Promise<void> {
    const latest = Date.now() + patience;
    while (!this.#isOver && Date.now() < latest) {
      const before = this.#received;
      await new Promise((resolve) => setTimeout(resolve, quiet));
      if (this.#received === before) return;
    }
  }

  #next(): Promise<void> {
    return new Promise((resolve) => this.#arrived.push(resolve));
  }

  #wake(): void {
    for (const resolve of this.#arrived.splice(0)) resolve();
  }
}
