/* oxlint-disable no-control-regex -- control characters are what this file is about */
import { terminalSequence } from './terminal-sequence.ts';
import { type CharacterContext, isExpected, isVariantOfEmoji, unseen } from './unseen-characters.ts';

/** C0 without tab and newline, DEL and C1. */
const control = /[\x00-\x08\x0b-\x1f\x7f-\x9f]/g;

/** Characters that look like a space but not to a shell or a path, and one that looks empty. */
const oddSpace = /[\u00a0\u1680\u2000-\u200a\u202f\u205f\u2800\u3000]/g;

/** The maximum length of the start of a sequence that is buffered until its rest arrives. */
const longestBeginning = 256;
const beginning = /[\x1b\x90\x98\x9b\x9d-\x9f][^\n\x07]*$|[\ud800-\udbff]$/;

/**
 * The text without control sequences and invisible characters. Text from an agent may contain sequences that move the cursor, write to the
 * clipboard or hide other text, so none of them may reach a terminal. Characters that writing needs stay: joiners within emoji and within
 * words of scripts that join, and variation selectors after characters that have variants.
 */
export function cleanText(text: string): string {
  return withoutUnseen(text.replace(terminalSequence, '').replace(control, ''), '');
}

/** The text on one line. */
export function cleanLine(text: string): string {
  return cleanText(text).replace(/\s+/g, ' ').trim();
}

/**
 * The text with control and invisible characters escaped, such as `\x1b` and `<U+200B>`: for text the user has
 * to judge.
 */
export function visibleText(text: string): string {
  const controls = text.replace(control, (character) => `\\x${hex(character, 2)}`);
  return replaceUnseen(controls, '', { keeps: isVariantOfEmoji, instead: named }).replace(oddSpace, named);
}

/** The same on one line: line breaks are escaped as well. */
export function visibleLine(text: string): string {
  return visibleText(text).replaceAll('\n', '\\x0a').replaceAll('\t', '\\x09');
}

/** The same JSON, with control and invisible characters as escapes. */
export function cleanJson(json: string): string {
  // A raw carriage return can only stand between tokens, where an escape would be a syntax error.
  const controls = json.replaceAll('\r', ' ').replace(control, escaped);
  return replaceUnseen(controls, '', { keeps: isExpected, instead: escaped });
}

/** Cleans a text that arrives in chunks, which may split a sequence or a character. */
export class TextCleaner {
  #held = '';
  /** The end of the text so far: it decides whether a following joiner is expected. */
  #before = '';

  /** Returns the complete part, cleaned. The start of a sequence waits for the next chunk. */
  push(chunk: string): string {
    const text = (this.#held + chunk).replace(terminalSequence, '');
    const window = Math.max(0, text.length - longestBeginning);
    const start = text.slice(window).search(beginning);
    const cut = start === -1 ? text.length : window + start;
    // Whether a joiner is expected depends on the character after it.
    const end = /[\u200c\u200d]/.test(text.charAt(cut - 1)) ? cut - 1 : cut;
    this.#held = text.slice(end);
    return this.#give(text.slice(0, end));
  }

  /** Returns the buffered rest, which will not be completed. */
  end(): string {
    const rest = this.#give(this.#held.replace(terminalSequence, ''));
    this.#held = '';
    this.#before = '';
    return rest;
  }

  #give(text: string): string {
    const clean = withoutUnseen(text.replace(control, ''), this.#before);
    this.#before = (this.#before + clean).slice(-2);
    return clean;
  }
}

function withoutUnseen(text: string, before: string): string {
  return replaceUnseen(text, before, {
    keeps: isExpected,
    instead: (character) => (/[\u2028\u2029]/.test(character) ? '\n' : ''),
  });
}

interface Replacing {
  readonly keeps: (character: string, around: CharacterContext) => boolean;
  readonly instead: (character: string) => string;
}

/** @param before the text before it */
function replaceUnseen(text: string, before: string, { keeps, instead }: Replacing): string {
  const done: string[] = [];
  let end = before;
  const give = (part: string): void => {
    done.push(part);
    end = (end + part.slice(-2)).slice(-2);
  };
  let from = 0;
  for (const { 0: character, index } of text.matchAll(unseen)) {
    give(text.slice(from, index));
    from = index + character.length;
    const around = { before: end, after: text.slice(from, from + 2) };
    give(keeps(character, around) ? character : instead(character));
  }
  return from === 0 ? text : done.join('') + text.slice(from);
}

/** `<U+200B>` */
function named(character: string): string {
  return `<U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}>`;
}

function escaped(character: string): string {
  return character
    .split('')
    .map((unit) => `\\u${hex(unit, 4)}`)
    .join('');
}

function hex(character: string, digits: number): string {
  return character.charCodeAt(0).toString(16).padStart(digits, '0');
}
