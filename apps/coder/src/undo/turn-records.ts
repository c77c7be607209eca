import { mkdirSync, readdirSync } from 'node:fs';
import { lstat, readdir, rename } from 'node:fs/promises';
import { basename } from 'node:path';
import { entryPath, isEntryName, removeEntry } from '@turnwire/machine';
import { makeTemporaryFolder, removeTemporaryFolder } from './temporary-folder.ts';
import { TurnRecord } from './turn-record.ts';

/** The limits per session. */
export interface KeptTurns {
  readonly turns: number;
  /** Of all turns together. */
  readonly bytes: number;
}

const usually: KeptTurns = { turns: 20, bytes: 256 * 1024 * 1024 };

/** Where the turns of a session are stored. */
export interface TurnsLocation {
  /** The absolute folder of stored sessions. */
  readonly sessions: string;
  readonly sessionId: string;
}

const undoFolder = 'undo';
const turnName = /^\d{8}$/;
const undoneMark = '.undone';

/** The recorded turns of a session: a numbered folder each. */
export class TurnRecords {
  readonly #location: TurnsLocation | undefined;
  #folder: string | undefined;

  /** @param location Undefined: a temporary folder, which is removed at the end */
  constructor(location: TurnsLocation | undefined) {
    this.#location = location;
    this.#folder = location && entryPath(location.sessions, undoFolder, location.sessionId);
  }

  /** Begins the record of the next turn. Throws if it cannot be stored. */
  begin(): TurnRecord {
    this.#folder ??= makeTemporaryFolder();
    mkdirSync(this.#folder, { recursive: true, mode: 0o700 });
    const folder = this.#folder;
    const last = readdirSync(folder)
      .map((name) => Number.parseInt(name, 10))
      .filter(Number.isSafeInteger)
      .reduce((one, other) => Math.max(one, other), 0);
    const record = new TurnRecord(entryPath(folder, String(last + 1).padStart(8, '0')));
    mkdirSync(record.folder, { mode: 0o700 });
    return record;
  }

  /** The last turn that was not undone. */
  async last(): Promise<TurnRecord | undefined> {
    const name = (await this.#names()).findLast((each) => turnName.test(each));
    return name === undefined || this.#folder === undefined ? undefined : new TurnRecord(entryPath(this.#folder, name));
  }

  /** Marks a turn as undone. Its content stays for a while, for changes that could not be undone. */
  async markUndone({ folder }: TurnRecord): Promise<string> {
    const marked = `${folder}${undoneMark}`;
    await rename(folder, marked);
    return marked;
  }

  /**
   * Deletes the oldest turns: those beyond the limit, and those that take more than half of the capacity together with
   * the ones after them. Returns the remaining capacity, in bytes.
   */
  async prune({ turns, bytes }: KeptTurns = usually): Promise<number> {
    let [kept, capacity] = [0, bytes];
    for (const name of (await this.#names()).toReversed()) {
      const record = new TurnRecord(entryPath(this.#folder ?? '', name));
      const size = await record.size();
      // With a deleted turn all earlier ones go as well: turns are undone in order.
      if (kept > 0 && (kept >= turns || capacity - size < bytes / 2)) {
        kept = turns;
        await this.#remove(name);
      } else {
        kept++;
        capacity -= size;
      }
    }
    return Math.max(0, capacity);
  }

  /** Ends with the session: removes a temporary folder, and the records of sessions that no longer exist. */
  async close(): Promise<void> {
    if (this.#location !== undefined) await removeOrphans(this.#location.sessions).catch(() => undefined);
    else if (this.#folder !== undefined) await removeTemporaryFolder(this.#folder);
  }

  async #remove(name: string): Promise<void> {
    if (this.#location) await removeEntry(this.#location.sessions, undoFolder, this.#location.sessionId, name);
    else if (this.#folder !== undefined) await removeEntry(this.#folder, name);
  }

  async #names(): Promise<readonly string[]> {
    if (this.#folder === undefined) return [];
    const names = await readdir(this.#folder).catch(() => []);
    return names.filter((name) => turnName.test(basename(name, undoneMark))).toSorted();
  }
}

/** A new folder may belong to a session that is not stored yet. */
const orphanAge = 60 * 60 * 1000;

/** Removes the records of deleted sessions. The session files are next to the folder. */
async function removeOrphans(sessions: string): Promise<void> {
  const names = await readdir(entryPath(sessions, undoFolder));
  const stored = new Set(await readdir(sessions));
  for (const id of names) {
    if (stored.has(`${id}.jsonl`) || !isEntryName(id)) continue;
    const { mtimeMs } = await lstat(entryPath(sessions, undoFolder, id));
    if (Date.now() - mtimeMs > orphanAge) await removeEntry(sessions, undoFolder, id);
  }
}
