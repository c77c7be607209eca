import type { Cursor, LoggedEvent, Session } from '@turnwire/runtime';

/** Events that are read at first: most turns are shorter. */
const first = 256;

/** The events of a turn from its beginning up to a cursor, oldest first. Empty if no later event can belong to that turn. */
export async function turnUpTo(
  { log, turns }: Pick<Session, 'log' | 'turns'>,
  upTo: Cursor,
): Promise<readonly LoggedEvent[]> {
  const { sequence: head } = log.head;
  if (upTo.sequence === 0 || (upTo.sequence >= head && !turns.areUnderWay)) return [];
  for (let count = first, earliest = Infinity; ; count *= 4) {
    const start = await log.startOfLast(head - upTo.sequence + count);
    const events = await eventsBetween(log, start, upTo);
    const begin = events.findLastIndex(({ event }) => event.type === 'prompt' && event.into === undefined);
    // There are no earlier events.
    if (begin >= 0 || start.sequence === 0 || start.sequence >= earliest) return events.slice(Math.max(begin, 0));
    earliest = start.sequence;
  }
}

async function eventsBetween(log: Session['log'], start: Cursor, end: Cursor): Promise<readonly LoggedEvent[]> {
  const events: LoggedEvent[] = [];
  for (let last = start; last.sequence < end.sequence;) {
    const page = await log.pageAfter(last);
    const next = page.at(-1);
    if (next === undefined) break;
    events.push(...page.filter(({ sequence }) => sequence <= end.sequence));
    last = next;
  }
  return events;
}
