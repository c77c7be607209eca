import type { Log } from '@turnwire/protocol';
import type { SessionEntry, SessionJournal } from '../store/session-store.ts';

/** Characters of entries that may wait for a disk that takes none. */
const mostWaiting = 32 * 2 ** 20;

/** What became of the storing of a session. */
export type StoringChange =
  /** It fails for now: what is said waits in memory, and is tried again with everything that comes. */
  | { readonly to: 'failing'; readonly error: unknown }
  /** More waited than may, so it is given up. */
  | { readonly to: 'given up'; readonly error: unknown }
  /** All that waited is stored. */
  | { readonly to: 'storing again' };

/** How a queue gets at what it writes to, and who hears of it. */
export interface EntryQueueParts {
  /** Called again when it failed. */
  readonly open: () => Promise<SessionJournal>;
  readonly log: Log;
  /** Default 32 Mi characters. */
  readonly mostWaiting?: number | undefined;
}

/** Writes entries to a journal in their order. What cannot be written waits until it can, so that a full disk leaves no gap. */
export class EntryQueue {
  readonly #parts: EntryQueueParts;
  #journal: SessionJournal | undefined;
  /** As JSON: whoever gave an entry may change it afterwards. */
  #waiting: string[] = [];
  #size = 0;
  #writing: Promise<void> | undefined;
  #state: 'storing' | 'failing' | 'given up' = 'storing';
  #change: StoringChange | undefined;
  #error: unknown;
  /** The user knows that it fails. */
  #isFailureKnown = false;

  constructor(parts: EntryQueueParts) {
    this.#parts = parts;
  }

  /** True while everything that was said is stored, or is about to be. */
  get isStoring(): boolean {
    return this.#state === 'storing';
  }

  /** What the user was not told yet, if there is something. Whoever takes it tells them. */
  takeChange(): StoringChange | undefined {
    const change = this.#change;
    this.#change = undefined;
    if (change) this.#isFailureKnown = change.to !== 'storing again';
    return change;
  }

  /** Begins to store, before there is an entry. Resolves when that is done or has failed. */
  begin(): Promise<void> {
    return this.#write();
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
    await this.#write();
  }

  /** Tries once more to write what waits, and lets go of the journal. */
  async close(): Promise<void> {
    await this.#write();
    if (this.#waiting.length > 0)
      this.#parts.log({ level: 'error', event: 'a session ended and its last entries could not be stored' });
    await this.#journal?.close();
  }

  #write(): Promise<void> {
    if (this.#state === 'given up') return Promise.resolve();
    this.#writing ??= this.#writeAll();
    return this.#writing;
  }

  async #writeAll(): Promise<void> {
    // What comes in the same turn of the event loop is written together, and the promise is kept before it is forgotten below.
    await Promise.resolve();
    let written = 0;
    try {
      this.#journal ??= await this.#parts.open();
      for (; written < this.#waiting.length; written++)
        await this.#journal.append(JSON.parse(this.#waiting[written] as string) as SessionEntry);
    } catch (error) {
      this.#failed(error);
    }
    // Nothing is awaited from here on: what is added next begins to be written anew.
    this.#writing = undefined;
    const done = this.#waiting.splice(0, written);
    this.#size -= done.reduce((sum, { length }) => sum + length, 0);
    if (this.#waiting.length === 0 && this.#journal) this.#caughtUp();
    else if (this.#size > (this.#parts.mostWaiting ?? mostWaiting)) this.#giveUp(this.#error);
  }

  #failed(error: unknown): void {
    this.#error = error;
    if (this.#state !== 'storing') return;
    this.#state = 'failing';
    this.#change = { to: 'failing', error };
    this.#parts.log({ level: 'error', event: 'the session cannot be stored for now; it continues without', error });
  }

  #caughtUp(): void {
    if (this.#state !== 'failing') return;
    this.#state = 'storing';
    this.#change = this.#isFailureKnown ? { to: 'storing again' } : undefined;
    this.#parts.log({ level: 'info', event: 'the session is stored again' });
  }

  #giveUp(error: unknown): void {
    this.#state = 'given up';
    this.#waiting = [];
    this.#size = 0;
    this.#change = { to: 'given up', error };
    this.#parts.log({ level: 'error', event: 'the session can no longer be stored; it continues without', error });
  }
}
