import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import {
  type Cursor,
  type FoundSession,
  type NewEvent,
  type SessionFacts,
  type SessionRecord as StoredSession,
  type SessionStore,
  SessionTexts,
  sqliteStore,
  type StoredEvent,
  StoreError,
  turnInterrupted,
} from '@turnwire/runtime';
import type { SessionEvent } from '@turnwire/client/gateway';
import { entryPath, foldersUpwards, lockHolder, removeEntry, stateFolder, withLock } from '@turnwire/machine';
import { localTenant, namedTenant, recordOf, storedOf } from './named-session.ts';
import { type AgentChoice, agentKey, type SessionRecord } from './session-record.ts';
import { sessionsDatabase } from './sessions-database.ts';

/** The key of a session: the agent, the folder, and a name unless it is the session of the folder. */
export interface SessionScope {
  readonly agent: AgentChoice;
  readonly cwd: string;
  readonly name?: string | undefined;
}

/** The start or end of a turn. */
type TurnEvent = Extract<SessionEvent, { readonly type: 'prompt' | 'turn-ended' | 'turn-failed' }>;

/** The cursor before the first event. */
const beginning: Cursor = { epoch: 0, sequence: 0 };

/** The number of sessions or events per read. */
const page = { sessions: 100, events: 256 } as const;

/** The sessions of commands, in the database of this user. Each also has a folder for the lock and the log of its host. */
export class NamedSessions implements AsyncDisposable {
  readonly folder: string;
  /** The file with the records and histories. */
  readonly database: string;
  readonly store: SessionStore;

  /** @param ownThread whether SQLite runs in a separate thread, for a long-running process. Default: false, for a short command */
  constructor(folder: string = stateFolder(), { ownThread = false }: { readonly ownThread?: boolean } = {}) {
    this.folder = folder;
    this.database = sessionsDatabase(folder);
    this.store = sqliteStore({ path: this.database, ownThread });
  }

  /** The folder of a session. Throws if the id could lead out of the sessions folder, as all methods with an id do. */
  folderOf(id: string): string {
    return entryPath(this.sessionsFolder, id);
  }

  /** The lock file of the process that hosts, changes or deletes a session. */
  lockOf(id: string): string {
    return entryPath(this.sessionsFolder, id, 'host.lock');
  }

  /** The parent of the folders of all sessions. */
  get sessionsFolder(): string {
    return join(this.folder, 'sessions');
  }

  /** Runs work while no other process can add sessions. */
  async exclusively<Result>(work: () => Promise<Result>): Promise<Result> {
    await mkdir(this.folder, { recursive: true, mode: 0o700 });
    return withLock(join(this.folder, 'sessions.lock'), work);
  }

  /** Stores a new session. */
  async create(record: SessionRecord, begun: SessionFacts = {}): Promise<void> {
    await mkdir(this.folderOf(record.id), { recursive: true, mode: 0o700 });
    await this.store.create(storedOf(record, begun));
  }

  /** Stores an existing session with its history. If the batches reject, it deletes the session and rejects. */
  async copy(record: SessionRecord, begun: SessionFacts, batches: AsyncIterable<readonly NewEvent[]>): Promise<void> {
    await mkdir(this.folderOf(record.id), { recursive: true, mode: 0o700 });
    const claim = await this.store.create(storedOf(record, begun));
    try {
      const texts = new SessionTexts({
        ...{ store: this.store, claim, record: { current: claim.record } },
        onFailed: (error) => Promise.reject(error),
      });
      for await (const events of batches) {
        for (const stored of events.length > 0 ? await this.store.append(claim, events) : [])
          texts.add({ ...stored, event: JSON.parse(stored.payload) as SessionEvent });
        await texts.backlog;
      }
      texts.index();
      await texts.indexed;
    } catch (error) {
      await this.store.delete(namedTenant, record.id);
      throw error;
    }
  }

  /** Finds a session by its id; undefined if it does not exist or was deleted. */
  async findById(id: string): Promise<SessionRecord | undefined> {
    const stored = await this.store.find(namedTenant, id);
    return stored && recordOf(stored);
  }

  /** Reads a session. Rejects if it does not exist. */
  async read(id: string): Promise<SessionRecord> {
    const record = await this.findById(id);
    if (!record) throw new Error(`the session ${id} no longer exists`);
    return record;
  }

  /** Closes a session unless it is closed. The caller must hold its lock. */
  async close(id: string): Promise<void> {
    const { closedAt } = await this.read(id);
    if (closedAt !== undefined) return;
    await this.store.update(await this.store.claim(namedTenant, id), { closedAt: Date.now() });
  }

  /** Deletes a session with its history. */
  async remove(id: string): Promise<void> {
    if (await this.store.find(namedTenant, id)) await this.store.delete(namedTenant, id);
    await removeEntry(this.sessionsFolder, id);
  }

  /** All sessions, newest first. */
  async list(): Promise<readonly SessionRecord[]> {
    return (await this.#listOf(namedTenant)).flatMap((stored) => recordOf(stored) ?? []);
  }

  /** The sessions of this user's servers in the same database, newest first. */
  listServed(): Promise<readonly StoredSession[]> {
    return this.#listOf(localTenant);
  }

  /** The sessions of commands and of this user's servers with texts that match, newest match first. */
  async search(text: string, limit: number): Promise<readonly FoundSession<StoredSession>[]> {
    const tenants = [namedTenant, localTenant].map((tenant) => this.store.search({ tenant, text, limit }));
    const newest = ({ passages }: FoundSession<StoredSession>): number => Math.max(...passages.map(({ at }) => at));
    const found = (await Promise.all(tenants)).flat().toSorted((one, other) => newest(other) - newest(one));
    return found.slice(0, limit);
  }

  async #listOf(tenant: string): Promise<readonly StoredSession[]> {
    const records: StoredSession[] = [];
    for (let after: string | undefined; ;) {
      const { sessions, next } = await this.store.list({ tenant, after, limit: page.sessions });
      records.push(...sessions);
      if (next === undefined) return records;
      after = next;
    }
  }

  /** The open session of a scope, in its folder or the nearest folder above it, up to the root of the repository. */
  async find({ agent, cwd, name }: SessionScope): Promise<SessionRecord | undefined> {
    const fitting = (await this.list()).filter(
      (record) => record.closedAt === undefined && agentKey(record.agent) === agentKey(agent) && record.name === name,
    );
    return foldersUpwards(cwd)
      .map((folder) => fitting.find((record) => record.cwd === folder))
      .find((record) => record !== undefined);
  }

  /** The events of a session after a cursor, in batches; empty if the session does not exist. */
  events(id: string, after: Cursor = beginning): AsyncGenerator<readonly StoredEvent[], void> {
    return this.#read(id, after);
  }

  /** The prompts of a session, in batches. */
  prompts(id: string): AsyncGenerator<readonly StoredEvent[], void> {
    return this.#read(id, beginning, ['prompt']);
  }

  async *#read(id: string, after: Cursor, types?: readonly string[]): AsyncGenerator<readonly StoredEvent[], void> {
    for (let last = after; ;) {
      const from = { tenant: namedTenant, id, after: last };
      const limits = { limit: page.events, ...(types && { types }) };
      const found = await this.store.read(from, limits).catch(undefinedIfDeleted);
      if (!found) return;
      const end = 'events' in found ? found.events.at(-1) : undefined;
      if (!('events' in found) || !end) return;
      yield found.events;
      last = end;
    }
  }

  /** The parsed events of a session, in batches, followed by its interruption if there is one. */
  async *history(id: string): AsyncGenerator<readonly SessionEvent[], void> {
    for await (const events of this.events(id)) yield events.map(({ payload }) => JSON.parse(payload) as SessionEvent);
    const end = await this.interruption(id);
    if (end) yield [end];
  }

  /** The end event of a turn whose host has died, as the next host will store it. */
  async interruption(id: string): Promise<SessionEvent | undefined> {
    const last = await this.#lastOfTurn(id);
    if (last?.type !== 'prompt' || (await this.lastTurn(id)) !== 'interrupted') return undefined;
    return { at: last.at, type: 'turn-failed', turnId: last.into ?? last.turnId, message: turnInterrupted };
  }

  /** The state of the last turn; undefined if there was no turn. */
  async lastTurn(id: string): Promise<'running' | 'ended' | 'failed' | 'interrupted' | undefined> {
    const last = await this.#lastOfTurn(id);
    if (last?.type === 'prompt') return (await lockHolder(this.lockOf(id))) ? 'running' : 'interrupted';
    if (last?.type === 'turn-failed') return last.message === turnInterrupted ? 'interrupted' : 'failed';
    return last && 'ended';
  }

  async #lastOfTurn(id: string): Promise<TurnEvent | undefined> {
    const last = await this.store.findLast(namedTenant, id, ['prompt', 'turn-ended', 'turn-failed']);
    return last && (JSON.parse(last.payload) as TurnEvent);
  }

  /** The cursor of the last event of a session. */
  async head(id: string): Promise<Cursor> {
    return (await this.store.read({ tenant: namedTenant, id, after: beginning }, { limit: 1 })).head;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.store.close();
  }
}

function undefinedIfDeleted(error: unknown): undefined {
  if (!(error instanceof StoreError && error.code === 'not-found')) throw error;
}
