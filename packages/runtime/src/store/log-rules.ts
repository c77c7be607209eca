import type { Cursor, GapReason, NewEvent, SessionQuery } from './session-store.ts';
import { StoreError } from './store-error.ts';

/** The longest key of an event, in UTF-16 units. */
const longestKey: number = 256;

/** The payload after which a page is full, in UTF-16 units. */
export const pageCharacters: number = 1024 * 1024;

/** The cursor before the first event of a session. */
export const start: Cursor = { epoch: 0, sequence: 0 };

/** The beginning and the end of a session's log. */
export interface LogExtent {
  /** The last trimmed event; {@link start} before the first trim. */
  readonly floor: Cursor;
  /** The last event; {@link start} of an empty log. */
  readonly head: Cursor;
}

/** Whether a cursor, which may come from outside, is valid in any log. */
export function isCursor({ epoch, sequence }: Cursor): boolean {
  return Number.isSafeInteger(epoch) && Number.isSafeInteger(sequence) && epoch >= 0 && sequence >= 0;
}

/** Returns why some events after a cursor are missing; undefined if none are. `epochAt`: the epoch of a stored event. */
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

/** Throws for events that cannot be stored. A NUL character ends a text in SQLite, and PostgreSQL refuses it. */
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

/** Throws for a limit that is not a whole number above 0. */
export function checkLimit(limit: number): void {
  if (!Number.isSafeInteger(limit) || limit < 1)
    throw new StoreError('invalid-input', `a limit of ${limit} cannot be used; give a whole number from 1 on`);
}

/** The position of a session in a list. */
export interface ListPlace {
  readonly updatedAt: number;
  readonly id: string;
}

/** Returns the cursor of the next page of a list. */
export function nextPage({ updatedAt, id }: ListPlace): string {
  return Buffer.from(JSON.stringify([updatedAt, id])).toString('base64url');
}

/** Parses the cursor of a list: the last session of the page before. Returns undefined for the first page. */
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

/** The error for a session that the tenant does not have. It does not reveal whether another tenant has it. */
export function notFound(): StoreError {
  return new StoreError('not-found', 'there is no session with this id');
}

/** The error for a claim that no longer holds. */
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

/** The error for a trim up to an unknown event. */
export function notInLog({ epoch, sequence }: Cursor): StoreError {
  return new StoreError('invalid-input', `event ${sequence} of epoch ${epoch} is not in the log; nothing was trimmed`);
}
