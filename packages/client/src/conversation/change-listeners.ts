/** Tells listeners that something changed: once for all changes of one turn of the event loop. */
export class ChangeListeners {
  readonly #listeners = new Set<() => void>();
  #isDue = false;

  /** @returns how to stop hearing */
  add(listener: () => void): () => void {
    // A function may be added twice; each addition is its own.
    const own = (): void => listener();
    this.#listeners.add(own);
    return () => void this.#listeners.delete(own);
  }

  changed(): void {
    if (this.#isDue || this.#listeners.size === 0) return;
    this.#isDue = true;
    setTimeout(() => {
      this.#isDue = false;
      for (const listener of [...this.#listeners]) listener();
    });
  }
}
