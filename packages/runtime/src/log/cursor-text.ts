import type { Cursor } from '../store/session-store.ts';

/** The cursor before the first event. */
export const beginning: Cursor = { epoch: 0, sequence: 0 };

/** Formats a cursor for clients: `EPOCH.SEQUENCE`. */
export function cursorText({ epoch, sequence }: Cursor): string {
  return `${epoch}.${sequence}`;
}

/** Parses a cursor of a client. Returns undefined if it is invalid. */
export function readCursor(text: unknown): Cursor | undefined {
  const [, epoch, sequence] = (typeof text === 'string' && /^(\d{1,15})\.(\d{1,15})$/.exec(text)) || [];
  return epoch === undefined ? undefined : { epoch: Number(epoch), sequence: Number(sequence) };
}
