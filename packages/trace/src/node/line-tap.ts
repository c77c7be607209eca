import { isUtf8 } from 'node:buffer';
import { type Line, LineSplitter } from '@turnwire/machine';
import type { FrameFlaw } from '../trace-format.ts';

/** Bytes of the longest line. */
const longest = 64 * 2 ** 20;

/** Receives a line, without its end. */
export type LineHearer = (text: string, flaw?: FrameFlaw) => void;

/** Reads along with bytes that go somewhere else, and reports the lines in them. Bytes are copied only where a line spans chunks. */
export class LineTap {
  readonly #hear: LineHearer;
  readonly #lines = new LineSplitter(longest, (bytes) => ({ text: bytes.toString(), isText: isUtf8(bytes) }));

  constructor(hear: LineHearer) {
    this.#hear = hear;
  }

  /**
   * Reads the next bytes and reports each line that ends in them, at once and in order: of a line beyond 64 MiB its first 1,000 bytes, with
   * the flaw `oversize`; a line that is not UTF-8 with replacement characters, with the flaw `not UTF-8`.
   */
  take(chunk: Buffer): void {
    for (const line of this.#lines.push(chunk)) this.#report(line);
  }

  /** Reports what came after the last newline, with the flaw `cut off`; nothing if the bytes ended with a newline. */
  end(): void {
    const rest = this.#lines.end();
    if (rest !== undefined) this.#report(rest, 'cut off');
  }

  #report(line: Line<{ readonly text: string; readonly isText: boolean }>, flaw?: FrameFlaw): void {
    if ('head' in line) this.#hear(line.head, 'oversize');
    else this.#hear(line.text, flaw ?? (line.isText ? undefined : 'not UTF-8'));
  }
}
