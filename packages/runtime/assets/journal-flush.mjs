// @ts-check
// Run as it is, like sqlite-worker.mjs, which imports it.
import { open } from 'node:fs/promises';

/** Pages of the journal after which they are flushed: a mebibyte. */
const flushedPages = 256;

/**
 * Flushes the journal (WAL) of a database to the disk while its thread works on. SQLite does that when it moves the journal into the database, and
 * every call waits for it: then most of the journal is on the disk already. The stored data is the same with and without this flush.
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
   * Flushes the journal of the database at a path. Resolves with undefined if each transaction is flushed anyway, or the journal cannot be opened.
   * @param {{ readonly path: string, readonly durability: 'process' | 'disk' }} place
   */
  static async of({ path, durability }) {
    if (durability === 'disk') return undefined;
    const file = await open(`${path}-wal`, 'r+').catch(() => undefined);
    return file && new JournalFlush(file);
  }

  /**
   * Records a transaction with a number of calls: it wrote about as many pages, but at least one.
   * @param {number} calls
   */
  written(calls) {
    this.#pages += calls + 1;
    if (this.#pages < flushedPages || this.#isFlushing) return;
    this.#pages = 0;
    this.#isFlushing = true;
    // SQLite reports a failing disk: it flushes the pages that must be flushed.
    void this.#file
      .datasync()
      .catch(() => undefined)
      .then(() => (this.#isFlushing = false));
  }

  /** Closes the file. */
  async close() {
    await this.#file.close().catch(() => undefined);
  }
}
