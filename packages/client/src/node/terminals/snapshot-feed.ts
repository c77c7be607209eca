import type { TerminalSnapshot } from '../../host/host.ts';

/** Milliseconds between two snapshots of a terminal: about one frame of a screen. */
const pause = 16;

/** The listeners of all terminals. */
export class SnapshotFeed {
  #listeners: readonly ((snapshot: TerminalSnapshot) => void)[] = [];

  /** Returns a function that removes the listener. */
  watch(listener: (snapshot: TerminalSnapshot) => void): () => void {
    // Wrapped, so that each registration of the same function counts.
    const own = (snapshot: TerminalSnapshot): void => listener(snapshot);
    // Concatenation allocates exactly: most terminals have one listener, and a spread reserves space for sixteen more.
    this.#listeners = this.#listeners.concat(own);
    return () => void (this.#listeners = this.#listeners.filter((each) => each !== own));
  }

  /** Publishes changes of one terminal, with a pause between two of them. The last one is always published. */
  channel(snapshot: () => TerminalSnapshot): SnapshotChannel {
    return new SnapshotChannel(() => {
      if (this.#listeners.length === 0) return;
      const now = snapshot();
      for (const listener of this.#listeners) listener(now);
    });
  }
}

/** Publishes the changes of one terminal. */
export class SnapshotChannel {
  readonly #publish: () => void;
  #timer: NodeJS.Timeout | undefined;

  constructor(publish: () => void) {
    this.#publish = publish;
  }

  /** Publishes a change soon. */
  changed(): void {
    this.#timer ??= setTimeout(() => this.flush(), pause);
  }

  /** Publishes pending changes now. */
  flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#publish();
  }
}
