import { mkdir, readdir, readFile, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { existsSync } from 'node:fs';
import { withLease } from '../owner/lease.ts';
import { stateFolder } from '../places.ts';
import { replaceFile } from './atomic-file.ts';
import { type AgentChoice, agentKey, problemOf, type SessionRecord } from './session-record.ts';

/** What names a session: the agent, the folder, and a name if it is not the folder's own. */
export interface SessionScope {
  readonly agent: AgentChoice;
  readonly cwd: string;
  readonly name?: string | undefined;
}

/** A record that cannot be read. */
export class DamagedRecord extends Error {
  override readonly name = 'DamagedRecord';
  readonly path: string;

  constructor(path: string, reason: string) {
    super(`the session record ${path} cannot be used: ${reason}. Mend it, or delete the folder it is in`);
    this.path = path;
  }
}

/** All records there are, and those that are there and cannot be read. */
export interface Inventory {
  readonly records: readonly SessionRecord[];
  readonly damaged: readonly DamagedRecord[];
}

/** The sessions of this user: a folder each, with its record, its history, and who owns it. */
export class SessionStore {
  readonly folder: string;

  constructor(folder: string = stateFolder()) {
    this.folder = folder;
  }

  folderOf(id: string): string {
    return join(this.folder, 'sessions', id);
  }

  historyOf(id: string): string {
    return join(this.folderOf(id), 'history.jsonl');
  }

  recordOf(id: string): string {
    return join(this.folderOf(id), 'session.json');
  }

  /** Does something while no other process adds or removes sessions. */
  exclusively<Result>(work: () => Promise<Result>): Promise<Result> {
    return withLease(join(this.folder, 'lock'), work);
  }

  /** Rejects with DamagedRecord, or with ENOENT if there is none. */
  async read(id: string): Promise<SessionRecord> {
    const path = this.recordOf(id);
    return recordIn(path, await readFile(path, 'utf8'));
  }

  async write(record: SessionRecord): Promise<void> {
    await mkdir(this.folderOf(record.id), { recursive: true, mode: 0o700 });
    await replaceFile(this.recordOf(record.id), `${JSON.stringify(record, undefined, 2)}\n`);
  }

  /** Forgets a session, its history too. */
  async remove(id: string): Promise<void> {
    await rm(this.folderOf(id), { recursive: true, force: true });
  }

  /** Newest first. */
  async list(): Promise<Inventory> {
    const ids = await readdir(join(this.folder, 'sessions')).catch(noneIfAbsent);
    const found = await Promise.all(ids.map((id) => this.#look(id)));
    const records = found.filter(
      (each): each is SessionRecord => each !== undefined && !(each instanceof DamagedRecord),
    );
    return {
      records: records.toSorted((one, other) => (one.lastUsedAt < other.lastUsedAt ? 1 : -1)),
      damaged: found.filter((each) => each instanceof DamagedRecord),
    };
  }

  /** The open session of a scope: of its folder, or of the nearest folder above it up to the root of the repository. */
  async find({ agent, cwd, name }: SessionScope): Promise<SessionRecord | undefined> {
    const { records, damaged } = await this.list();
    const fitting = records.filter(
      (record) => record.closedAt === undefined && agentKey(record.agent) === agentKey(agent) && record.name === name,
    );
    const found = foldersUpwards(cwd)
      .map((folder) => fitting.find((record) => record.cwd === folder))
      .find((record) => record !== undefined);
    // It may be the one that is looked for, so "there is none" could be wrong.
    if (!found && damaged[0]) throw damaged[0];
    return found;
  }

  async #look(id: string): Promise<SessionRecord | DamagedRecord | undefined> {
    try {
      return await this.read(id);
    } catch (error) {
      if (error instanceof DamagedRecord) return error;
      const { code } = error as NodeJS.ErrnoException;
      // Being made or removed at this moment, or something that is no session.
      if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
      return new DamagedRecord(this.recordOf(id), (error as Error).message);
    }
  }
}

/** The folder and those above it, up to the root of the repository it is in; only itself if it is in none. */
export function foldersUpwards(cwd: string): readonly string[] {
  const folders: string[] = [];
  for (let folder = cwd; ; folder = dirname(folder)) {
    folders.push(folder);
    if (existsSync(join(folder, '.git'))) return folders;
    if (dirname(folder) === folder) return [cwd];
  }
}

function recordIn(path: string, text: string): SessionRecord {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new DamagedRecord(path, `it is not JSON (${(error as Error).message})`);
  }
  const problem = problemOf(value);
  if (problem !== undefined) throw new DamagedRecord(path, problem);
  return value as SessionRecord;
}

function noneIfAbsent(error: unknown): string[] {
  if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
  throw error;
}
