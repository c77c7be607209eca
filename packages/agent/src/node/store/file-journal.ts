import type { FileHandle } from 'node:fs/promises';
import type { FileLock } from '@turnwire/machine';
import { entryLine } from '../../store/session-lines.ts';
import type { SessionEntry, SessionJournal } from '../../store/session-store.ts';

/** The inputs of a journal. */
export interface FileJournalParts {
  /** Opened for appending. */
  readonly file: FileHandle;
  readonly lock: Pick<FileLock, 'release'>;
  /** Size of the file in bytes. */
  readonly size: number;
  /** True if the last line of the file is incomplete. */
  readonly isTorn: boolean;
}

/** Appends lines to a session's file, in order. */
export class FileJournal implements SessionJournal {
  readonly #file: FileHandle;
  readonly #lock: Pick<FileLock, 'release'>;
  #isTorn: boolean;
  /** Bytes in the file, up to the end of the last line. */
  #size: number;
  #last: Promise<void> = Promise.resolve();
  #closed: Promise<void> | undefined;

  constructor({ file, lock, size, isTorn }: FileJournalParts) {
    this.#file = file;
    this.#lock = lock;
    this.#isTorn = isTorn;
    this.#size = size;
  }

  append(entry: SessionEntry): Promise<void> {
    if (this.#closed !== undefined)
      return Promise.reject(new Error('The session was closed before this entry was written'));
    const line = entryLine(entry);
    const written = this.#last.then(() => this.#write(line, entry.type === 'end'));
    this.#last = written.catch(() => undefined);
    return written;
  }

  close(): Promise<void> {
    this.#closed ??= this.#last.then(async () => {
      await this.#file.close().catch(() => undefined);
      await this.#lock.release();
    });
    return this.#closed;
  }

  /** Writes a newline first after an incomplete line, so that only that line is lost. A failed write is undone. */
  async #write(line: string, sync: boolean): Promise<void> {
    const bytes = Buffer.from(this.#isTorn ? `\n${line}` : line);
    try {
      await this.#file.appendFile(bytes);
      // The end of a turn survives a power failure too.
      if (sync) await this.#file.datasync();
    } catch (error) {
      await this.#file.truncate(this.#size).catch(() => (this.#isTorn = true));
      throw error;
    }
    this.#isTorn = false;
    this.#size += bytes.length;
  }
}
