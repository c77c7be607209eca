import type { Cursor } from '../store/session-store.ts';

/** Before the first event. */
export const beginning: Cursor = { epoch: 0, sequence: 0 };

/** A cursor as clients get it: `EPOCH.SEQUENCE`. */
export function cursorText({ epoch, sequence }: Cursor): string {
  return `${epoch}.${sequence}`;
}

/** The cursor a client sent; undefined if it is none. */
export function readCursor(text: unknown): Cursor | undefined {
  const [, epoch, sequence] = (typeof text === 'string' && /^(\d{1,15})\.(\d{1,15})$/.exec(text)) || [];
  return epoch === undefined ? undefined : { epoch: Number(epoch), sequence: Number(sequence) };
}
