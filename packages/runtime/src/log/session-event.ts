import type { SessionEvent } from '@turnwire/client/gateway';
import type { Cursor } from '../store/session-store.ts';

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
