import { isUtf8 } from 'node:buffer';
import type { FrameFlaw } from '../trace-format.ts';

const newline = 0x0a;
/** Bytes of a line that are kept. */
const longest = 64 * 2 ** 20;

/** Hears a line, without its end. */
export type LineHearer = (text: string, flaw?: FrameFlaw) => void;

/** Reads along with bytes that go somewhere else, and tells the lines in them. Bytes are copied only where a line spans chunks. */
export class LineTap {
  readonly #hear: LineHearer;
  #parts: Buffer[] = [];
  #kept = 0;
  #length = 0;

  constructor(hear: LineHearer) {
    this.#hear = hear;
  }

  /**
   * Reads the next bytes and tells each line that ends in them, at once and in order. A line beyond 64 MiB is told as its first 1,000
   * bytes, with the flaw `oversize`; a line that is not UTF-8 is told with replacement characters, with the flaw `not UTF-8`.
   */
  take(chunk: Buffer): void {
    let start = 0;
    for (let end = chunk.indexOf(newline); end !== -1; end = chunk.indexOf(newline, start)) {
      this.#keep(chunk.subarray(start, end));
      this.#tell();
      start = end + 1;
    }
    // Whoever gave the chunk may use its memory again.
    if (start < chunk.length) this.#keep(Buffer.from(chunk.subarray(start)));
  }

  /** Tells what came after the last newline, with the flaw `cut off`. Nothing is told where the bytes ended with a newline. */
  end(): void {
    if (this.#length > 0) this.#tell('cut off');
  }

  #keep(bytes: Buffer): void {
    this.#length += bytes.length;
    if (this.#kept + bytes.length > longest) return;
    this.#kept += bytes.length;
    this.#parts.push(bytes);
  }

  #tell(flaw?: FrameFlaw): void {
    const bytes = Buffer.concat(this.#parts);
    const isWhole = this.#kept === this.#length;
    this.#parts = [];
    this.#kept = 0;
    this.#length = 0;
    if (!isWhole) return this.#hear(bytes.toString('utf8', 0, 1000), 'oversize');
    const found = flaw ?? (isUtf8(bytes) ? undefined : 'not UTF-8');
    this.#hear(bytes.toString('utf8'), found);
  }
}
