import { randomBytes } from 'node:crypto';

/** No agent knows it, so no text of an agent passes for a link of ours. */
const secret = randomBytes(8).toString('hex');

/** The beginning of a link, and its end, for what lets only our own sequences through. */
export const linkSequence: string = `\\x1b\\]8;id=${secret};[\\x21-\\x7e]+\\x07|\\x1b\\]8;;\\x07`;

/** A text that terminals open a page for when it is clicked (OSC 8). Anything but a web address leaves it as it is. */
export function linked(text: string, address: string): string {
  if (!/^https?:\/\/[\x21-\x7e]{1,2000}$/i.test(address)) return text;
  return `\u001b]8;id=${secret};${address}\u0007${text}\u001b]8;;\u0007`;
}
