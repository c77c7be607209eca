import { Buffer } from 'node:buffer';

const characters = 80;

/**
 * The first characters of a line, for a user to recognise it by.
 * Copied through bytes: a plain slice would keep the whole chunk it was cut from alive.
 */
export function excerptOf(text: string): string {
  return Buffer.from(text.slice(0, characters)).toString();
}
