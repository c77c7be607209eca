import { isUtf8 } from 'node:buffer';
import { type Line, LineSplitter } from '@turnwire/machine';
import type { FrameFlaw } from '../trace-format.ts';

/** Maximum length of a line, in bytes. */
const longest = 64 * 2 ** 20;

/** Receives a line without its line break. */
export type LineListener = (text: string, flaw?: FrameFlaw) => void;

/** Reports the lines in a stream of bytes that is forwarded elsewhere. Bytes are copied only if a line spans chunks. */
export class LineTap {
  readonly #onLine: LineListener;
  readonly #lines = new LineSplitter(longest, (bytes) => ({ text: bytes.toString(), isText: isUtf8(bytes) }));

  constructor(onLine: LineListener) {
    this.#onLine = onLine;
  }

  /**
   * Processes the next bytes and reports each line that ends in them, synchronously and in order. A line beyond 64 MiB is reported by its
   * first 1,000 bytes with the flaw `oversize`; a line that is not UTF-8 with replacement characters and the flaw `not UTF-8`.
   */
  take(chunk: Buffer): void {
    for (const line of this.#lines.push(chunk)) this.#report(line);
  }

  /** Reports the text after the last newline with the flaw `cut off`; nothing if the bytes ended with a newline. */
  end(): void {
    const rest = this.#lines.end();
    if (rest !== undefined) this.#report(rest, 'cut off');
  }

  #report(line: Line<{ readonly text: string; readonly isText: boolean }>, flaw?: FrameFlaw): void {
    if ('head' in line) this.#onLine(line.head, 'oversize');
    else this.#onLine(line.text, flaw ?? (line.isText ? undefined : 'not UTF-8'));
  }
}
