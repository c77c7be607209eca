import { mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import {
  entryPath,
  foldersUpwards,
  isEntryName,
  readOwnFile,
  removeEntry,
  replaceFile,
  stateFolder,
  undefinedIfMissing,
  withLock,
} from '@turnwire/machine';
import { type AgentChoice, agentKey, problemOf, type SessionRecord } from './session-record.ts';

/** The key of a session: the agent, the folder, and a name if it is not the folder's own. */
export interface SessionScope {
  readonly agent: AgentChoice;
  readonly cwd: string;
  readonly name?: string | undefined;
}

/** A record that cannot be read. Only its session cannot be used. */
export class DamagedRecord extends Error {
  override readonly name = 'DamagedRecord';
  readonly id: string;
  readonly path: string;

  constructor({ id, path, reason }: { readonly id: string; readonly path: string; readonly reason: string }) {
    super(
      `the session ${id} cannot be used: ${path}: ${reason}. Repair that file, or delete the session with its history: turnwire sessions prune --damaged`,
    );
    this.id = id;
    this.path = path;
  }
}

/** All records, and the ones that cannot be read. */
export interface Inventory {
  readonly records: readonly SessionRecord[];
  readonly damaged: readonly DamagedRecord[];
}

/** The sessions of this user: a folder each, named after the session's id, with its record, its history, and its lock. */
export class SessionStore {
  readonly folder: string;

  constructor(folder: string = stateFolder()) {
    this.folder = folder;
  }

  /** @throws Error if the id could lead out of the store; the methods below do so as well */
  folderOf(id: string): string {
    return entryPath(this.#sessions, id);
  }

  historyOf(id: string): string {
    return entryPath(this.#sessions, id, 'history.jsonl');
  }

  recordOf(id: string): string {
    return entryPath(this.#sessions, id, 'session.json');
  }

  /** The lock of a process that hosts a session, or changes or deletes it. */
  lockOf(id: string): string {
    return entryPath(this.#sessions, id, 'host.lock');
  }

  /** Runs work while no other process adds sessions. */
  async exclusively<Result>(work: () => Promise<Result>): Promise<Result> {
    await mkdir(this.folder, { recursive: true, mode: 0o700 });
    return withLock(join(this.folder, 'sessions.lock'), work);
  }

  /** @throws DamagedRecord, or Error if there is none */
  read(id: string): SessionRecord {
    const found = this.look(id);
    if (found === undefined) throw new Error(`the session ${id} is not there any more`);
    if (found instanceof DamagedRecord) throw found;
    return found;
  }

  /** Like {@link read}; undefined if the session does not exist (yet). */
  look(id: string): SessionRecord | DamagedRecord | undefined {
    const path = this.recordOf(id);
    const damaged = (reason: string): DamagedRecord => new DamagedRecord({ id, path, reason });
    try {
      const text = readOwnFile(path);
      if (text === undefined) return undefined;
      const value: unknown = JSON.parse(text);
      const problem = problemOf(value, id);
      return problem === undefined ? (value as SessionRecord) : damaged(problem);
    } catch (error) {
      const { message } = error as Error;
      return damaged(error instanceof SyntaxError ? `it is not JSON (${message})` : message);
    }
  }

  async write(record: SessionRecord): Promise<void> {
    await mkdir(this.folderOf(record.id), { recursive: true, mode: 0o700 });
    await replaceFile(this.recordOf(record.id), `${JSON.stringify(record, undefined, 2)}\n`);
  }

  /** Deletes a session with its history. */
  async remove(id: string): Promise<void> {
    await removeEntry(this.#sessions, id);
  }

  /** Newest first. */
  async list(): Promise<Inventory> {
    const names = await readdir(this.#sessions).catch(undefinedIfMissing);
    const found = (names ?? []).filter(isEntryName).map((id) => this.look(id));
    const records = found.filter(
      (each): each is SessionRecord => each !== undefined && !(each instanceof DamagedRecord),
    );
    return {
      records: records.toSorted((one, other) => (one.lastUsedAt < other.lastUsedAt ? 1 : -1)),
      damaged: found.filter((each) => each instanceof DamagedRecord),
    };
  }

  /**
   * The open session of a scope: of its folder, or of the nearest folder above it up to the root of the repository.
   * @param onDamage called, if there is none, with every record that cannot be read: one of them may be the session's
   */
  async find(
    { agent, cwd, name }: SessionScope,
    onDamage: (damaged: DamagedRecord) => void,
  ): Promise<SessionRecord | undefined> {
    const { records, damaged } = await this.list();
    const fitting = records.filter(
      (record) => record.closedAt === undefined && agentKey(record.agent) === agentKey(agent) && record.name === name,
    );
    const found = foldersUpwards(cwd)
      .map((folder) => fitting.find((record) => record.cwd === folder))
      .find((record) => record !== undefined);
    if (!found) for (const each of damaged) onDamage(each);
    return found;
  }

  get #sessions(): string {
    return join(this.folder, 'sessions');
  }
}
