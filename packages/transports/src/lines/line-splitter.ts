import type { TransportWarning } from '@turnwire/protocol';
import { type Decode, PartialLine } from './partial-line.ts';

const newline = 0x0a;

/**
 * Splits bytes into lines. Lines are split before they are decoded (no byte of a multi-byte character is a newline), and all complete lines of a
 * chunk are decoded in one call, which makes small frames cheap.
 */
export class LineSplitter {
  readonly #maxLineBytes: number;
  readonly #oversize: (report: TransportWarning) => void;
  readonly #decode: Decode;
  readonly #partial: PartialLine;
  #chunk: Uint8Array | undefined;
  #chunkAt = 0;
  /** Complete lines, each with its newline. */
  #text = '';
  #textAt = 0;

  constructor(maxLineBytes: number, decode: Decode, oversize: (report: TransportWarning) => void) {
    this.#maxLineBytes = maxLineBytes;
    this.#oversize = oversize;
    this.#decode = decode;
    this.#partial = new PartialLine(maxLineBytes, decode);
  }

  /** Bytes held for a line whose newline has not arrived yet. */
  get retainedBytes(): number {
    return this.#partial.retainedBytes;
  }

  /** Sets the next chunk. Call when {@link next} has returned undefined. */
  feed(chunk: Uint8Array): void {
    this.#chunk = chunk;
    this.#chunkAt = 0;
  }

  /** The next line, without its newline; undefined when more bytes are needed. */
  next(): string | undefined {
    for (;;) {
      const start = this.#textAt;
      if (start < this.#text.length) {
        const end = this.#text.indexOf('\n', start);
        this.#textAt = end + 1;
        return this.#text.slice(start, end);
      }
      const chunk = this.#chunk;
      const pieceAt = this.#chunkAt;
      if (chunk === undefined || pieceAt >= chunk.length) {
        this.#chunk = undefined;
        this.#text = '';
        this.#textAt = 0;
        return undefined;
      }
      // A piece is never longer than a line may be, so only a line that spans pieces can be too long.
      this.#chunkAt = pieceAt + this.#maxLineBytes;
      const piece = chunk.length <= this.#maxLineBytes ? chunk : chunk.subarray(pieceAt, this.#chunkAt);
      const line = this.#read(piece);
      if (line !== undefined) return line;
    }
  }

  /** The text after the last newline, when no more will arrive. */
  takeRest(): PartialLine | undefined {
    if (!this.#partial.isOversize) return this.#partial.isEmpty ? undefined : this.#partial;
    this.#oversize(this.#partial.takeWarning('oversize'));
    return undefined;
  }

  /** Reads a piece. Returns the line that its first newline completes, if that line started in an earlier piece. */
  #read(piece: Uint8Array): string | undefined {
    const last = piece.lastIndexOf(newline);
    if (last === -1) {
      this.#partial.add(piece);
      return undefined;
    }
    const first = this.#partial.isEmpty ? -1 : piece.indexOf(newline);
    const line = first === -1 ? undefined : this.#complete(piece.subarray(0, first));
    this.#text = this.#decode(piece, first + 1, last + 1);
    this.#textAt = 0;
    if (last + 1 < piece.length) this.#partial.add(piece.subarray(last + 1));
    return line;
  }

  #complete(tail: Uint8Array): string | undefined {
    this.#partial.add(tail);
    if (!this.#partial.isOversize) return this.#partial.take();
    this.#oversize(this.#partial.takeWarning('oversize'));
    return undefined;
  }
}
