import type { Agent } from '../agent/agent.ts';
import { reduceAll } from '../transcript/reduce.ts';
import { emptyTranscript } from '../transcript/transcript.ts';
import type { TranscriptView } from '../transcript/transcript-view.ts';
import { askGateway, type GatewayMethods } from './gateway-methods.ts';

/** The number of events per request, small enough to keep a page responsive. */
const pageEvents = 500;

/** The cursor before the first event. */
export const beginning = '0.0';

/** The number of an event in the log. */
export function sequenceOf(cursor: string): number {
  return Number(cursor.split('.')[1]);
}

/** Reads the last events of a session, and the earlier ones that still apply. */
export function readEnd(
  agent: Agent,
  sessionId: string,
  last: number,
): Promise<GatewayMethods['_turnwire/history']['result']> {
  return askGateway(agent, '_turnwire/history', { sessionId, last, limit: pageEvents });
}

/** The end of a session as a transcript. */
export interface HistoryRead {
  readonly view: TranscriptView;
  /** The cursor before its first event. */
  readonly start: string;
}

/**
 * Reads the last events of a session, page by page, up to the client's last event. It reads known events again, since a later event may change
 * an earlier one: the end of a tool call belongs to its beginning.
 * @param range `cursor` returns the client's last event, which may change during the reading
 * @param show receives the transcript before any further event arrives
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
    // The client receives later events anyway.
    const due = page.events.filter((each) => sequenceOf(each.cursor) <= sequenceOf(end));
    view = reduceAll(
      view,
      due.map(({ event }) => event),
    );
    const after = due.at(-1)?.cursor ?? end;
    if (after === end) return show({ view, start });
    page = await askGateway(agent, '_turnwire/history', { sessionId, after, limit: pageEvents });
  }
}
