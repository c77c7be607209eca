import { chmod, type FileHandle, mkdir, open, readdir, readFile, stat } from 'node:fs/promises';
import { isAbsolute } from 'node:path';
import { entryPath, FileLock, isEntryName, removeEntry, takeLock } from '@turnwire/machine';
import { TurnwireError } from '@turnwire/protocol';
import { FileJournal } from './file-journal.ts';
import { readHeader, readTitle } from './file-ends.ts';
import { sessionInUse } from './session-in-use.ts';
import { headerLine, parseLines } from './session-lines.ts';
import { cursorAfter, isSameFolder, newestFirst, type Place, placeOfCursor } from './session-order.ts';
import type {
  OpenedSession,
  SessionHeader,
  SessionJournal,
  SessionPage,
  SessionQuery,
  SessionStore,
  StoredSession,
} from './session-store.ts';

/** How a {@link sessionStore} works. Everything has a default. */
export interface SessionStoreOptions {
  /** Sessions on a page of a list. Default 50. */
  readonly pageSize?: number | undefined;
}

/**
 * Keeps sessions in a folder, one file each: `ID.jsonl`, a line of JSON for the header and for every entry. Lines are only ever
 * added, so a crash loses at most the line that was being written. A session is written by one process at a time, which
 * `ID.jsonl.lock` names; the lock of a process that is gone is void. Files of sessions are for their owner alone (0600), and so is
 * the folder, which is made when it is needed (0700). A session whose id is not the name of its file is none.
 *
 * @param folder an absolute path
 * @throws TurnwireError `invalid-input` if it is relative
 */
export function sessionStore(folder: string, { pageSize = 50 }: SessionStoreOptions = {}): SessionStore {
  if (!isAbsolute(folder))
    throw new TurnwireError('invalid-input', `${folder} is relative: name the folder of the sessions from the root on`);
  return new FileStore(folder, pageSize);
}

const extension = '.jsonl';

/** The right to write a session's file, which one process has at a time; or what stands for it where it cannot be had. */
type SessionLock = FileLock | { readonly release: () => Promise<void> };

/** How a session's file ended when it was read. */
interface FileEnd {
  /** In bytes. */
  readonly size: number;
  /** It does not end with a whole line. */
  readonly isTorn: boolean;
}

class FileStore implements SessionStore {
  readonly #folder: string;
  readonly #pageSize: number;
  /** Headers never change. */
  readonly #headers = new Map<string, SessionHeader>();

  constructor(folder: string, pageSize: number) {
    this.#folder = folder;
    this.#pageSize = pageSize;
  }

  async create(header: SessionHeader): Promise<SessionJournal> {
    if (!isEntryName(header.id)) throw new TurnwireError('invalid-input', `${header.id} cannot name a session's file`);
    await this.#makeFolder();
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
      if (lines?.header.id === id) return { ...lines, journal: await this.#goOn(id, lock, end) };
    } catch (error) {
      await lock.release();
      throw error;
    }
    await lock.release();
    return undefined;
  }

  async list({ cwd, cursor }: SessionQuery): Promise<SessionPage> {
    const after = cursor === undefined ? undefined : placeOfCursor(cursor);
    const places = (await this.#places()).filter((place) => after === undefined || newestFirst(after, place) < 0);
    const page: { readonly place: Place; readonly header: SessionHeader }[] = [];
    for (const place of places) {
      const header = await this.#header(place.id);
      if (header === undefined || (cwd !== undefined && !isSameFolder(header.cwd, cwd))) continue;
      if (page.length === this.#pageSize) return this.#page(page, true);
      page.push({ place, header });
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

  async #goOn(id: string, lock: SessionLock, end: FileEnd): Promise<SessionJournal> {
    try {
      if (lock instanceof FileLock) return await this.#journal(id, lock, end);
    } catch {
      // Why is found out again by whoever writes first.
    }
    await lock.release();
    return this.#journalLater(id, end);
  }

  /** @throws Error if the file has become another since it was read */
  async #journal(id: string, lock: FileLock, { size, isTorn }: FileEnd): Promise<SessionJournal> {
    const file = await open(this.#path(id), 'a', 0o600);
    if ((await file.stat()).size === size) return new FileJournal({ file, lock, size, isTorn });
    await file.close();
    throw new Error(`Session ${id} was changed by another process meanwhile`);
  }

  /** For a session that can be read and not written: whoever writes tries again. */
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
    found: readonly { readonly place: Place; readonly header: SessionHeader }[],
    hasMore: boolean,
  ): Promise<SessionPage> {
    const last = found.at(-1);
    return {
      sessions: await Promise.all(found.map(({ place, header }) => this.#listed(header, place.time))),
      ...(hasMore && last !== undefined && { nextCursor: cursorAfter(last.place) }),
    };
  }

  async #listed({ title: first, ...header }: SessionHeader, time: number): Promise<StoredSession> {
    const latest = await readTitle(this.#path(header.id));
    const title = latest === undefined ? first : (latest ?? undefined);
    return { ...header, ...(title !== undefined && { title }), updatedAt: new Date(time).toISOString() };
  }

  async #places(): Promise<readonly Place[]> {
    const names = await readdir(this.#folder).catch(() => []);
    const ids = names
      .filter((name) => name.endsWith(extension))
      .map((name) => name.slice(0, -extension.length))
      .filter(isEntryName);
    const places = await Promise.all(
      ids.map(async (id) => {
        const found = await stat(this.#path(id)).catch(() => undefined);
        return found === undefined ? [] : [{ id, time: found.mtimeMs }];
      }),
    );
    return places.flat().toSorted(newestFirst);
  }

  async #header(id: string): Promise<SessionHeader | undefined> {
    const known = this.#headers.get(id);
    if (known !== undefined) return known;
    const header = await readHeader(this.#path(id));
    // A file that was copied under another name is no session of that name.
    if (header?.id !== id) return undefined;
    this.#headers.set(id, header);
    return header;
  }

  async #has(id: string): Promise<boolean> {
    return isEntryName(id) && (await stat(this.#path(id)).catch(() => undefined)) !== undefined;
  }

  async #lock(id: string): Promise<FileLock> {
    const lock = await takeLock(entryPath(this.#folder, `${id}${extension}.lock`));
    if (!(lock instanceof FileLock)) throw sessionInUse(id, lock);
    return lock;
  }

  async #makeFolder(): Promise<void> {
    const made = await mkdir(this.#folder, { recursive: true, mode: 0o700 });
    // A generous umask does not widen it, a strange one must not narrow it.
    if (made !== undefined) await chmod(this.#folder, 0o700);
  }

  #path(id: string): string {
    return entryPath(this.#folder, `${id}${extension}`);
  }
}

/** Who cannot write a lock, on a full disk say, cannot write the session either, but read it and make room. */
function unwritable(failure: Error): SessionLock {
  if (!('syscall' in failure)) throw failure;
  return { release: () => Promise.resolve() };
}
