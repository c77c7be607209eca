import { createHash } from 'node:crypto';

/** SHA-256 in hex of a text, {@link evened}. */
export function textHash(text: string): string {
  return createHash('sha256').update(evened(text)).digest('hex');
}

/** Without what editors and agents change about a text and nobody would call a change: kinds of line ends, a mark at its beginning, its last line end. */
export function evened(text: string): string {
  return inLines(text).replace(/\n$/, '');
}

/** With one kind of line ends, and no mark at its beginning. */
export function inLines(text: string): string {
  return text.replace(/^\ufeff/, '').replaceAll('\r\n', '\n');
}
