/** One promise shared by all senders that wait until more can be sent; it exists only while one waits. */
export class Room {
  #promise: Promise<void> | undefined;
  #resolve: (() => void) | undefined;

  wait(): Promise<void> {
    this.#promise ??= new Promise((resolve) => {
      this.#resolve = resolve;
    });
    return this.#promise;
  }

  release(): void {
    this.#resolve?.();
    this.#promise = undefined;
    this.#resolve = undefined;
  }
}
