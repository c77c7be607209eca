import { type ClientCapabilities, type HistoryPage, invalidParams } from '@turnwire/protocol';
import { beginning, type Cursor, cursorText, readCursor, type Session } from '@turnwire/runtime';
import type { SessionEvent } from '@turnwire/client/gateway';
import { eventFor } from './shown-event.ts';

/** The maximum number of events on a page. */
const maxEvents = 2_000;

/** A page of a session's log, whether or not the client has the session open. Throws the ProtocolError to answer with. */
export async function historyPage(
  host: Session,
  params: object,
  capabilities: ClientCapabilities,
): Promise<HistoryPage<SessionEvent>> {
  const { last, after, limit = maxEvents } = params as Readonly<Record<string, unknown>>;
  const count = naturalNumber(limit, 'limit');
  const { log } = host;
  const { head } = log;
  const start = last === undefined ? cursorIn(after) : await log.startOfLast(naturalNumber(last, 'last'));
  const events = await log.pageAfter(start, Math.min(count, maxEvents));
  const isComplete = events.length > 0 || start.sequence >= head.sequence;
  if (!isComplete) throw invalidParams('_turnwire/history: the log has no event after this cursor');
  return {
    start: cursorText(start),
    events: events.map(({ event, ...cursor }) => ({
      cursor: cursorText(cursor),
      event: eventFor(event, capabilities),
    })),
    head: cursorText(head),
    ...(last !== undefined && { standing: await snapshotAt(host, start, capabilities) }),
  };
}

async function snapshotAt(
  { log, record, facts }: Session,
  start: Cursor,
  capabilities: ClientCapabilities,
): Promise<readonly SessionEvent[]> {
  if (start.sequence === 0) return [];
  const { title, createdAt: at } = record;
  const { modes, configOptions } = facts;
  const stored: readonly SessionEvent[] = [
    { at, type: 'update', update: { sessionUpdate: 'session_info_update', title } },
    { at, type: 'setup', modes: modes ?? null, configOptions: configOptions ?? null },
  ];
  return [...stored, ...(await log.snapshotAt(start))].map((event) => eventFor(event, capabilities));
}

function cursorIn(after: unknown): Cursor {
  const cursor = after === undefined ? beginning : readCursor(after);
  if (!cursor) throw invalidParams('_turnwire/history: `after` must be the cursor of an event, such as "1.42"');
  return cursor;
}

function naturalNumber(value: unknown, name: string): number {
  if (!Number.isSafeInteger(value) || (value as number) < 1)
    throw invalidParams(`_turnwire/history: \`${name}\` must be a whole number, at least 1`);
  return value as number;
}
