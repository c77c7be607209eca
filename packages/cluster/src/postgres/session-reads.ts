import { type Cursor, type EventPage, type SessionRecord, type StoredEvent } from '@turnwire/runtime';
import { gapAfter, isCursor, notFound, pageCharacters } from '@turnwire/runtime/store';
import { CallQueue } from './call-queue.ts';
import type { Database } from './database.ts';
import { type EventRow, eventOf, type ExtentRow, extentOf, recordOf, type SessionRow } from './rows.ts';

/** How many calls one statement answers at most, and how many of those that may be answered with a mebibyte each. */
const mostTogether = 500;
const mostPages = 50;
/** How many statements of a kind run at the same time. */
const atOnce = 2;

/** A session as it is asked for. */
export interface SessionPlace {
  readonly tenant: string;
  readonly id: string;
}

interface PageAsked extends SessionPlace {
  readonly after: Cursor;
  readonly limit: number;
  readonly types: readonly string[] | undefined;
}

interface LastAsked extends SessionPlace {
  readonly types: readonly string[];
}

/** By its index, from 1 on, the call that a row answers. */
interface Indexed {
  readonly index: string;
}

/** Reads of any number of sessions, of which those that come together are answered by one statement. */
export class SessionReads {
  readonly records: CallQueue<SessionPlace, SessionRecord | undefined>;
  readonly pages: CallQueue<PageAsked, EventPage>;
  readonly lasts: CallQueue<LastAsked, StoredEvent | undefined>;

  constructor(database: Database) {
    const take = ({ length }: { readonly length: number }): number => Math.min(length, mostTogether);
    this.records = new CallQueue<SessionPlace, SessionRecord | undefined>({
      take,
      atOnce,
      answer: (calls) => recordsOf(database, calls),
    });
    this.lasts = new CallQueue<LastAsked, StoredEvent | undefined>({
      take,
      atOnce,
      answer: (calls) => lastsOf(database, calls),
    });
    this.pages = new CallQueue({
      take: ({ length }) => Math.min(length, mostPages),
      atOnce,
      answer: (calls) => pagesOf(database, calls),
    });
  }
}

/** Whether a session can have this name. PostgreSQL stores no NUL: a statement with one fails, and the other calls in it with it. */
export function isStorable({ tenant, id }: SessionPlace): boolean {
  return !`${tenant}${id}`.includes('\0');
}

/** Rejects a name that no session can have. */
export function checkPlace(place: SessionPlace): void {
  if (!isStorable(place)) throw notFound();
}

/** What the parameters `$1` and `$2` of a statement name, as the table `calls`. */
export const calledSessions =
  'calls AS (SELECT * FROM unnest($1::text[], $2::text[]) WITH ORDINALITY AS call (id, tenant, index))';

/** The parameters `$1` and `$2` of a statement. */
export function namesOf(calls: readonly SessionPlace[]): readonly [readonly string[], readonly string[]] {
  return [calls.map(({ id }) => id), calls.map(({ tenant }) => tenant)];
}

async function recordsOf(
  database: Database,
  calls: readonly SessionPlace[],
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
  calls: readonly LastAsked[],
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

/** The event of a row that there is for each session, also for one without the event. */
export function foundEvent(row: Partial<EventRow> | undefined): StoredEvent | undefined | Error {
  if (!row) return notFound();
  return typeof row.sequence === 'string' ? eventOf(row as EventRow) : undefined;
}

async function pagesOf(database: Database, calls: readonly PageAsked[]): Promise<readonly (EventPage | Error)[]> {
  const rows = await database.query<ExtentRow & Partial<EventRow> & Indexed>(
    // One statement sees one state. The first event is given whatever its size.
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
      // Without types it is the place that is asked for.
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
