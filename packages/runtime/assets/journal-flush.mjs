// @ts-check
// Run as it is, like sqlite-worker.mjs, which imports it.
import { open } from 'node:fs/promises';

/** Pages of the journal after which they are flushed: a mebibyte. */
const flushedPages = 256;

/**
 * Flushes the journal (WAL) of a database to the disk while its thread works on. SQLite does that when it moves the journal into the database,
 * and every call waits for it: it then finds most of it on the disk already. What is stored is the same with it and without it.
 */
export class JournalFlush {
  /** @readonly */
  #file;
  #pages = 0;
  #isFlushing = false;

  /** @param {{ datasync(): Promise<void>, close(): Promise<void> }} file */
  constructor(file) {
    this.#file = file;
  }

  /**
   * For the database at a path; undefined if each transaction is flushed anyway, or the journal cannot be opened.
   * @param {{ readonly path: string, readonly durability: 'process' | 'disk' }} place
   */
  static async of({ path, durability }) {
    if (durability === 'disk') return undefined;
    const file = await open(`${path}-wal`, 'r+').catch(() => undefined);
    return file && new JournalFlush(file);
  }

  /**
   * A transaction is over that did so many calls: about as many pages were written, one at least.
   * @param {number} calls
   */
  written(calls) {
    this.#pages += calls + 1;
    if (this.#pages < flushedPages || this.#isFlushing) return;
    this.#pages = 0;
    this.#isFlushing = true;
    // A disk that fails is reported by SQLite, which flushes what has to be.
    void this.#file
      .datasync()
      .catch(() => undefined)
      .then(() => (this.#isFlushing = false));
  }

  /** Resolves when what is under way is done. */
  async close() {
    await this.#file.close().catch(() => undefined);
  }
}
