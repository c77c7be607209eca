import type { KnownFrame, TraceNote } from '../trace-format.ts';

/** Something that is to be written: frames as they stood on the wire, for making them ready takes time the wire does not have. */
export type PendingLine =
  | KnownFrame
  | { readonly at: number; readonly note: TraceNote }
  /** Lines that did not fit in here. */
  | { readonly at: number; readonly dropped: number };

/** Units of text that are made ready for one write. */
const batchSize = 256 * 1024;

/** What waits for the disk. Takes no more than its limit; what is too much is counted where it is missing. */
export class PendingLines {
  readonly #limit: number;
  #lines: PendingLine[] = [];
  #size = 0;
  #dropped = 0;

  /** @param limit in UTF-16 units of frames */
  constructor(limit: number) {
    this.#limit = limit;
  }

  /** How many lines did not fit, altogether. */
  get dropped(): number {
    return this.#dropped;
  }

  get isEmpty(): boolean {
    return this.#lines.length === 0;
  }

  put(line: PendingLine): void {
    const size = sizeOf(line);
    if (this.#size + size > this.#limit) return this.#drop(line.at);
    this.#size += size;
    this.#lines.push(line);
  }

  /** The oldest lines, as many as make one write. */
  take(): readonly PendingLine[] {
    let size = 0;
    let count = 0;
    while (count < this.#lines.length && size < batchSize) size += sizeOf(this.#lines[count++]);
    this.#size -= size;
    return this.#lines.splice(0, count);
  }

  clear(): void {
    this.#lines = [];
    this.#size = 0;
  }

  /** One note for a run of lines. It weighs nothing, since there can be only one between two lines that fit. */
  #drop(at: number): void {
    this.#dropped++;
    const last = this.#lines.at(-1);
    if (last !== undefined && 'dropped' in last) this.#lines.pop();
    this.#lines.push({ at, dropped: last !== undefined && 'dropped' in last ? last.dropped + 1 : 1 });
  }
}

/** What a line needs besides its text. */
const overhead = 64;

function sizeOf(line: PendingLine | undefined): number {
  if (line === undefined || 'dropped' in line) return 0;
  return overhead + ('text' in line ? line.text.length : JSON.stringify(line.note).length);
}
