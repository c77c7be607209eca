import { randomBytes } from 'node:crypto';

/**
 * A variable set for every process we start, and inherited by its children: it identifies processes that left their process group or lost
 * their parent.
 */
export const markVariable = 'TURNWIRE_LAUNCH';

/** The prefix of the marks of everything this process starts, and of nothing else. */
export const ownMark: string = `${randomBytes(12).toString('hex')}/`;

let launches = 0;

/** A mark for one launch. Ends in a slash, so that no mark is a prefix of another. */
export function freshMark(): string {
  launches += 1;
  return `${ownMark}${launches}/`;
}

/** The variable's value: a nested launch keeps the outer mark, so that the outer one finds it too. */
export function markValue(mark: string, outer: string | undefined = process.env[markVariable]): string {
  return outer ? `${outer}:${mark}` : mark;
}
