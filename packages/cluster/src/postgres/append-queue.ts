import { randomUUID } from 'node:crypto';
import { fenced } from '@turnwire/runtime/store';
import type { NewEvent, SessionClaim, StoredEvent } from '@turnwire/runtime';
import { CallQueue } from './call-queue.ts';
import type { Database, Values } from './database.ts';

/** The limits of one statement: events, and text in UTF-16 units. */
const maxEvents = 2_000;
const maxText = 8 * 1024 * 1024;

/** Events to store. */
interface Call {
  readonly claim: SessionClaim;
  readonly events: readonly NewEvent[];
}

/** The result of a statement. */
interface Stored {
  /** The indexes of the calls with a valid claim. */
  readonly owned: readonly number[];
  /** The sequence of each stored event, by its index among all events. */
  readonly sequences: ReadonlyMap<number, number>;
}

/**
 * Queues events for the database. One statement at a time stores everything that has arrived in the meantime, for any number of sessions. It checks
 * the claim of each session and numbers its events while it holds the session's row.
 * @param node stores nothing once this node is removed from the table of nodes. Undefined: every holder of a claim may write
 */
export function appendQueue(database: Database, node: string | undefined): CallQueue<Call, readonly StoredEvent[]> {
  return new CallQueue({ take: fitting, answer: (calls) => append(calls, { database, node }) });
}

/** The number of calls that fit in one statement. */
function fitting(waiting: readonly Call[]): number {
  let events = 0;
  let text = 0;
  const end = waiting.findIndex((call) => {
    events += call.events.length;
    text += call.events.reduce((sum, { payload }) => sum + payload.length, 0);
    return events > maxEvents || text > maxText;
  });
  return end === -1 ? waiting.length : end;
}

async function append(
  calls: readonly Call[],
  { database, node }: { readonly database: Database; readonly node: string | undefined },
): Promise<readonly (readonly StoredEvent[] | Error)[]> {
  const batch = randomUUID();
  const { owned, sequences } = await database.whenThere(async (query, attempt) => {
    const before = attempt === 0 ? undefined : await storedBefore(query, { batch, calls });
    return before ?? stored(await query(appendStatement, [...valuesOf(calls, batch), node ?? null]));
  });
  const valid = new Set(owned);
  let ordinal = 0;
  return calls.map(({ claim, events }, index) => {
    const numbered = events.flatMap((event) => {
      const sequence = sequences.get(ordinal++);
      return sequence === undefined ? [] : [{ ...event, epoch: claim.epoch, sequence }];
    });
    return valid.has(index) ? numbered : fenced();
  });
}

const appendStatement = `
  WITH calls AS (
    SELECT * FROM unnest($1::text[], $2::text[], $3::int[]) WITH ORDINALITY AS call (id, tenant, epoch, index)
  ), node AS (
    -- Removing the node waits for this statement; its heartbeat does not.
    SELECT number FROM turnwire_nodes WHERE number = $10 FOR KEY SHARE
  ), sessions AS (
    -- In a fixed order, so that two writers cannot deadlock.
    SELECT number, id, tenant, epoch, head_sequence FROM turnwire_sessions WHERE id = ANY ($1) ORDER BY number FOR UPDATE
  ), owned AS (
    SELECT index, number, epoch, head_sequence FROM calls JOIN sessions USING (id, tenant, epoch)
    WHERE $10::bigint IS NULL OR EXISTS (SELECT FROM node)
  ), incoming AS (
    SELECT ordinal, at, type, payload, key, number, owned.epoch, head_sequence,
      row_number() OVER (PARTITION BY number, key ORDER BY ordinal) AS repetition
    FROM unnest($4::int[], $5::bigint[], $6::text[], $7::text[], $8::text[])
      WITH ORDINALITY AS event (index, at, type, payload, key, ordinal)
    JOIN owned USING (index)
  ), kept AS (
    SELECT ordinal, number, epoch, at, type, payload, key,
      head_sequence + row_number() OVER (PARTITION BY number ORDER BY ordinal) AS sequence
    FROM incoming
    WHERE key IS NULL OR (repetition = 1 AND NOT EXISTS (
      SELECT FROM turnwire_event_keys known WHERE known.session = incoming.number AND known.key = incoming.key))
  ), events AS (
    INSERT INTO turnwire_events (session, sequence, epoch, at, type, payload, key)
    SELECT number, sequence, epoch, at, type, payload, key FROM kept
  ), keys AS (
    INSERT INTO turnwire_event_keys (session, key, sequence) SELECT number, key, sequence FROM kept WHERE key IS NOT NULL
  ), heads AS (
    UPDATE turnwire_sessions SET batch = $9, batch_after = head_sequence, head_sequence = last, head_epoch = epoch,
      bytes = bytes + added
    FROM (
      SELECT number AS session, max(sequence) AS last, sum(octet_length(payload)) AS added FROM kept GROUP BY number
    ) AS moved
    WHERE number = moved.session
  )
  SELECT json_build_object(
    'owned', (SELECT coalesce(json_agg(index - 1), '[]') FROM owned),
    'kept', (SELECT coalesce(json_agg(json_build_array(ordinal - 1, sequence)), '[]') FROM kept)
  )::text AS answer`;

function valuesOf(calls: readonly Call[], batch: string): Values {
  const events = calls.flatMap(({ events }, index) => events.map((event) => ({ ...event, index: index + 1 })));
  return [
    calls.map(({ claim }) => claim.record.id),
    calls.map(({ claim }) => claim.record.tenant),
    calls.map(({ claim }) => claim.epoch),
    events.map(({ index }) => index),
    events.map(({ at }) => at),
    events.map(({ type }) => type),
    events.map(({ payload }) => payload),
    events.map(({ key }) => key ?? null),
    batch,
  ];
}

function stored([row]: readonly unknown[]): Stored {
  const { answer } = row as { readonly answer: string };
  const { owned, kept } = JSON.parse(answer) as {
    readonly owned: readonly number[];
    readonly kept: readonly (readonly [number, number])[];
  };
  return { owned, sequences: new Map(kept) };
}

/**
 * The result of a statement whose answer was lost; undefined if it stored nothing. A statement stores all or nothing. A session that it changed lists
 * its events; a session that it did not change has another owner now, or already had all events.
 */
async function storedBefore(
  query: Database['query'],
  { batch, calls }: { readonly batch: string; readonly calls: readonly Call[] },
): Promise<Stored | undefined> {
  const rows = await query<{ id: string; sequence: string; key: string | null }>(
    `SELECT id, sequence, key FROM turnwire_sessions JOIN turnwire_events ON session = number
      WHERE batch = $1 AND sequence > batch_after AND id = ANY ($2) ORDER BY sequence`,
    [batch, calls.map(({ claim }) => claim.record.id)],
  );
  if (rows.length === 0) return undefined;
  const left = new Map<string, { readonly sequence: number; readonly key: string | null }[]>();
  for (const { id, sequence, key } of rows)
    left.set(id, [...(left.get(id) ?? []), { sequence: Number(sequence), key }]);
  const valid = new Set(calls.map(({ claim }) => claim).filter(({ record: { id } }) => left.has(id)));
  for (const claim of await stillValid(query, calls)) valid.add(claim);
  const sequences = new Map<number, number>();
  let ordinal = 0;
  for (const { claim, events } of calls)
    for (const { key = null } of events) {
      const next = left.get(claim.record.id);
      const first = next?.[0];
      if (first && first.key === key) {
        sequences.set(ordinal, first.sequence);
        next.shift();
      }
      ordinal++;
    }
  return { owned: calls.flatMap(({ claim }, index) => (valid.has(claim) ? [index] : [])), sequences };
}

async function stillValid(query: Database['query'], calls: readonly Call[]): Promise<readonly SessionClaim[]> {
  const claims = calls.map(({ claim }) => claim);
  const rows = await query<{ id: string; tenant: string; epoch: number }>(
    'SELECT id, tenant, epoch FROM turnwire_sessions WHERE id = ANY ($1)',
    [claims.map(({ record }) => record.id)],
  );
  return claims.filter(({ record, epoch }) =>
    rows.some((row) => row.id === record.id && row.tenant === record.tenant && row.epoch === epoch),
  );
}
