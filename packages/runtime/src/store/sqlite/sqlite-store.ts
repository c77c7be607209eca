import type {
  Cursor,
  EventPage,
  IndexedTexts,
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
import { type FoundSession, mostMatches, mostScanned, type TextQuery } from '../../texts/found-sessions.ts';
import { indexedWords, queryWords, tenantWord } from '../../texts/words.ts';
import { usageValues } from '../../usage/usage-columns.ts';
import type { UsageRow } from '@turnwire/protocol';
import type { TurnUsage, UsageQuery } from '../../usage/usage-record.ts';
import { type CurrencySum, usageRows } from '../../usage/usage-sums.ts';
import { DirectSqlite, worksDirectly } from './direct-sqlite.ts';
import { type SqliteCalls, SqliteThread } from './sqlite-thread.ts';

/** The file of a store, and its durability. */
export interface SqliteStoreOptions {
  /** The database: an absolute path. A missing one is created, readable for its owner alone. SQLite keeps `-wal` and `-shm` files next to it. */
  readonly path: string;
  /**
   * The durability of a resolved call. `process`: its data survives the end of any process, but a power cut may lose the last moments. `disk`: it
   * survives a power cut too, and each call waits for the disk. Default `process`.
   */
  readonly durability?: 'process' | 'disk' | undefined;
  /**
   * `false` for one short command: on a Node without SQLite, the engine then works in this thread, which waits for it. That saves the start of
   * another thread, 60 ms of processor time. Default true.
   */
  readonly ownThread?: boolean | undefined;
}

/**
 * A store in one file, which several processes of one machine can share. The engine, Node's own SQLite or a package of it, works in a thread that
 * starts with the first call. Calls that arrive while it is busy share its next transaction. The file must not be on a network drive. Rejections
 * with the code `failed` contain advice.
 */
export function sqliteStore(options: SqliteStoreOptions): SessionStore {
  return new SqliteStore(options);
}

/** The part of an answer that shows whether events are missing. */
interface Extent extends LogExtent {
  /** The epoch of the requested event if it is stored. */
  readonly epochAt: number | undefined;
}

class SqliteStore implements SessionStore {
  readonly #database: SqliteCalls;

  constructor({ path, durability = 'process', ownThread = true }: SqliteStoreOptions) {
    const file = { path, durability };
    this.#database = ownThread || !worksDirectly ? new SqliteThread(file) : new DirectSqlite(file);
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
    // One flat list, because each object that goes to another thread costs more than its content.
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
    return this.#database.call('update', { claim: claimKey(claim), change });
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
    const query = { tenant, id, sequence, limit, types, characters: pageCharacters };
    const { events, epochAt, ...extent } = await this.#database.call<
      Extent & { readonly events: readonly StoredEvent[] }
    >('read', query);
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
    // One session more shows whether there is a next page.
    const wanted = { tenant, cwd, after: placeAfter(query), limit: limit + 1 };
    const found = await this.#database.call<readonly SessionRecord[]>('list', wanted);
    const sessions = found.slice(0, limit);
    const last = sessions.at(-1);
    return { sessions, ...(last && found.length > limit && { next: nextPage(last) }) };
  }

  async index(claim: SessionClaim, { passages, upTo }: IndexedTexts): Promise<void> {
    const { tenant } = claim.record;
    const rows = passages.map((passage) => ({ ...passage, words: indexedWords(tenant, passage.text).join(' ') }));
    return this.#database.call('index', { claim: claimKey(claim), rows, upTo });
  }

  async search({ tenant, session, text, limit }: TextQuery): Promise<readonly FoundSession<SessionRecord>[]> {
    checkLimit(limit);
    const words = queryWords(text);
    if (words.length === 0) return [];
    // Words consist of letters and digits alone.
    const match = [`"${tenantWord(tenant)}"`, ...words.map((word) => `"${word}"*`)].join(' AND ');
    return this.#database.call('search', { tenant, session, match, limit, most: mostScanned, mostMatches });
  }

  async trim(claim: SessionClaim, upTo: Cursor): Promise<void> {
    if (!isCursor(upTo)) throw notInLog(upTo);
    const { epochAt, ...extent } = await this.#database.call<Extent>('trim', { claim: claimKey(claim), upTo });
    if (gapAfter(upTo, extent, () => epochAt) !== undefined) throw notInLog(upTo);
  }

  async delete(tenant: string, id: string): Promise<void> {
    return this.#database.call('delete', { tenant, id });
  }

  async recordUsage(turn: TurnUsage): Promise<void> {
    return this.#database.call('recordUsage', { values: usageValues(turn) });
  }

  async usage(query: UsageQuery): Promise<readonly UsageRow[]> {
    return usageRows(await this.#database.call<readonly CurrencySum[]>('usage', query), query.by);
  }

  async lastReported(tenant: string, agentSession: string): Promise<number | undefined> {
    return this.#database.call('lastReported', { tenant, agentSession });
  }

  async close(): Promise<void> {
    return this.#database.close();
  }
}

/** The part of a claim that the engine checks. */
function claimKey({ record: { tenant, id }, epoch }: SessionClaim): object {
  return { tenant, id, epoch };
}
