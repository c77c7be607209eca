import { type Cursor, type EventPage, type SessionRecord, type StoredEvent } from '@turnwire/runtime';
import { gapAfter, isCursor, notFound, pageCharacters } from '@turnwire/runtime/store';
import { CallQueue } from './call-queue.ts';
import type { Database } from './database.ts';
import { type EventRow, eventOf, type ExtentRow, extentOf, recordOf, type SessionRow } from './rows.ts';

/** Calls that one statement answers at most; fewer for pages, whose answers may have a mebibyte each. */
const maxCalls = 500;
const maxPages = 50;
/** Concurrent statements of each kind. */
const concurrency = 2;

/** The key of a session. */
export interface SessionKey {
  readonly tenant: string;
  readonly id: string;
}

interface PageCall extends SessionKey {
  readonly after: Cursor;
  readonly limit: number;
  readonly types: readonly string[] | undefined;
}

interface LastCall extends SessionKey {
  readonly types: readonly string[];
}

/** The index of the call that a row answers, from 1 on. */
interface Indexed {
  readonly index: string;
}

/** Reads of any number of sessions. One statement answers all calls that arrive together. */
export class SessionReads {
  readonly records: CallQueue<SessionKey, SessionRecord | undefined>;
  readonly pages: CallQueue<PageCall, EventPage>;
  readonly lasts: CallQueue<LastCall, StoredEvent | undefined>;

  constructor(database: Database) {
    const take = ({ length }: { readonly length: number }): number => Math.min(length, maxCalls);
    this.records = new CallQueue<SessionKey, SessionRecord | undefined>({
      take,
      concurrency,
      answer: (calls) => recordsOf(database, calls),
    });
    this.lasts = new CallQueue<LastCall, StoredEvent | undefined>({
      take,
      concurrency,
      answer: (calls) => lastsOf(database, calls),
    });
    this.pages = new CallQueue({
      take: ({ length }) => Math.min(length, maxPages),
      concurrency,
      answer: (calls) => pagesOf(database, calls),
    });
  }
}

/** Whether a session can have this key. PostgreSQL stores no NUL: a statement with one fails, together with all its other calls. */
export function isStorable({ tenant, id }: SessionKey): boolean {
  return !`${tenant}${id}`.includes('\0');
}

/** Throws for a key that no session can have. */
export function checkKey(key: SessionKey): void {
  if (!isStorable(key)) throw notFound();
}

/** The table `calls` from the parameters `$1` and `$2` of a statement. */
export const calledSessions =
  'calls AS (SELECT * FROM unnest($1::text[], $2::text[]) WITH ORDINALITY AS call (id, tenant, index))';

/** The parameters `$1` and `$2` of a statement. */
export function namesOf(calls: readonly SessionKey[]): readonly [readonly string[], readonly string[]] {
  return [calls.map(({ id }) => id), calls.map(({ tenant }) => tenant)];
}

async function recordsOf(
  database: Database,
  calls: readonly SessionKey[],
): Promise<readonly (SessionRecord | undefined)[]> {
  const rows = await database.query<SessionRow & Indexed>(
    `WITH ${calledSessions} SELECT index, session.* FROM calls JOIN turnwire_sessions session USING (id, tenant)`,
    namesOf(calls),
  );
  const byCall = new Map(rows.map((row) => [Number(row.index), row]));
  return calls.map((_, index) => {
    const row = byCall.get(index + 1);
    return row && recordOf(row);
  });
}

async function lastsOf(
  database: Database,
  calls: readonly LastCall[],
): Promise<readonly (StoredEvent | undefined | Error)[]> {
  const rows = await database.query<Partial<EventRow> & Indexed>(
    `WITH ${calledSessions}, wanted AS (SELECT * FROM unnest($3::text[]) WITH ORDINALITY AS wanted (types, index))
      SELECT index, event.* FROM calls JOIN wanted USING (index) JOIN turnwire_sessions session USING (id, tenant)
      LEFT JOIN LATERAL (
        SELECT * FROM turnwire_events WHERE session = session.number AND type = ANY (string_to_array(types, ','))
        ORDER BY sequence DESC LIMIT 1
      ) AS event ON true`,
    [...namesOf(calls), calls.map(({ types }) => types.join(','))],
  );
  const byCall = new Map(rows.map((row) => [Number(row.index), row]));
  return calls.map((_, index) => foundEvent(byCall.get(index + 1)));
}

/** The event of a row that exists for each session, even without an event. */
export function foundEvent(row: Partial<EventRow> | undefined): StoredEvent | undefined | Error {
  if (!row) return notFound();
  return typeof row.sequence === 'string' ? eventOf(row as EventRow) : undefined;
}

async function pagesOf(database: Database, calls: readonly PageCall[]): Promise<readonly (EventPage | Error)[]> {
  const rows = await database.query<ExtentRow & Partial<EventRow> & Indexed>(
    // One statement sees one state. The first event is returned whatever its size.
    `WITH ${calledSessions}, wanted AS (
        SELECT * FROM unnest($3::bigint[], $4::bigint[], $5::text[]) WITH ORDINALITY AS wanted (after, most, types, index)
      )
      SELECT index, head_epoch, head_sequence, floor_epoch, floor_sequence, page.*,
        (SELECT epoch FROM turnwire_events WHERE session = session.number AND sequence = wanted.after) AS epoch_at
      FROM calls JOIN wanted USING (index) JOIN turnwire_sessions session USING (id, tenant)
      LEFT JOIN LATERAL (
        SELECT *, sum(length(payload)) OVER (ORDER BY sequence) - length(payload) AS before FROM (
          SELECT sequence, epoch, at, type, payload, key FROM turnwire_events
          WHERE session = session.number AND sequence > wanted.after
            AND (types IS NULL OR type = ANY (string_to_array(types, ',')))
          ORDER BY sequence LIMIT most
        ) AS events
      ) AS page ON before = 0 OR before + length(payload) <= $6
      ORDER BY index, sequence`,
    [
      ...namesOf(calls),
      calls.map(({ after }) => (isCursor(after) ? after.sequence : 0)),
      // An empty list of types only requests the position.
      calls.map(({ limit, types }) => (types?.length === 0 ? 0 : limit)),
      calls.map(({ types }) => types?.join(',') ?? null),
      pageCharacters,
    ],
  );
  const byCall = new Map<number, (typeof rows)[number][]>();
  for (const row of rows) {
    const known = byCall.get(Number(row.index));
    if (known) known.push(row);
    else byCall.set(Number(row.index), [row]);
  }
  return calls.map(({ after }, index) => pageIn(byCall.get(index + 1) ?? [], after));
}

function pageIn(rows: readonly (ExtentRow & Partial<EventRow>)[], after: Cursor): EventPage | Error {
  const [first] = rows;
  if (!first) return notFound();
  const extent = extentOf(first);
  const gap = gapAfter(after, extent, () => first.epoch_at ?? undefined);
  if (gap !== undefined) return { gap, ...extent };
  const events = rows.filter(({ sequence }) => typeof sequence === 'string');
  return { events: events.map((row) => eventOf(row as EventRow)), head: extent.head };
}
