import { resolve } from 'node:path';
import { TurnwireError } from '@turnwire/protocol';

/** A session's place in a list. */
export interface Place {
  readonly id: string;
  /** When it was last used, in milliseconds since 1970. */
  readonly time: number;
}

/** Sorts the session last used to the front; of two with one time, either way but always the same. */
export function newestFirst(one: Place, other: Place): number {
  return other.time - one.time || Number(one.id < other.id) - Number(one.id > other.id);
}

/** True if both paths name one folder, written with or without a slash at its end. Links are not followed. */
export function isSameFolder(one: string, other: string): boolean {
  return one === other || resolve(one) === resolve(other);
}

/** The cursor that leads to what comes after this place. */
export function cursorAfter({ time, id }: Place): string {
  return Buffer.from(JSON.stringify([time, id])).toString('base64url');
}

/** @throws TurnwireError `invalid-input` if it is none of ours */
export function placeOfCursor(cursor: string): Place {
  const place = parse(Buffer.from(cursor, 'base64url').toString());
  if (Array.isArray(place) && typeof place[0] === 'number' && typeof place[1] === 'string')
    return { time: place[0], id: place[1] };
  throw new TurnwireError('invalid-input', 'The cursor is not one of this agent: begin again without a cursor');
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
