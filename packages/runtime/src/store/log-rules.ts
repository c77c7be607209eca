import type { Cursor, GapReason, NewEvent, SessionQuery } from './session-store.ts';
import { StoreError } from './store-error.ts';

/** The longest key of an event, in characters. */
const longestKey: number = 256;

/** Characters of payload after which a page is full. */
export const pageCharacters: number = 1024 * 1024;

/** Before the first event of a session. */
export const start: Cursor = { epoch: 0, sequence: 0 };

/** Where the log of a session begins and ends. */
export interface LogExtent {
  /** The last event that was trimmed; {@link start} if none was. */
  readonly floor: Cursor;
  /** The last event; {@link start} of an empty log. */
  readonly head: Cursor;
}

/** Whether a cursor can be a place in a log at all: it may come from outside. */
export function isCursor({ epoch, sequence }: Cursor): boolean {
  return Number.isSafeInteger(epoch) && Number.isSafeInteger(sequence) && epoch >= 0 && sequence >= 0;
}

/** The reason why events after a cursor cannot be given without a gap. `epochAt`: the epoch of an event that is kept. */
export function gapAfter(
  cursor: Cursor,
  { floor, head }: LogExtent,
  epochAt: (sequence: number) => number | undefined,
): GapReason | undefined {
  const { epoch, sequence } = cursor;
  if (!isCursor(cursor) || sequence > head.sequence || epoch > head.epoch) return 'unknown';
  if (sequence === 0 && epoch !== 0) return 'unknown';
  if (sequence < floor.sequence) return 'trimmed';
  const actual = sequence === floor.sequence ? floor.epoch : epochAt(sequence);
  return actual === epoch ? undefined : 'unknown';
}

/** Rejects events that cannot be stored. A NUL character ends a text in SQLite, and PostgreSQL refuses it. */
export function checkEvents(events: readonly NewEvent[]): void {
  for (const { key } of events) {
    if (key === undefined) continue;
    if (key === '' || key.length > longestKey || key.includes('\0'))
      throw new StoreError(
        'invalid-input',
        `the key of an event has ${key.length} characters; 1 to ${longestKey} can be stored, none of them NUL`,
      );
  }
}

/** Rejects a limit that is no number of things. */
export function checkLimit(limit: number): void {
  if (!Number.isSafeInteger(limit) || limit < 1)
    throw new StoreError('invalid-input', `a limit of ${limit} cannot be used; give a whole number from 1 on`);
}

/** The place of a session in a list. */
export interface ListPlace {
  readonly updatedAt: number;
  readonly id: string;
}

/** What the next page of a list is asked for with. */
export function nextPage({ updatedAt, id }: ListPlace): string {
  return Buffer.from(JSON.stringify([updatedAt, id])).toString('base64url');
}

/** The last session of the page before; undefined for the first page. */
export function placeAfter({ after }: SessionQuery): ListPlace | undefined {
  if (after === undefined) return undefined;
  const [updatedAt, id] = parsedPair(Buffer.from(after, 'base64url').toString());
  if (typeof updatedAt !== 'number' || typeof id !== 'string')
    throw new StoreError(
      'invalid-input',
      'the cursor of this list is not one that a list has given; list from the beginning',
    );
  return { updatedAt, id };
}

function parsedPair(text: string): readonly unknown[] {
  try {
    const value: unknown = JSON.parse(text);
    return Array.isArray(value) ? value : [];
  } catch {
    return [];
  }
}

/** The error for a session that the tenant has none of. The tenant of an existing one is not revealed. */
export function notFound(): StoreError {
  return new StoreError('not-found', 'there is no session with this id');
}

/** The error for a claim that is over. */
export function fenced(): StoreError {
  return new StoreError(
    'fenced',
    'the session was claimed by another owner or deleted; claim it again to go on with it',
  );
}

/** The error for a session that another node has. */
export function elsewhere(): StoreError {
  return new StoreError('elsewhere', 'another node has this session; load it again to be led there');
}

/** The error for an id that is in use. */
export function idTaken(): StoreError {
  return new StoreError('invalid-input', 'a session with this id exists; choose another id');
}

/** The error for trimming up to an event that is not there. */
export function notInLog({ epoch, sequence }: Cursor): StoreError {
  return new StoreError('invalid-input', `event ${sequence} of epoch ${epoch} is not in the log; nothing was trimmed`);
}
