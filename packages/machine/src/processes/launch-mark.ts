import { randomBytes } from 'node:crypto';

/**
 * The variable every process we start carries, and so all it starts: whatever left its process group, or lost its parent,
 * is still found by it.
 */
export const markVariable = 'TURNWIRE_LAUNCH';

/** In the marks of everything this process starts, and of nothing else. */
export const ownMark: string = `${randomBytes(12).toString('hex')}/`;

let launches = 0;

/** A mark for one launch. Ends in a slash, so that no mark is the beginning of another. */
export function freshMark(): string {
  launches += 1;
  return `${ownMark}${launches}/`;
}

/** The variable's value: a launch within a launch keeps the outer mark, so that the outer one finds it too. */
export function markValue(mark: string, outer: string | undefined = process.env[markVariable]): string {
  return outer ? `${outer}:${mark}` : mark;
}
