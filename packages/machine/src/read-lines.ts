import type { FileHandle } from 'node:fs/promises';

const newline = 0x0a;
const pieceSize = 256 * 1024;

/** Stands for a line that is longer than the limit. Its content is dropped. */
export interface LongLine {
  /** Its length. */
  readonly bytes: number;
}

/** A line without its end. Only `\n` ends a line: JSON may contain all other characters that end lines elsewhere. */
export type Line = string | LongLine;

/** Assembles a text of bounded length from chunks. Its memory is reused for the next one. */
export class BoundedText {
  readonly #limit: number;
  #memory = Buffer.allocUnsafe(1024);
  #bytes = 0;

  /** @param limit bytes of the longest text */
  constructor(limit: number) {
    this.#limit = limit;
  }

  /** True if the text is empty. */
  get isEmpty(): boolean {
    return this.#bytes === 0;
  }

  /** Adds a copy of the bytes. */
  add(bytes: Buffer): void {
    const start = this.#bytes;
    this.#bytes += bytes.length;
    if (this.#bytes > this.#limit) return;
    if (this.#bytes > this.#memory.length) this.#grow(start);
    bytes.copy(this.#memory, start);
  }

  /** Returns the text, or its length if it is too long, and starts the next one. */
  take(): Line {
    const bytes = this.#bytes;
    this.#bytes = 0;
    return bytes > this.#limit ? { bytes } : this.#memory.toString('utf8', 0, bytes);
  }

  #grow(kept: number): void {
    const memory = Buffer.allocUnsafe(Math.min(this.#limit, 2 * this.#bytes));
    this.#memory.copy(memory, 0, 0, kept);
    this.#memory = memory;
  }
}

/** Splits bytes into lines. Memory is bounded by the limit, however long a line is. */
export class LineSplitter {
  readonly #limit: number;
  readonly #begun: BoundedText;

  /** @param limit bytes of the longest line */
  constructor(limit: number) {
    this.#limit = limit;
    this.#begun = new BoundedText(limit);
  }

  /** The lines that end in these bytes. The buffer may be reused afterwards. */
  push(bytes: Buffer): Line[] {
    const lines: Line[] = [];
    let start = 0;
    for (let end = bytes.indexOf(newline); end !== -1; end = bytes.indexOf(newline, start)) {
      lines.push(this.#complete(bytes.subarray(start, end)));
      start = end + 1;
    }
    if (start < bytes.length) this.#begun.add(bytes.subarray(start));
    return lines;
  }

  /** The text after the last `\n`; undefined if there is none. */
  end(): Line | undefined {
    return this.#begun.isEmpty ? undefined : this.#begun.take();
  }

  #complete(rest: Buffer): Line {
    if (this.#begun.isEmpty && rest.length <= this.#limit) return rest.toString();
    this.#begun.add(rest);
    return this.#begun.take();
  }
}

/**
 * Reads a file line by line, from its current position to its end.
 * @param limit bytes of the longest line
 * @returns lines in batches, one per chunk of the file
 */
export async function* readLines(file: FileHandle, limit: number): AsyncGenerator<readonly Line[], void> {
  const splitter = new LineSplitter(limit);
  const piece = Buffer.allocUnsafe(pieceSize);
  for (;;) {
    const { bytesRead } = await file.read(piece, 0, piece.length, null);
    if (bytesRead === 0) break;
    yield splitter.push(piece.subarray(0, bytesRead));
  }
  const last = splitter.end();
  if (last !== undefined) yield [last];
}
