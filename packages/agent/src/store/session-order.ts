import { TurnwireError } from '@turnwire/protocol';

/** The position of a session in a list. */
export interface ListPosition {
  readonly id: string;
  /** When it was last used, in milliseconds since 1970. */
  readonly time: number;
}

/** Sorts the latest session first; two with the same time always in the same order. */
export function newestFirst(one: ListPosition, other: ListPosition): number {
  return other.time - one.time || Number(one.id < other.id) - Number(one.id > other.id);
}

/** True if both paths name the same folder, with or without a trailing slash. Links are not followed. */
export function isSameFolder(one: string, other: string): boolean {
  return one === other || plain(one) === plain(other);
}

/** An absolute path without `.`, `..` and a slash at its end. */
function plain(path: string): string {
  const names: string[] = [];
  for (const name of path.split(/^[a-z]:/i.test(path) ? /[\\/]/ : '/')) {
    if (name === '..') names.pop();
    else if (name !== '' && name !== '.') names.push(name);
  }
  return names.join('/');
}

/** The cursor for the sessions after this position. */
export function cursorAfter({ time, id }: ListPosition): string {
  return encodeURIComponent(JSON.stringify([time, id]));
}

/** @throws TurnwireError `invalid-input` for a cursor of another origin */
export function positionOfCursor(cursor: string): ListPosition {
  const position = parse(cursor);
  if (Array.isArray(position) && typeof position[0] === 'number' && typeof position[1] === 'string')
    return { time: position[0], id: position[1] };
  throw new TurnwireError('invalid-input', 'The cursor does not come from this agent: start again without a cursor');
}

function parse(cursor: string): unknown {
  try {
    return JSON.parse(decodeURIComponent(cursor));
  } catch {
    return undefined;
  }
}
