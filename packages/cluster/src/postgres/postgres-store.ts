import {
  checkEvents,
  checkLimit,
  elsewhere,
  fenced,
  gapAfter,
  idTaken,
  isCursor,
  nextPage,
  notFound,
  notInLog,
  placeAfter,
} from '@turnwire/runtime/store';
import type {
  Cursor,
  EventPage,
  FoundSession,
  IndexedTexts,
  NewEvent,
  RecordChange,
  SessionClaim,
  SessionPage,
  SessionQuery,
  SessionRecord,
  SessionStore,
  StoredEvent,
  StoredUse,
  TextQuery,
  TurnUsage,
  UsageQuery,
} from '@turnwire/runtime';
import type { UsageRow } from '@turnwire/protocol';
import { appendQueue } from './append-queue.ts';
import { CallQueue } from './call-queue.ts';
import { Database, type DatabaseOptions } from './database.ts';
import { indexTexts, searchTexts } from './passage-table.ts';
import { claimOf, type EventRow, extentOf, recordOf, type SessionRow } from './rows.ts';
import {
  calledSessions,
  checkKey,
  foundEvent,
  isStorable,
  namesOf,
  type SessionKey,
  SessionReads,
} from './session-reads.ts';
import { lastReported, recordUsage, usage } from './usage-table.ts';

/** Where sessions are kept. */
export interface PostgresStoreOptions extends Partial<Pick<DatabaseOptions, 'onUnavailable'>> {
  /** `postgresql://USER:PASSWORD@HOST:PORT/DATABASE`, with `?sslmode=…` where the server is not on this machine. PostgreSQL 14 or newer. */
  readonly url: string;
  /** How long calls wait for an unavailable server before they reject, in milliseconds. Default 60,000. */
  readonly timeout?: number | undefined;
  /** The maximum number of connections. Default 8. */
  readonly connections?: number | undefined;
}

/**
 * A store in a PostgreSQL database, which several machines can share. The first call creates its tables, whose names start with `turnwire_`; the user
 * needs the right to create them. One statement stores the concurrent events of all sessions and checks that no other owner has claimed them. While
 * the server is unavailable, calls wait; after a lost answer the store checks what was stored instead of storing it twice. Rejections with code
 * `failed` include advice.
 */
export function postgresStore({
  url,
  timeout = 60_000,
  connections = 8,
  onUnavailable,
}: PostgresStoreOptions): SessionStore {
  return new PostgresStore(new Database({ url, timeout, connections, onUnavailable }));
}

const existing = 'SELECT * FROM turnwire_sessions WHERE id = $1 AND tenant = $2';

/** The condition that the node is still in `turnwire_nodes`, without which a statement must not write. */
const byNode = (parameter: string): string =>
  `(${parameter}::bigint IS NULL OR EXISTS (SELECT FROM turnwire_nodes WHERE number = ${parameter} FOR KEY SHARE))`;

export class PostgresStore implements SessionStore {
  readonly #database: Database;
  readonly #node: string | null;
  readonly #appending: ReturnType<typeof appendQueue>;
  readonly #claiming: CallQueue<SessionKey, SessionClaim>;
  readonly #reads: SessionReads;

  /** @param node owns the sessions that are created and claimed here. Undefined: they have no node */
  constructor(database: Database, node?: string) {
    this.#database = database;
    this.#node = node ?? null;
    this.#appending = appendQueue(database, node);
    this.#claiming = new CallQueue({ take: distinct, answer: (calls) => this.#claim(calls) });
    this.#reads = new SessionReads(database);
  }

  async create(record: SessionRecord): Promise<SessionClaim> {
    const { id, tenant, agent, cwd, title, additionalDirectories, facts, createdAt, updatedAt, closedAt } = record;
    const values = [id, tenant, agent, cwd, JSON.stringify(title), JSON.stringify(additionalDirectories)];
    return this.#database.whenThere(async (query, attempt) => {
      const [row] = await query<SessionRow>(
        `INSERT INTO turnwire_sessions
          (id, tenant, agent, cwd, title, additional_directories, facts, created_at, updated_at, closed_at, node)
          VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11) ON CONFLICT (id) DO NOTHING RETURNING *`,
        [...values, JSON.stringify(facts), createdAt, updatedAt, closedAt, this.#node],
      );
      if (row) return claimOf(row);
      // The answer to the first attempt may have been lost.
      const [made] = attempt === 0 ? [] : await query<SessionRow>(existing, [id, tenant]);
      if (made?.epoch !== 1 || Number(made.created_at) !== createdAt) throw idTaken();
      return claimOf(made);
    });
  }

  async claim(tenant: string, id: string): Promise<SessionClaim> {
    checkKey({ tenant, id });
    return this.#claiming.add({ tenant, id });
  }

  /** Releases a session, unless it was claimed again, or moved to another node. */
  async release({ record: { id, tenant }, epoch }: SessionClaim): Promise<void> {
    await this.#database.query(
      'UPDATE turnwire_sessions SET node = NULL WHERE id = $1 AND tenant = $2 AND epoch = $3 AND node = $4 RETURNING number',
      [id, tenant, epoch, this.#node],
    );
  }

  async append(claim: SessionClaim, events: readonly NewEvent[]): Promise<readonly StoredEvent[]> {
    checkEvents(events);
    return this.#appending.add({ claim, events });
  }

  async update({ record, epoch }: SessionClaim, change: RecordChange): Promise<void> {
    const columns = Object.entries(change).flatMap(([field, value]) => columnOf(field, value));
    const set = columns.map(({ name }, index) => `${name} = $${index + 5}`);
    const rows = await this.#database.query(
      `UPDATE turnwire_sessions SET ${['epoch = epoch', ...set].join(', ')}
        WHERE id = $1 AND tenant = $2 AND epoch = $3 AND ${byNode('$4')} RETURNING number`,
      [record.id, record.tenant, epoch, this.#node, ...columns.map(({ value }) => value)],
    );
    if (rows.length === 0) throw fenced();
  }

  async find(tenant: string, id: string): Promise<SessionRecord | undefined> {
    return isStorable({ tenant, id }) ? this.#reads.records.add({ tenant, id }) : undefined;
  }

  async read(
    { tenant, id, after }: { readonly tenant: string; readonly id: string; readonly after: Cursor },
    { limit, types }: { readonly limit: number; readonly types?: readonly string[] },
  ): Promise<EventPage> {
    checkLimit(limit);
    checkKey({ tenant, id });
    return this.#reads.pages.add({ tenant, id, after, limit, types });
  }

  async findByKey(tenant: string, id: string, key: string): Promise<StoredEvent | undefined> {
    checkKey({ tenant, id });
    const [row] = await this.#database.query<Partial<EventRow>>(
      `SELECT event.* FROM turnwire_sessions session
        LEFT JOIN turnwire_event_keys known ON known.session = session.number AND known.key = $3
        LEFT JOIN turnwire_events event ON event.session = session.number AND event.sequence = known.sequence
        WHERE session.id = $1 AND session.tenant = $2`,
      [id, tenant, key],
    );
    const found = foundEvent(row);
    if (found instanceof Error) throw found;
    return found;
  }

  async findLast(tenant: string, id: string, types: readonly string[]): Promise<StoredEvent | undefined> {
    checkKey({ tenant, id });
    return this.#reads.lasts.add({ tenant, id, types });
  }

  async list(query: SessionQuery): Promise<SessionPage> {
    checkLimit(query.limit);
    const { tenant, cwd = null, limit } = query;
    const after = placeAfter(query);
    const rows = await this.#database.query<SessionRow>(
      `SELECT * FROM turnwire_sessions WHERE tenant = $1 AND ($2::text IS NULL OR cwd = $2)
        AND ($3::bigint IS NULL OR updated_at < $3 OR (updated_at = $3 AND id > $4))
        ORDER BY updated_at DESC, id LIMIT $5`,
      // One more row shows whether there is a next page.
      [tenant, cwd, after?.updatedAt ?? null, after?.id ?? '', limit + 1],
    );
    const sessions = rows.slice(0, limit).map(recordOf);
    const last = sessions.at(-1);
    return { sessions, ...(last && rows.length > limit && { next: nextPage(last) }) };
  }

  async index({ record: { tenant, id }, epoch }: SessionClaim, texts: IndexedTexts): Promise<void> {
    const session = { tenant, id, epoch, node: this.#node };
    if (!(await indexTexts(this.#database, { session, mayWrite: byNode('$4') }, texts))) throw fenced();
  }

  async search(query: TextQuery): Promise<readonly FoundSession<SessionRecord>[]> {
    return searchTexts(this.#database, query);
  }

  async use(tenant: string): Promise<StoredUse> {
    const [row] = await this.#database.query<{ readonly sessions: string; readonly bytes: string }>(
      'SELECT count(*) AS sessions, coalesce(sum(bytes), 0) AS bytes FROM turnwire_sessions WHERE tenant = $1',
      [tenant],
    );
    return { sessions: Number(row?.sessions), storedBytes: Number(row?.bytes) };
  }

  async trim({ record: { tenant, id }, epoch }: SessionClaim, upTo: Cursor): Promise<void> {
    if (!isCursor(upTo)) throw notInLog(upTo);
    const [row] = await this.#database.query<SessionRow & { readonly epoch_at: number | null }>(
      `SELECT *, (SELECT epoch FROM turnwire_events WHERE session = number AND sequence = $3) AS epoch_at
        FROM turnwire_sessions WHERE id = $1 AND tenant = $2`,
      [id, tenant, upTo.sequence],
    );
    if (row?.epoch !== epoch) throw fenced();
    if (gapAfter(upTo, extentOf(row), () => row.epoch_at ?? undefined) !== undefined) throw notInLog(upTo);
    const rows = await this.#database.query(
      `WITH owned AS (
        UPDATE turnwire_sessions SET floor_epoch = $4, floor_sequence = $5, bytes = bytes - (
          SELECT coalesce(sum(octet_length(payload)), 0) FROM turnwire_events WHERE session = number AND sequence <= $5)
        WHERE id = $1 AND tenant = $2 AND epoch = $3 AND ${byNode('$6')} RETURNING number
      ), trimmed AS (
        DELETE FROM turnwire_events USING owned WHERE session = number AND sequence <= $5
      ), trimmed_texts AS (
        DELETE FROM turnwire_passages passage USING owned
        WHERE session = owned.number AND sequence BETWEEN 1 AND $5
      ) SELECT number FROM owned`,
      [id, tenant, epoch, upTo.epoch, upTo.sequence, this.#node],
    );
    if (rows.length === 0) throw fenced();
  }

  async delete(tenant: string, id: string): Promise<void> {
    await this.#database.whenThere(async (query, attempt) => {
      const rows = await query(
        `WITH gone AS (DELETE FROM turnwire_sessions WHERE id = $1 AND tenant = $2 RETURNING number),
          events AS (DELETE FROM turnwire_events USING gone WHERE session = number),
          keys AS (DELETE FROM turnwire_event_keys USING gone WHERE session = number),
          texts AS (DELETE FROM turnwire_passages passage USING gone WHERE session = gone.number)
        SELECT number FROM gone`,
        [id, tenant],
      );
      if (rows.length === 0 && attempt === 0) throw notFound();
    });
  }

  async recordUsage(turn: TurnUsage): Promise<void> {
    await recordUsage(this.#database, turn);
  }

  async usage(query: UsageQuery): Promise<readonly UsageRow[]> {
    return usage(this.#database, query);
  }

  async lastReported(tenant: string, agentSession: string): Promise<number | undefined> {
    return lastReported(this.#database, tenant, agentSession);
  }

  async close(): Promise<void> {
    await this.#appending.settled();
    await this.#database.close();
  }

  /** Claims distinct sessions. */
  async #claim(calls: readonly SessionKey[]): Promise<readonly (SessionClaim | Error)[]> {
    const rows = await this.#database.query<SessionRow & { readonly index: string }>(
      `WITH ${calledSessions}, sessions AS (
        -- In a fixed order, so that two claims cannot deadlock.
        SELECT number, index FROM turnwire_sessions JOIN calls USING (id, tenant) ORDER BY number FOR UPDATE OF turnwire_sessions
      ) UPDATE turnwire_sessions session SET epoch = epoch + 1, node = $3 FROM sessions
        WHERE session.number = sessions.number AND ($3::bigint IS NULL OR NOT EXISTS (
          SELECT FROM turnwire_nodes node WHERE node.number = session.node AND node.number <> $3))
        RETURNING index, session.*`,
      [...namesOf(calls), this.#node],
    );
    const claims = new Map(rows.map((row) => [Number(row.index), claimOf(row)]));
    return Promise.all(
      calls.map(async ({ tenant, id }, index) => {
        const claim = claims.get(index + 1);
        return claim ?? ((await this.find(tenant, id)) ? elsewhere() : notFound());
      }),
    );
  }
}

/** The number of leading calls with distinct sessions, up to 500. */
function distinct(waiting: readonly SessionKey[]): number {
  const ids = new Set<string>();
  const end = waiting.findIndex(({ id }) => ids.size === ids.add(id).size);
  return Math.min(end === -1 ? waiting.length : end, 500);
}

/** The column of a changed field. */
function columnOf(field: string, value: unknown): readonly { readonly name: string; readonly value: unknown }[] {
  if (value === undefined) return [];
  const name = field.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  return [{ name, value: jsonFields.has(field) ? JSON.stringify(value) : value }];
}

const jsonFields = new Set(['title', 'additionalDirectories', 'facts']);
