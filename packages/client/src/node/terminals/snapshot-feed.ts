import type { TerminalSnapshot } from '../../host/host.ts';

/** Between two snapshots of one terminal, in milliseconds: once for every frame of a screen. */
const pause = 16;

/** Who watches terminals. */
export class SnapshotFeed {
  readonly #listeners = new Set<(snapshot: TerminalSnapshot) => void>();

  /** Returns how to stop hearing. */
  watch(listener: (snapshot: TerminalSnapshot) => void): () => void {
    // A listener of its own, so that one function that watches twice stops watching twice.
    const own = (snapshot: TerminalSnapshot): void => listener(snapshot);
    this.#listeners.add(own);
    return () => void this.#listeners.delete(own);
  }

  /** For one terminal: tells of its changes, with a pause between two of them. The last one is always told. */
  channel(snapshot: () => TerminalSnapshot): SnapshotChannel {
    return new SnapshotChannel(() => {
      if (this.#listeners.size === 0) return;
      const now = snapshot();
      for (const listener of this.#listeners) listener(now);
    });
  }
}

/** The changes of one terminal on their way to the watchers. */
export class SnapshotChannel {
  readonly #tell: () => void;
  #timer: NodeJS.Timeout | undefined;

  constructor(tell: () => void) {
    this.#tell = tell;
  }

  /** Something changed: tells soon. */
  changed(): void {
    this.#timer ??= setTimeout(() => this.flush(), pause);
  }

  /** Tells now, and no more of what changed before. */
  flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#tell();
  }
}
