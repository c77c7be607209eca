import type { SessionEvent } from '@turnwire/client/gateway';
import type { Cursor } from '../store/session-store.ts';

/** An event, and its cursor. */
export interface PlacedEvent extends Cursor {
  readonly event: SessionEvent;
}

/** An event in the log, for subscribers. */
export interface LoggedEvent extends PlacedEvent {
  /** The event as it is stored: JSON. */
  readonly payload: string;
}

/** Returns the update of an event as JSON: nearly always a part of the stored text, which this program has written. */
export function updateText(event: SessionEvent & { readonly type: 'update' }, payload: string): string {
  const head = `{"at":${event.at},"type":"update","update":`;
  // Other fields of an event follow its update.
  const isPlain =
    event.isReplay === undefined && event.said === undefined && event.by === undefined && payload.startsWith(head);
  return isPlain ? payload.slice(head.length, -1) : JSON.stringify(event.update);
}
