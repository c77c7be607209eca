/** The silence after which a stream counts as read, and the time limit for that, in milliseconds. */
const [quiet, timeout] = [50, 2_000];

/** Counts the frames of a session's stream that have arrived. */
export class StreamProgress {
  #received = 0;
  readonly #arrived: (() => void)[] = [];
  #isOver = false;

  /** A frame was delivered. */
  count(): void {
    this.#received += 1;
    this.#wake();
  }

  /** The stream has ended. */
  end(): void {
    this.#isOver = true;
    this.#wake();
  }

  /** Resolves when that many frames have been delivered, or the stream has ended. */
  async reached(frames: number): Promise<void> {
    while (this.#received < frames && !this.#isOver) await this.#next();
  }

  /** Resolves after a moment of silence, for servers that do not report how many frames they have sent. */
  async settled(): Promise<void> {
    const latest = Date.now() + timeout;
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
