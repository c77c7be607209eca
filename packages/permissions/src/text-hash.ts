import { createHash } from 'node:crypto';

/** SHA-256 in hex of a text, {@link evened}. */
export function textHash(text: string): string {
  return createHash('sha256').update(evened(text)).digest('hex');
}

/** Normalises differences that editors and agents introduce without a real change: line ends, a byte order mark, and the last line end. */
export function evened(text: string): string {
  return inLines(text).replace(/\n$/, '');
}

/** A text with uniform line ends and without a byte order mark. */
export function inLines(text: string): string {
  return text.replace(/^\ufeff/, '').replaceAll('\r\n', '\n');
}
