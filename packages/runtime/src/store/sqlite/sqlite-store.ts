import type {
  Cursor,
  EventPage,
  NewEvent,
  RecordChange,
  SessionClaim,
  SessionPage,
  SessionQuery,
  SessionRecord,
  SessionStore,
  StoredEvent,
} from '../session-store.ts';
import {
  checkEvents,
  checkLimit,
  gapAfter,
  isCursor,
  type LogExtent,
  nextPage,
  notInLog,
  pageCharacters,
  placeAfter,
} from '../log-rules.ts';
import { DirectSqlite, worksDirectly } from './direct-sqlite.ts';
import { type SqliteCalls, SqliteThread } from './sqlite-thread.ts';

/** Where sessions are kept, and what they survive. */
export interface SqliteStoreOptions {
  /** The database: an absolute path. It is made if it is missing, readable for its owner alone; `-wal` and `-shm` files stand beside it. */
  readonly path: string;
  /**
   * What has been stored when a call resolves: `process` survives the end of any process, and a power cut may take the last moments;
   * `disk` survives that too, and waits for the disk. Default `process`.
   */
  readonly durability?: 'process' | 'disk' | undefined;
  /**
   * `false` for one short command: on a Node without SQLite of its own, the engine then works in this thread, which waits for it. That spares
   * the start of another one, 60 ms of processor time. Default true.
   */
  readonly ownThread?: boolean | undefined;
}

/**
 * A store in one file, which several processes of one machine can share. The engine, Node's own SQLite or the same as a package, works in
 * a thread that starts with the first call; calls that come while it is busy share its next transaction. The file must not be on a network
 * drive. Rejections of code `failed` say what to do.
 */
export function sqliteStore(options: SqliteStoreOptions): SessionStore {
  return new SqliteStore(options);
}

/** What an answer has for the question whether there is a gap. */
interface Extent extends LogExtent {
  /** The epoch of the event that was asked for, if it is kept. */
  readonly epochAt: number | undefined;
}

class SqliteStore implements SessionStore {
  readonly #database: SqliteCalls;

  constructor({ path, durability = 'process', ownThread = true }: SqliteStoreOptions) {
    const place = { path, durability };
    this.#database = ownThread || !worksDirectly ? new SqliteThread(place) : new DirectSqlite(place);
  }

  async create(record: SessionRecord): Promise<SessionClaim> {
    return this.#database.call('create', { record });
  }

  async claim(tenant: string, id: string): Promise<SessionClaim> {
    return this.#database.call('claim', { tenant, id });
  }

  async append(claim: SessionClaim, events: readonly NewEvent[]): Promise<readonly StoredEvent[]> {
    checkEvents(events);
    const { tenant, id } = claim.record;
    // One list: it goes to another thread, which costs more for each object than for what is in it.
    const parameters: unknown[] = [tenant, id, claim.epoch];
    for (const { at, type, payload, key } of events) parameters.push(at, type, payload, key);
    const numbers = await this.#database.call<number | readonly number[]>('append', parameters);
    const stored = events.map(({ at, type, payload, key }, index) => {
      const sequence = typeof numbers === 'number' ? numbers + index : (numbers[index] ?? 0);
      return { at, type, payload, key, epoch: claim.epoch, sequence };
    });
    return typeof numbers === 'number' ? stored : stored.filter(({ sequence }) => sequence > 0);
  }

  async update(claim: SessionClaim, change: RecordChange): Promise<void> {
    return this.#database.call('update', { claim: rightOf(claim), change });
  }

  async find(tenant: string, id: string): Promise<SessionRecord | undefined> {
    return this.#database.call('find', { tenant, id });
  }

  async read(
    { tenant, id, after }: { readonly tenant: string; readonly id: string; readonly after: Cursor },
    { limit, types }: { readonly limit: number; readonly types?: readonly string[] },
  ): Promise<EventPage> {
    checkLimit(limit);
    const sequence = isCursor(after) ? after.sequence : 0;
    const place = { tenant, id, sequence, limit, types, room: pageCharacters };
    const { events, epochAt, ...extent } = await this.#database.call<
      Extent & { readonly events: readonly StoredEvent[] }
    >('read', place);
    const gap = gapAfter(after, extent, () => epochAt);
    return gap === undefined ? { events, head: extent.head } : { gap, ...extent };
  }

  async findByKey(tenant: string, id: string, key: string): Promise<StoredEvent | undefined> {
    return this.#database.call('findByKey', { tenant, id, key });
  }

  async findLast(tenant: string, id: string, types: readonly string[]): Promise<StoredEvent | undefined> {
    return this.#database.call('findLast', { tenant, id, types });
  }

  async list(query: SessionQuery): Promise<SessionPage> {
    checkLimit(query.limit);
    const { tenant, cwd, limit } = query;
    // One more says whether there is a next page.
    const place = { tenant, cwd, after: placeAfter(query), limit: limit + 1 };
    const found = await this.#database.call<readonly SessionRecord[]>('list', place);
    const sessions = found.slice(0, limit);
    const last = sessions.at(-1);
    return { sessions, ...(last && found.length > limit && { next: nextPage(last) }) };
  }

  async trim(claim: SessionClaim, upTo: Cursor): Promise<void> {
    if (!isCursor(upTo)) throw notInLog(upTo);
    const { epochAt, ...extent } = await this.#database.call<Extent>('trim', { claim: rightOf(claim), upTo });
    if (gapAfter(upTo, extent, () => epochAt) !== undefined) throw notInLog(upTo);
  }

  async delete(tenant: string, id: string): Promise<void> {
    return this.#database.call('delete', { tenant, id });
  }

  async close(): Promise<void> {
    return this.#database.close();
  }
}

/** What the engine needs to know of a claim. */
function rightOf({ record: { tenant, id }, epoch }: SessionClaim): object {
  return { tenant, id, epoch };
}
