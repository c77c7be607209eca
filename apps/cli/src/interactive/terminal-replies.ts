/* oxlint-disable no-control-regex -- that is what replies are */
import { frame, type Frame } from '../terminal/frame.ts';

/** The answer of a terminal to {@link terminalQuestions}. */
export type TerminalReply =
  | { readonly about: 'kitty-keyboard' }
  | { readonly about: 'background'; readonly isLight: boolean };

/**
 * Asks the terminal whether it has the kitty keyboard protocol, and for its background colour (OSC 11). Terminals that know neither ignore
 * both, except the console of Linux, which is not asked.
 */
export function terminalQuestions(): Frame {
  return process.env['TERM'] === 'linux' ? frame`` : frame`\u001b[?u\u001b]11;?\u001b\\`;
}

/** `CSI ? flags u`, and `OSC 11 ; rgb:R/G/B` with one to four hexadecimal digits each, ended by BEL or ST. */
const reply =
  /\u001b\[\?\d*u|\u001b\]11;(?:rgba?:([\da-f]+)\/([\da-f]+)\/([\da-f]+)[^\u0007\u001b]{0,8})?(?:\u0007|\u001b\\)/gi;
/** The beginning of a reply at the end of a text. Fewer characters are a key such as Alt-[, which must not wait. */
const begunReply = /\u001b(?:\[\?\d*|\]1[^\u0007\u001b]{0,40}\u001b?)$/;

/** Takes the terminal's replies out of its input, so that they are not read as keys. */
export class TerminalReplies {
  readonly #replied: (reply: TerminalReply) => void;
  #held = '';

  constructor(replied: (reply: TerminalReply) => void) {
    this.#replied = replied;
  }

  /** The input without replies. */
  without(input: string): string {
    const text = (this.#held + input).replaceAll(reply, (all, ...colours: readonly (string | undefined)[]) => {
      if (all.endsWith('u')) this.#replied({ about: 'kitty-keyboard' });
      else if (colours[0] !== undefined) this.#replied({ about: 'background', isLight: isLight(colours.slice(0, 3)) });
      return '';
    });
    this.#held = begunReply.exec(text)?.[0] ?? '';
    return text.slice(0, text.length - this.#held.length);
  }
}

/** Whether dark text is more readable on a colour: its luma is above one half. */
function isLight(colour: readonly (string | undefined)[]): boolean {
  const [red = 0, green = 0, blue = 0] = colour.map(
    (part = '0') => Number.parseInt(part, 16) / (16 ** part.length - 1),
  );
  return 0.299 * red + 0.587 * green + 0.114 * blue > 0.5;
}
