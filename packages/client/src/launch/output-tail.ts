/** Keeps the last bytes of an output of any length, in constant memory: a ring. */
export class OutputTail {
  readonly #ring: Buffer;
  #written = 0;

  constructor(capacity: number) {
    this.#ring = Buffer.alloc(capacity);
  }

  write(chunk: Buffer): void {
    const kept = chunk.subarray(-this.#ring.length);
    const start = (this.#written + chunk.length - kept.length) % this.#ring.length;
    const first = kept.copy(this.#ring, start);
    kept.copy(this.#ring, 0, first);
    this.#written += chunk.length;
  }

  /** What is kept, beginning with a whole character. */
  text(): string {
    const end = this.#written % this.#ring.length;
    if (this.#written <= this.#ring.length) return this.#ring.toString('utf8', 0, this.#written);
    const bytes = Buffer.concat([this.#ring.subarray(end), this.#ring.subarray(0, end)]);
    const start = bytes.findIndex((byte) => (byte & 0xc0) !== 0x80);
    return bytes.toString('utf8', Math.max(start, 0));
  }
}
