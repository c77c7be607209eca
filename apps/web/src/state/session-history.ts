import type { Agent } from '@turnwire/client';
import { emptyTranscript, reduceAll, type TranscriptEvent, type TranscriptView } from '@turnwire/client/transcript';

/** How many events are read at a time: few enough that a page stays usable meanwhile. */
const pageEvents = 500;

/** An event with its place in the log. */
export interface PlacedEvent {
  readonly cursor: string;
  readonly event: TranscriptEvent;
}

/** A page of the log of a session: `_turnwire/history` in docs/guide/serve.md. */
export interface HistoryPage {
  readonly start: string;
  readonly events: readonly PlacedEvent[];
  readonly head: string;
  readonly standing?: readonly TranscriptEvent[];
}

/** Before the first event. */
export const beginning = '0.0';

/** The last events of a session, with what still holds of those before. */
export function readEnd(agent: Agent, sessionId: string, last: number): Promise<HistoryPage> {
  return read(agent, { sessionId, last, limit: pageEvents });
}

/** A session from one of its events on, as it is now. */
export interface HistoryRead {
  readonly view: TranscriptView;
  /** Where it begins. */
  readonly start: string;
}

/**
 * Reads the last events of a session, page by page, up to where its window is. They are all read anew, since a later event changes what came
 * of an earlier one: the end of a tool call is part of its beginning.
 * @param range `cursor` is the last event that the window has, which may get more meanwhile
 * @param show called at once when nothing is missing any more
 */
export async function readUpTo(
  agent: Agent,
  range: { readonly sessionId: string; readonly last: number; readonly cursor: () => string | undefined },
  show: (read: HistoryRead) => void,
): Promise<void> {
  const { sessionId, last, cursor } = range;
  let page = await readEnd(agent, sessionId, last);
  const { start, standing = [] } = page;
  let view = reduceAll(emptyTranscript(), standing);
  for (;;) {
    const end = cursor() ?? start;
    // What the window has not received yet comes by itself.
    const due = page.events.filter((each) => sequenceOf(each.cursor) <= sequenceOf(end));
    view = reduceAll(
      view,
      due.map(({ event }) => event),
    );
    const after = due.at(-1)?.cursor ?? end;
    if (after === end) return show({ view, start });
    page = await read(agent, { sessionId, after, limit: pageEvents });
  }
}

/** The number of an event in the log, whatever epoch it was written in. */
export function sequenceOf(cursor: string): number {
  return Number(cursor.split('.')[1]);
}

function read(agent: Agent, params: object): Promise<HistoryPage> {
  return agent.peer.raw.request('_turnwire/history', params) as Promise<HistoryPage>;
}
