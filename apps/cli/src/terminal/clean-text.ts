/* oxlint-disable no-control-regex -- control characters are what this file is about */

/**
 * Text from an agent may hold sequences that move the cursor, write to the clipboard or hide what was written.
 * None of it may meet a terminal. The grammar is that of ECMA-48: strings (OSC, DCS, SOS, PM, APC) up to their terminator,
 * control sequences (CSI), and short escapes, each with its one-character C1 form. No alternative can run past the next
 * escape or line, so matching is linear.
 */
const sequence =
  /(?:\x1b[P\]X^_]|[\x90\x98\x9d-\x9f])[^\n\x07\x1b\x9c]*(?:\x07|\x1b\\|\x9c)|(?:\x1b\[|\x9b)[0-?]*[ -/]*[@-~]|\x1b[ -/]*[0-OQ-WYZ\\`-~]/g;

/** C0 without tab and newline, DEL, C1, and the characters that reorder text (embeddings, overrides, isolates). */
const control = /[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]/g;

/** Longest beginning of a sequence that is kept until the rest of it arrives. */
const longestBeginning = 256;
const beginning = /[\x1b\x90\x98\x9b\x9d-\x9f][^\n\x07]*$|[\ud800-\udbff]$/;

/** The text without anything that would steer a terminal. */
export function cleanText(text: string): string {
  return text.replace(sequence, '').replace(control, '');
}

/** The text on one line. */
export function cleanLine(text: string): string {
  return cleanText(text).replace(/\s+/g, ' ').trim();
}

/** The text with what would steer a terminal spelled out, such as `\x1b`: for what a person has to judge. */
export function visibleText(text: string): string {
  return text.replace(control, spelledOut);
}

/** The same JSON, with what would steer a terminal written as escapes. */
export function cleanJson(json: string): string {
  // A raw carriage return can only stand between tokens, where an escape would be a syntax error.
  return json.replaceAll('\r', ' ').replace(control, (character) => `\\u${hex(character, 4)}`);
}

/** Cleans a text that arrives in pieces, which may cut a sequence or a character in two. */
export class TextCleaner {
  #held = '';

  push(piece: string): string {
    const text = (this.#held + piece).replace(sequence, '');
    const window = Math.max(0, text.length - longestBeginning);
    const start = text.slice(window).search(beginning);
    const end = start === -1 ? text.length : window + start;
    this.#held = text.slice(end);
    return text.slice(0, end).replace(control, '');
  }

  /** What was held back and will not be completed. */
  end(): string {
    const rest = cleanText(this.#held);
    this.#held = '';
    return rest;
  }
}

function spelledOut(character: string): string {
  return character < '\u0100' ? `\\x${hex(character, 2)}` : `\\u${hex(character, 4)}`;
}

function hex(character: string, digits: number): string {
  return character.charCodeAt(0).toString(16).padStart(digits, '0');
}
