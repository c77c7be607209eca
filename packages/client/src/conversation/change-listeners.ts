/** Notifies listeners of changes: once for all changes in one turn of the event loop. */
export class ChangeListeners {
  readonly #listeners = new Set<() => void>();
  #isDue = false;

  /** @returns a function that removes the listener */
  add(listener: () => void): () => void {
    // Wrapped, so that each registration of the same function counts.
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
