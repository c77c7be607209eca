import { mkdirSync, readdirSync } from 'node:fs';
import { readdir, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { makeTemporaryFolder, removeTemporaryFolder } from './temporary-folder.ts';
import { TurnRecord } from './turn-record.ts';

/** What is kept of a session. */
export interface KeptTurns {
  readonly turns: number;
  /** Of all turns together. */
  readonly bytes: number;
}

const usually: KeptTurns = { turns: 20, bytes: 256 * 1024 * 1024 };

const turnName = /^\d{8}$/;
const undoneMark = '.undone';

/** The turns of a session on the disk, a folder each, named by number. */
export class TurnRecords {
  readonly #chosen: string | undefined;
  #folder: string | undefined;

  /** @param folder absolute. Undefined: a temporary one, which is removed in the end */
  constructor(folder: string | undefined) {
    this.#chosen = folder;
  }

  /** Begins the record of the next turn. Throws when it cannot be kept. */
  begin(): TurnRecord {
    const folder = this.#make();
    const last = readdirSync(folder)
      .map((name) => Number.parseInt(name, 10))
      .filter(Number.isSafeInteger)
      .reduce((one, other) => Math.max(one, other), 0);
    const record = new TurnRecord(join(folder, String(last + 1).padStart(8, '0')));
    mkdirSync(record.folder, { mode: 0o700 });
    return record;
  }

  /** The last turn that was not undone. */
  async last(): Promise<TurnRecord | undefined> {
    const name = (await this.#names()).findLast((each) => turnName.test(each));
    return name === undefined || this.#folder === undefined ? undefined : new TurnRecord(join(this.#folder, name));
  }

  /** Marks a turn as undone. What is kept of it stays a while, for what could not be put back. */
  async markUndone({ folder }: TurnRecord): Promise<string> {
    const marked = `${folder}${undoneMark}`;
    await rename(folder, marked);
    return marked;
  }

  /**
   * Forgets the oldest turns: those beyond the number that is kept, and those that take more than half of the room together with
   * the ones after them. Returns the room that is left, in bytes.
   */
  async prune({ turns, bytes }: KeptTurns = usually): Promise<number> {
    let [kept, room] = [0, bytes];
    for (const name of (await this.#names()).toReversed()) {
      const record = new TurnRecord(join(this.#folder ?? '', name));
      const size = await record.size();
      // Once one is forgotten, so are all before it: turns are taken back in order.
      if (kept > 0 && (kept >= turns || room - size < bytes / 2)) {
        kept = turns;
        await rm(record.folder, { recursive: true, force: true });
      } else {
        kept++;
        room -= size;
      }
    }
    return Math.max(0, room);
  }

  /** Nothing is written any more. What was to last no longer than this is removed, and what sessions left that are gone. */
  async close(): Promise<void> {
    if (this.#chosen === undefined) {
      if (this.#folder !== undefined) await removeTemporaryFolder(this.#folder);
    } else await removeOrphans(dirname(this.#chosen)).catch(() => undefined);
  }

  async #names(): Promise<readonly string[]> {
    this.#folder ??= this.#chosen;
    if (this.#folder === undefined) return [];
    const names = await readdir(this.#folder).catch(() => []);
    return names.filter((name) => turnName.test(basename(name, undoneMark))).toSorted();
  }

  #make(): string {
    this.#folder ??= this.#chosen ?? makeTemporaryFolder();
    mkdirSync(this.#folder, { recursive: true, mode: 0o700 });
    return this.#folder;
  }
}

/** What was made a moment ago may belong to a session about to be stored. */
const orphanAge = 60 * 60 * 1000;

/** Sessions are files beside the folder; what is kept for one that is no longer there is of no use. */
async function removeOrphans(folder: string): Promise<void> {
  for (const id of await readdir(folder)) {
    const isStored = (await stat(join(dirname(folder), `${id}.jsonl`)).catch(() => undefined)) !== undefined;
    const { mtimeMs } = await stat(join(folder, id));
    if (!isStored && Date.now() - mtimeMs > orphanAge) await rm(join(folder, id), { recursive: true, force: true });
  }
}
