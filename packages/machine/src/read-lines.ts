import type { FileHandle } from 'node:fs/promises';

const newline = 0x0a;
const pieceSize = 256 * 1024;

/** Bytes of the beginning of a line that is too long. */
const headBytes = 1000;
/** Memory that is kept after a long line; the rest is freed. */
const keptMemory = 1024 * 1024;

/** Represents a line that is longer than the limit. */
export interface LongLine {
  /** Its length. */
  readonly bytes: number;
  /** Its first 1,000 bytes. */
  readonly head: string;
}

/** A line without its end. Only `\n` ends a line: JSON may contain all other characters that end lines elsewhere. */
export type Line<Text = string> = Text | LongLine;

/** Assembles a text of bounded length from chunks. Its memory is reused for the next one. */
export class BoundedText<Text = string> {
  readonly #limit: number;
  readonly #read: (bytes: Buffer) => Text;
  #memory = Buffer.allocUnsafe(1024);
  #kept = 0;
  #length = 0;

  /**
   * @param limit bytes of the longest text
   * @param read decodes a text; the bytes are valid during the call only. Default: as UTF-8
   */
  constructor(limit: number, read: (bytes: Buffer) => Text = utf8 as (bytes: Buffer) => Text) {
    this.#limit = limit;
    this.#read = read;
  }

  /** True if the text is empty. */
  get isEmpty(): boolean {
    return this.#length === 0;
  }

  /** True if the text is longer than the limit. */
  get isTooLong(): boolean {
    return this.#length > this.#limit;
  }

  /** Adds a copy of the bytes. */
  add(bytes: Buffer): void {
    this.#length += bytes.length;
    const kept = this.isTooLong ? bytes.subarray(0, Math.max(0, headBytes - this.#kept)) : bytes;
    const total = this.#kept + kept.length;
    if (total > this.#memory.length) {
      const memory = Buffer.allocUnsafe(Math.max(total, Math.min(this.#limit, 2 * total)));
      this.#memory.copy(memory, 0, 0, this.#kept);
      this.#memory = memory;
    }
    kept.copy(this.#memory, this.#kept);
    this.#kept = total;
  }

  /** Returns the text, or its beginning if it is too long, and starts the next one. */
  take(): Line<Text> {
    const text = this.isTooLong
      ? { bytes: this.#length, head: this.#memory.toString('utf8', 0, Math.min(headBytes, this.#kept)) }
      : this.#read(this.#memory.subarray(0, this.#kept));
    this.clear();
    return text;
  }

  /** Adds the last bytes of the text and returns it like {@link take}; they are not copied if they are all of it. */
  finish(bytes: Buffer): Line<Text> {
    if (this.isEmpty && bytes.length <= this.#limit) return this.#read(bytes);
    this.add(bytes);
    return this.take();
  }

  /** Drops the text. */
  clear(): void {
    this.#kept = 0;
    this.#length = 0;
    if (this.#memory.length > keptMemory) this.#memory = Buffer.allocUnsafe(1024);
  }
}

function utf8(bytes: Buffer): string {
  return bytes.toString();
}

/** Splits bytes into lines. Memory is bounded by the limit, however long a line is. */
export class LineSplitter<Text = string> {
  readonly #unfinished: BoundedText<Text>;

  /** The parameters are those of {@link BoundedText}. */
  constructor(limit: number, read?: (bytes: Buffer) => Text) {
    this.#unfinished = new BoundedText(limit, read);
  }

  /** True if the line that has not ended yet is longer than the limit. */
  get isTooLong(): boolean {
    return this.#unfinished.isTooLong;
  }

  /** The lines that end in these bytes. The buffer may be reused afterwards. */
  push(bytes: Buffer): Line<Text>[] {
    const lines: Line<Text>[] = [];
    let start = 0;
    for (let end = bytes.indexOf(newline); end !== -1; end = bytes.indexOf(newline, start)) {
      lines.push(this.#unfinished.finish(bytes.subarray(start, end)));
      start = end + 1;
    }
    if (start < bytes.length) this.#unfinished.add(bytes.subarray(start));
    return lines;
  }

  /** The text after the last `\n`; undefined if it is empty. */
  end(): Line<Text> | undefined {
    return this.#unfinished.isEmpty ? undefined : this.#unfinished.take();
  }

  /** Drops the line that has not ended yet. */
  clear(): void {
    this.#unfinished.clear();
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
