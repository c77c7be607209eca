/** A range of lines of a file. */
export interface LineRange {
  /** The first line, from 1. */
  readonly first: number;
  /** The most lines; may be infinite. */
  readonly count: number;
}

const newline = 10;

/** Selects lines of a file that is read in chunks. A line ends after its `\n`, or with the file. */
export class LineWindow {
  #toSkip: number;
  #toTake: number;
  #size = 0;
  readonly #kept: Uint8Array[] = [];

  constructor({ first, count }: LineRange) {
    this.#toSkip = first - 1;
    this.#toTake = count;
  }

  /** Bytes selected so far. */
  get size(): number {
    return this.#size;
  }

  /** Whether the next chunk may contain selected lines. */
  get wantsMore(): boolean {
    return this.#toTake > 0;
  }

  /** Processes the next chunk, which may be reused afterwards. */
  add(chunk: Buffer): void {
    const start = this.#skip(chunk);
    if (this.#toSkip === 0 && start < chunk.length) this.#keep(chunk.subarray(start, this.#take(chunk, start)));
  }

  /** All selected bytes. */
  bytes(): Uint8Array {
    return Buffer.concat(this.#kept);
  }

  #skip(chunk: Buffer): number {
    let start = 0;
    while (this.#toSkip > 0) {
      const end = chunk.indexOf(newline, start);
      if (end === -1) return chunk.length;
      start = end + 1;
      this.#toSkip -= 1;
    }
    return start;
  }

  #take(chunk: Buffer, start: number): number {
    if (this.#toTake === Infinity) return chunk.length;
    let end = start;
    while (this.#toTake > 0) {
      const found = chunk.indexOf(newline, end);
      if (found === -1) return chunk.length;
      end = found + 1;
      this.#toTake -= 1;
    }
    return end;
  }

  #keep(bytes: Buffer): void {
    this.#kept.push(new Uint8Array(bytes));
    this.#size += bytes.length;
  }
}
