import type { FileHandle } from 'node:fs/promises';
import { entryLine } from './session-lines.ts';
import type { SessionLock } from './session-lock.ts';
import type { SessionEntry, SessionJournal } from './session-store.ts';

/** What a journal writes with. */
export interface FileJournalParts {
  /** Opened to append. */
  readonly file: FileHandle;
  readonly lock: SessionLock;
  /** True if the file does not end with a whole line. */
  readonly isTorn: boolean;
}

/** Adds lines to a session's file, one after the other. */
export class FileJournal implements SessionJournal {
  readonly #file: FileHandle;
  readonly #lock: SessionLock;
  #isTorn: boolean;
  #last: Promise<void> = Promise.resolve();
  #closed: Promise<void> | undefined;

  constructor({ file, lock, isTorn }: FileJournalParts) {
    this.#file = file;
    this.#lock = lock;
    this.#isTorn = isTorn;
  }

  append(entry: SessionEntry): Promise<void> {
    if (this.#closed !== undefined) return Promise.reject(new Error('The session was closed before this was written'));
    const line = entryLine(entry);
    const written = this.#last.then(() => this.#write(line, entry.type === 'end'));
    this.#last = written.catch(() => undefined);
    return written;
  }

  close(): Promise<void> {
    this.#closed ??= this.#last.then(() => this.#letGo());
    return this.#closed;
  }

  /** A line behind one that was torn begins with a line end, so that only the torn one is lost. */
  async #write(line: string, sync: boolean): Promise<void> {
    const text = this.#isTorn ? `\n${line}` : line;
    this.#isTorn = true;
    await this.#file.appendFile(text);
    this.#isTorn = false;
    // A turn that is over survives a power cut too.
    if (sync) await this.#file.datasync();
  }

  async #letGo(): Promise<void> {
    await this.#file.close().catch(() => undefined);
    await this.#lock.release();
  }
}
