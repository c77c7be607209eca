import type { TranscriptEvent } from '@turnwire/client/transcript';
import type { Cursor } from '../store/session-store.ts';

/** Who caused an event. */
export interface Author {
  /** The connection it came by: no other connection of the gateway has this id. */
  readonly connection: string;
  /** The name the client gave in `initialize`. */
  readonly client: string;
}

/** An event of a session as the log keeps it: what a transcript is made of, and who caused it, where that is a client. */
export type SessionEvent = TranscriptEvent & { readonly by?: Author };

/** An event, and its place in the log. */
export interface PlacedEvent extends Cursor {
  readonly event: SessionEvent;
}

/** An event in the log, for those who show it. */
export interface LoggedEvent extends PlacedEvent {
  /** The event as it is stored: JSON. */
  readonly payload: string;
}

/** The update of an event, as JSON. Nearly always it is cut out of what is stored, which this program has written. */
export function updateText(event: SessionEvent & { readonly type: 'update' }, payload: string): string {
  const head = `{"at":${event.at},"type":"update","update":`;
  // What else an event may have stands behind its update.
  const isPlain = event.isReplay === undefined && event.by === undefined && payload.startsWith(head);
  return isPlain ? payload.slice(head.length, -1) : JSON.stringify(event.update);
}
