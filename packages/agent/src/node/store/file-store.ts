import { chmod, type FileHandle, mkdir, open, readdir, readFile, stat } from 'node:fs/promises';
import { hostname } from 'node:os';
import { isAbsolute } from 'node:path';
import { entryPath, FileLock, isEntryName, removeEntry, waitForLock } from '@turnwire/machine';
import { TurnwireError } from '@turnwire/protocol';
import { FileJournal } from './file-journal.ts';
import { readHeader, readTitle } from './file-ends.ts';
import { headerLine, parseLines } from '../../store/session-lines.ts';
import {
  cursorAfter,
  isSameFolder,
  newestFirst,
  type ListPosition,
  positionOfCursor,
} from '../../store/session-order.ts';
import type {
  OpenedSession,
  ReadSession,
  SessionHeader,
  SessionJournal,
  SessionPage,
  SessionQuery,
  SessionStore,
  StoredSession,
} from '../../store/session-store.ts';

/** Options of a {@link sessionStore}. All have defaults. */
export interface SessionStoreOptions {
  /** Sessions per page of a list. Default 50. */
  readonly pageSize?: number | undefined;
  /**
   * Milliseconds to wait for a session that is still open elsewhere: a client that reconnects is often faster than the end of its former
   * connection. Default 3,000.
   */
  readonly openTimeout?: number | undefined;
}

/**
 * Stores sessions in a folder, one file each: `ID.jsonl`, a line of JSON for the header and for every entry. Files are append-only, so a
 * crash loses at most the line that was being written. One process at a time writes a session, which `ID.jsonl.lock` names; the lock of a
 * process that has ended is ignored. Only the user may read the files (0600) and the folder, which is created when it is needed (0700). A
 * file whose name differs from the id inside is ignored.
 *
 * @param folder an absolute path
 * @throws TurnwireError `invalid-input` if it is relative
 */
export function sessionStore(folder: string, options: SessionStoreOptions = {}): SessionStore {
  if (!isAbsolute(folder))
    throw new TurnwireError('invalid-input', `${folder} is relative: pass the absolute path of the session folder`);
  return new FileStore(folder, options);
}

const extension = '.jsonl';

/** The lock for writing a session's file; a placeholder if the file system refuses the lock. */
type SessionLock = FileLock | { readonly release: () => Promise<void> };

/** The end of a session's file when it was read. */
interface FileEnd {
  /** Size in bytes. */
  readonly size: number;
  /** The last line is incomplete. */
  readonly isTorn: boolean;
}

class FileStore implements SessionStore {
  readonly #folder: string;
  readonly #pageSize: number;
  readonly #openTimeout: number;
  /** Cached, because headers never change. */
  readonly #headers = new Map<string, SessionHeader>();

  constructor(folder: string, { pageSize = 50, openTimeout = 3_000 }: SessionStoreOptions) {
    this.#folder = folder;
    this.#pageSize = pageSize;
    this.#openTimeout = openTimeout;
  }

  async create(header: SessionHeader): Promise<SessionJournal> {
    if (!isEntryName(header.id))
      throw new TurnwireError(
        'invalid-input',
        `${header.id} cannot be used as the name of a session file: use letters, digits, - and _`,
      );
    const made = await mkdir(this.#folder, { recursive: true, mode: 0o700 });
    // The mode of `mkdir` is subject to the umask, which may be too strict.
    if (made !== undefined) await chmod(this.#folder, 0o700);
    const lock = await this.#lock(header.id);
    try {
      const file = await this.#begin(header);
      return new FileJournal({ file, lock, size: (await file.stat()).size, isTorn: false });
    } catch (error) {
      await lock.release();
      throw error;
    }
  }

  async open(id: string): Promise<OpenedSession | undefined> {
    if (!(await this.#has(id))) return undefined;
    const lock = await this.#lock(id).catch(unwritable);
    try {
      const bytes = await readFile(this.#path(id));
      const text = bytes.toString();
      const lines = parseLines(text);
      const end: FileEnd = { size: bytes.length, isTorn: !text.endsWith('\n') };
      if (lines?.header.id === id) return { ...lines, journal: await this.#continue(id, lock, end) };
    } catch (error) {
      await lock.release();
      throw error;
    }
    await lock.release();
    return undefined;
  }

  async read(id: string): Promise<ReadSession | undefined> {
    if (!(await this.#has(id))) return undefined;
    const lines = parseLines(await readFile(this.#path(id), 'utf8'));
    return lines?.header.id === id ? lines : undefined;
  }

  async list({ cwd, cursor }: SessionQuery): Promise<SessionPage> {
    const after = cursor === undefined ? undefined : positionOfCursor(cursor);
    const positions = (await this.#positions()).filter(
      (position) => after === undefined || newestFirst(after, position) < 0,
    );
    const page: { readonly position: ListPosition; readonly header: SessionHeader }[] = [];
    for (const position of positions) {
      const header = await this.#header(position.id);
      if (header === undefined || (cwd !== undefined && !isSameFolder(header.cwd, cwd))) continue;
      if (page.length === this.#pageSize) return this.#page(page, true);
      page.push({ position, header });
    }
    return this.#page(page, false);
  }

  async delete(id: string): Promise<void> {
    if (!(await this.#has(id))) return;
    const lock = await this.#lock(id).catch(unwritable);
    try {
      await removeEntry(this.#folder, `${id}${extension}`);
      this.#headers.delete(id);
    } finally {
      await lock.release();
    }
  }

  async #continue(id: string, lock: SessionLock, end: FileEnd): Promise<SessionJournal> {
    try {
      if (lock instanceof FileLock) return await this.#journal(id, lock, end);
    } catch {
      // The first append fails with the reason again.
    }
    await lock.release();
    return this.#journalLater(id, end);
  }

  /** @throws Error if the file has changed since it was read */
  async #journal(id: string, lock: FileLock, { size, isTorn }: FileEnd): Promise<SessionJournal> {
    const file = await open(this.#path(id), 'a', 0o600);
    if ((await file.stat()).size === size) return new FileJournal({ file, lock, size, isTorn });
    await file.close();
    throw new Error(`Session ${id} was changed by another process in the meantime`);
  }

  /** A journal for a session that is not writable now: every append retries. */
  #journalLater(id: string, end: FileEnd): SessionJournal {
    let journal: SessionJournal | undefined;
    const begun = async (): Promise<SessionJournal> => {
      const lock = await this.#lock(id);
      try {
        return await this.#journal(id, lock, end);
      } catch (error) {
        await lock.release();
        throw error;
      }
    };
    return {
      append: async (entry) => {
        journal ??= await begun();
        await journal.append(entry);
      },
      close: async () => journal?.close(),
    };
  }

  async #begin(header: SessionHeader): Promise<FileHandle> {
    const path = this.#path(header.id);
    const file = await open(path, 'ax', 0o600);
    try {
      await file.appendFile(headerLine(header));
      return file;
    } catch (error) {
      await file.close();
      await removeEntry(this.#folder, `${header.id}${extension}`);
      throw error;
    }
  }

  async #page(
    found: readonly { readonly position: ListPosition; readonly header: SessionHeader }[],
    hasMore: boolean,
  ): Promise<SessionPage> {
    const last = found.at(-1);
    return {
      sessions: await Promise.all(found.map(({ position, header }) => this.#listed(header, position.time))),
      ...(hasMore && last !== undefined && { nextCursor: cursorAfter(last.position) }),
    };
  }

  async #listed({ title: first, ...header }: SessionHeader, time: number): Promise<StoredSession> {
    const latest = await readTitle(this.#path(header.id));
    const title = latest === undefined ? first : (latest ?? undefined);
    return { ...header, ...(title !== undefined && { title }), updatedAt: new Date(time).toISOString() };
  }

  async #positions(): Promise<readonly ListPosition[]> {
    const names = await readdir(this.#folder).catch(() => []);
    const ids = names
      .filter((name) => name.endsWith(extension))
      .map((name) => name.slice(0, -extension.length))
      .filter(isEntryName);
    const positions = await Promise.all(
      ids.map(async (id) => {
        const found = await stat(this.#path(id)).catch(() => undefined);
        return found === undefined ? [] : [{ id, time: found.mtimeMs }];
      }),
    );
    return positions.flat().toSorted(newestFirst);
  }

  async #header(id: string): Promise<SessionHeader | undefined> {
    const known = this.#headers.get(id);
    if (known !== undefined) return known;
    const header = await readHeader(this.#path(id));
    // A file that was copied under another name is not a session of that name.
    if (header?.id !== id) return undefined;
    this.#headers.set(id, header);
    return header;
  }

  async #has(id: string): Promise<boolean> {
    return isEntryName(id) && (await stat(this.#path(id)).catch(() => undefined)) !== undefined;
  }

  async #lock(id: string): Promise<FileLock> {
    const lock = await waitForLock(entryPath(this.#folder, `${id}${extension}.lock`), this.#openTimeout);
    if (!(lock instanceof FileLock)) throw sessionInUse(id, lock);
    return lock;
  }

  #path(id: string): string {
    return entryPath(this.#folder, `${id}${extension}`);
  }
}

/** @param holder the process that has it open */
function sessionInUse(id: string, { pid, host }: { readonly pid: number; readonly host: string }): TurnwireError {
  const isHere = host === hostname();
  const who = isHere && pid === process.pid ? 'this process' : `process ${pid}${isHere ? '' : ` on ${host}`}`;
  return new TurnwireError('invalid-input', `Session ${id} is in use by ${who}: close it there first`);
}

/** If a lock cannot be written, on a full disk for example, the session can still be read, or deleted to free space. */
function unwritable(failure: Error): SessionLock {
  if (!('syscall' in failure)) throw failure;
  return { release: () => Promise.resolve() };
}
