import { StringDecoder } from 'node:string_decoder';

const firstSize = 4 * 1024;

/** Stores the last bytes of an output of any length in a ring buffer that grows up to its capacity. */
export class OutputTail {
  readonly #capacity: number;
  #ring: Buffer = Buffer.alloc(0);
  #written = 0;

  /** @param capacity in bytes; 0 stores nothing */
  constructor(capacity: number) {
    this.#capacity = capacity;
  }

  /** True once the beginning was dropped. */
  get isCut(): boolean {
    return this.#written > this.#capacity;
  }

  /** Adds a piece of the output, and drops the oldest bytes that no longer fit. */
  write(chunk: Buffer): void {
    this.#growFor(chunk.length);
    const size = this.#ring.length;
    if (size > 0) {
      const kept = chunk.subarray(-size);
      const start = (this.#written + chunk.length - kept.length) % size;
      const first = kept.copy(this.#ring, start);
      kept.copy(this.#ring, 0, first);
    }
    this.#written += chunk.length;
  }

  /**
   * Adds a stream of text. The returned function takes its chunks, and undefined at its end; it returns true if the text changed. An incomplete
   * character waits for its remaining bytes, even if other streams write in the meantime.
   */
  input(): (chunk?: Buffer) => boolean {
    const decoder = new StringDecoder('utf8');
    return (chunk) => {
      const text = chunk === undefined ? decoder.end() : decoder.write(chunk);
      this.write(Buffer.from(text));
      return text !== '';
    };
  }

  /** The stored text, starting with a whole character. */
  text(): string {
    if (!this.isCut) return this.#ring.toString('utf8', 0, this.#written);
    const end = this.#written % this.#ring.length;
    const bytes = Buffer.concat([this.#ring.subarray(end), this.#ring.subarray(0, end)]);
    const start = bytes.findIndex((byte) => (byte & 0xc0) !== 0x80);
    return start === -1 ? '' : bytes.toString('utf8', start);
  }

  /** Below its capacity the ring has not wrapped yet, so that copying it as it is keeps the order. */
  #growFor(length: number): void {
    const needed = Math.min(this.#written + length, this.#capacity);
    if (needed <= this.#ring.length) return;
    const grown = Buffer.alloc(Math.min(this.#capacity, Math.max(firstSize, 2 * this.#ring.length, needed)));
    this.#ring.copy(grown);
    this.#ring = grown;
  }
}
