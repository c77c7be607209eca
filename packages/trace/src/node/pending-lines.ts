import type { KnownFrame, TraceNote } from '../trace-format.ts';

/** A line to write. Frames are kept as raw text: serialising them takes time that the wire does not have. */
export type PendingLine =
  | KnownFrame
  | { readonly at: number; readonly note: TraceNote }
  /** Lines that did not fit in the queue. */
  | { readonly at: number; readonly dropped: number };

/** UTF-16 units to serialise for one write. */
const batchSize = 256 * 1024;

/** Lines that wait for the disk, up to a limit. Lines beyond it are dropped and counted at their position. */
export class PendingLines {
  readonly #limit: number;
  #lines: PendingLine[] = [];
  #size = 0;
  #dropped = 0;

  /** @param limit in UTF-16 units of frames */
  constructor(limit: number) {
    this.#limit = limit;
  }

  /** The total number of dropped lines. */
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

  /** Removes the oldest lines, as many as fit one write. */
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

  /** Records one entry for a run of dropped lines. It has no size, because there can be only one between two lines that fit. */
  #drop(at: number): void {
    this.#dropped++;
    const last = this.#lines.at(-1);
    if (last !== undefined && 'dropped' in last) this.#lines.pop();
    this.#lines.push({ at, dropped: last !== undefined && 'dropped' in last ? last.dropped + 1 : 1 });
  }
}

/** The size of a line in addition to its text. */
const overhead = 64;

function sizeOf(line: PendingLine | undefined): number {
  if (line === undefined || 'dropped' in line) return 0;
  return overhead + ('text' in line ? line.text.length : JSON.stringify(line.note).length);
}
