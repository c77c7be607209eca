import type { JournalEntry } from './journal.ts';

interface Waiter {
  readonly fits: (entry: JournalEntry) => boolean;
  readonly settle: (entry: JournalEntry | undefined) => void;
}

/** Callers that wait for a line. */
export class Waiters {
  readonly #waiting = new Set<Waiter>();

  /** Resolves with the first line that matches; with undefined after a time limit in milliseconds, or at the end of the wire. */
  wait(fits: (entry: JournalEntry) => boolean, within: number): Promise<JournalEntry | undefined> {
    return new Promise((resolve) => {
      const settle = (entry: JournalEntry | undefined): void => {
        clearTimeout(timer);
        this.#waiting.delete(waiter);
        resolve(entry);
      };
      const waiter = { fits, settle };
      const timer = setTimeout(settle, within, undefined);
      this.#waiting.add(waiter);
    });
  }

  offer(entry: JournalEntry): void {
    for (const waiter of this.#waiting) if (waiter.fits(entry)) waiter.settle(entry);
  }

  end(): void {
    for (const waiter of this.#waiting) waiter.settle(undefined);
  }
}
