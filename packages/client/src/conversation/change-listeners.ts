/** Notifies listeners of changes: once for all changes in one turn of the event loop. */
export class ChangeListeners {
  #listeners: readonly (() => void)[] = [];
  #isDue = false;

  /** @returns a function that removes the listener */
  add(listener: () => void): () => void {
    // Wrapped, so that each registration of the same function counts.
    const own = (): void => listener();
    // An array of its length: most have one listener, and a spread makes room for sixteen more.
    this.#listeners = this.#listeners.concat(own);
    return () => void (this.#listeners = this.#listeners.filter((each) => each !== own));
  }

  changed(): void {
    if (this.#isDue || this.#listeners.length === 0) return;
    this.#isDue = true;
    setTimeout(() => {
      this.#isDue = false;
      for (const listener of this.#listeners) listener();
    });
  }
}
