/* oxlint-disable no-control-regex -- escape sequences are what this file is about */
import { cleanText } from './clean-text.ts';
import { linkSequence } from './link.ts';

/** The styles of a `Paint` and our links, and no other sequence: none of them hides text. */
const style = new RegExp(String.raw`(\x1b\[(?:[1-4]|7|9|2[23479]|3[1-69])m|${linkSequence})`);

/** Plain text, the common case. */
const ordinary = /^[\x20-\x7e\n]*$/;

/**
 * The printable form of a text that may have our styles: it keeps those if asked to, and loses all other control
 * sequences and invisible characters, whoever wrote it and whether or not it was cleaned before.
 */
export function printable(text: string, keepsStyles: boolean): string {
  if (ordinary.test(text)) return text;
  if (!text.includes('\x1b')) return cleanText(text);
  // Every second piece is a style.
  return text
    .split(style)
    .map((piece, index) => (index % 2 === 0 ? cleanText(piece) : keepsStyles ? piece : ''))
    .join('');
}
