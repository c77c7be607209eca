/** One promise shared by everybody who waits for room; it exists only while somebody waits. */
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
