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

/** An event in the log, for those who show it. */
export interface LoggedEvent extends Cursor {
  readonly event: SessionEvent;
}
