import { StringDecoder } from 'node:string_decoder';
import { BoundedText, type Line } from '@turnwire/machine';
import { longestEvent } from './history-event.ts';

/** The maximum size of an archive without its history, in characters. */
const longestFrame = 2 ** 20;
/** The maximum nesting depth. */
const deepest = 500;

const quote = 0x22;
const comma = 0x2c;
const backslash = 0x5c;
const [openBracket, closeBracket, openBrace, closeBrace] = [0x5b, 0x5d, 0x7b, 0x7d];
const historyBegins = /"history"\s*:\s*\[$/;

/**
 * Extracts the history from the JSON of an archive as it arrives, so that an archive of any size is read in bounded memory. The rest is
 * the same JSON with an empty history. The JSON is validated later, when the parts are parsed.
 */
export class ArchiveScanner {
  readonly #decoder = new StringDecoder('utf8');
  #frame = '';
  #depth = 0;
  #isInString = false;
  #isEscaped = false;
  #isInHistory = false;
  readonly #event = new BoundedText(longestEvent);

  /** The JSON without the events. */
  get frame(): string {
    return this.#frame;
  }

  /** Returns the JSON of the events that end in these bytes; for an event that is too long, its length. The buffer may be reused afterwards. */
  push(bytes: Buffer): readonly Line[] {
    const events: Line[] = [];
    let start = 0;
    for (let at = 0; at < bytes.length; at++) {
      const boundary = this.#pass(bytes[at] as number);
      if (boundary === undefined) continue;
      // The brackets of the list belong to the frame.
      this.#keep(bytes.subarray(start, boundary === 'list' ? at + 1 : at));
      start = boundary === 'end' ? at : at + 1;
      if (boundary !== 'list') events.push(this.#event.take());
      this.#isInHistory = boundary === 'list' ? historyBegins.test(this.#frame.slice(-100)) : boundary === 'comma';
    }
    this.#keep(bytes.subarray(start));
    return events;
  }

  /** Tracks brackets. @returns the role of a byte that may begin the history, or ends an event or the history */
  #pass(byte: number): 'list' | 'comma' | 'end' | undefined {
    if (this.#isInString) return this.#passInString(byte);
    if (byte === quote) this.#isInString = true;
    else if (byte === openBracket || byte === openBrace) return this.#open(byte);
    else if (byte === closeBracket || byte === closeBrace) {
      this.#depth--;
      if (this.#isInHistory && this.#depth === 1) return 'end';
    } else if (byte === comma && this.#isInHistory && this.#depth === 2) return 'comma';
    return undefined;
  }

  #passInString(byte: number): undefined {
    if (this.#isEscaped) this.#isEscaped = false;
    else if (byte === backslash) this.#isEscaped = true;
    else if (byte === quote) this.#isInString = false;
  }

  #open(byte: number): 'list' | undefined {
    if (++this.#depth > deepest) throw new Error(`it is nested deeper than ${deepest} levels`);
    return byte === openBracket && this.#depth === 2 && !this.#isInHistory ? 'list' : undefined;
  }

  #keep(bytes: Buffer): void {
    if (!this.#isInHistory) {
      this.#frame += this.#decoder.write(bytes);
      if (this.#frame.length > longestFrame)
        throw new Error(`it has more than ${longestFrame} characters in addition to its history`);
      return;
    }
    this.#event.add(bytes);
  }
}
