import type { Log } from '@turnwire/protocol';
import type { SessionEntry, SessionJournal } from '../store/session-store.ts';

/** Characters of entries that may wait while storing fails. */
const mostWaiting = 32 * 2 ** 20;

/** A change in whether a session is stored. */
export type StoringChange =
  /** Storing fails for now: entries wait in memory and are retried with every new one. */
  | { readonly to: 'failing'; readonly error: unknown }
  /** Too many entries were waiting, so storing has stopped. */
  | { readonly to: 'given up'; readonly error: unknown }
  /** All waiting entries are stored. */
  | { readonly to: 'storing again' };

/** How a queue opens its journal, and its log. */
export interface EntryQueueParts {
  /** Called again after a failure. */
  readonly open: () => Promise<SessionJournal>;
  readonly log: Log;
  /** Default 32 Mi characters. */
  readonly mostWaiting?: number | undefined;
}

/** Writes entries to a journal in order. Entries that cannot be written wait, so that a full disk leaves no gap. */
export class EntryQueue {
  readonly #parts: EntryQueueParts;
  #journal: SessionJournal | undefined;
  /** As JSON, because callers may change an entry afterwards. */
  #waiting: string[] = [];
  #size = 0;
  #writing: Promise<void> | undefined;
  #state: 'storing' | 'failing' | 'given up' = 'storing';
  #change: StoringChange | undefined;
  #error: unknown;
  /** The user was notified of the failure. */
  #isFailureKnown = false;

  constructor(parts: EntryQueueParts) {
    this.#parts = parts;
  }

  /** True while every entry is stored, or is about to be. */
  get isStoring(): boolean {
    return this.#state === 'storing';
  }

  /** The latest change that the user was not notified of, if any. The caller notifies the user. */
  takeChange(): StoringChange | undefined {
    const change = this.#change;
    this.#change = undefined;
    if (change) this.#isFailureKnown = change.to !== 'storing again';
    return change;
  }

  /** Resolves when the entry is written, or has to wait. */
  async add(entry: SessionEntry): Promise<void> {
    if (this.#state === 'given up') return;
    try {
      const text = JSON.stringify(entry);
      this.#waiting.push(text);
      this.#size += text.length;
    } catch (error) {
      return this.#giveUp(error);
    }
    await this.write();
  }

  /** Retries the waiting entries once, and closes the journal. */
  async close(): Promise<void> {
    await this.write();
    if (this.#waiting.length > 0)
      this.#parts.log({ level: 'error', event: 'a session ended and its last entries could not be stored' });
    await this.#journal?.close();
  }

  /** Opens the journal and writes the waiting entries. Resolves when that is done or has failed. */
  write(): Promise<void> {
    if (this.#state === 'given up') return Promise.resolve();
    this.#writing ??= this.#writeAll();
    return this.#writing;
  }

  async #writeAll(): Promise<void> {
    // Entries of the same turn of the event loop are written together, and `#writing` is assigned before it is cleared below.
    await Promise.resolve();
    let written = 0;
    try {
      this.#journal ??= await this.#parts.open();
      for (; written < this.#waiting.length; written++)
        await this.#journal.append(JSON.parse(this.#waiting[written] as string) as SessionEntry);
    } catch (error) {
      this.#failed(error);
    }
    // Nothing is awaited from here on: the next entry starts a new write.
    this.#writing = undefined;
    const done = this.#waiting.splice(0, written);
    this.#size -= done.reduce((sum, { length }) => sum + length, 0);
    if (this.#waiting.length === 0 && this.#journal) {
      if (this.#state !== 'failing') return;
      this.#state = 'storing';
      this.#change = this.#isFailureKnown ? { to: 'storing again' } : undefined;
      this.#parts.log({ level: 'info', event: 'the session is stored again' });
    } else if (this.#size > (this.#parts.mostWaiting ?? mostWaiting)) this.#giveUp(this.#error);
  }

  #failed(error: unknown): void {
    this.#error = error;
    if (this.#state !== 'storing') return;
    this.#state = 'failing';
    this.#change = { to: 'failing', error };
    this.#parts.log({
      level: 'error',
      event: 'the session cannot be stored at the moment; it continues in memory',
      error,
    });
  }

  #giveUp(error: unknown): void {
    this.#state = 'given up';
    this.#waiting = [];
    this.#size = 0;
    this.#change = { to: 'given up', error };
    this.#parts.log({ level: 'error', event: 'the session can no longer be stored; it continues in memory', error });
  }
}
