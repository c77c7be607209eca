/* oxlint-disable no-control-regex -- escape sequences are what this file is about */
import { cleanText } from './clean-text.ts';
import { linkSequence } from './link.ts';

/** The styles of a `Paint` and our links. None of these sequences hides text. */
const style = new RegExp(String.raw`(\x1b\[(?:[1-4]|7|9|2[23479]|3[1-69]|38;5;(?:28|30|130))m|${linkSequence})`);

/** Plain ASCII text, the common case. */
const ordinary = /^[\x20-\x7e\n]*$/;

/**
 * Removes all control sequences and invisible characters from a text, except our own styles if `keepsStyles` is set. Works for text of any
 * origin, cleaned before or not.
 */
export function printable(text: string, keepsStyles: boolean): string {
  if (ordinary.test(text)) return text;
  if (!text.includes('\x1b')) return cleanText(text);
  // Every second part is a style.
  return text
    .split(style)
    .map((piece, index) => (index % 2 === 0 ? cleanText(piece) : keepsStyles ? piece : ''))
    .join('');
}
