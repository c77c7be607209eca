import { randomBytes } from 'node:crypto';

/** A random id of our links. Agents do not know it, so they cannot forge a link. */
const secret = randomBytes(8).toString('hex');

/** A pattern for the start and the end of our links, for filters that let only our own sequences through. */
export const linkSequence: string = `\\x1b\\]8;id=${secret};[\\x21-\\x7e]+\\x07|\\x1b\\]8;;\\x07`;

/** A text that terminals turn into a clickable link (OSC 8). Returned unchanged unless the address is a web address. */
export function linked(text: string, address: string): string {
  if (!/^https?:\/\/[\x21-\x7e]{1,2000}$/i.test(address)) return text;
  return `\u001b]8;id=${secret};${address}\u0007${text}\u001b]8;;\u0007`;
}
