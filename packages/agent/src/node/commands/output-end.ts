/** Most buffers stored separately: each costs more memory than a few bytes of output. */
const mostPieces = 1024;

/** Stores the end of a command's output, up to the limit in bytes, starting with a whole character. */
export class OutputEnd {
  readonly #limit: number;
  #kept: Buffer[] = [];
  #length = 0;
  #isCut = false;

  /** @param limit in bytes of UTF-8 */
  constructor(limit: number) {
    this.#limit = limit;
  }

  /** True if the beginning was dropped. */
  get isCut(): boolean {
    this.#cut();
    return this.#isCut;
  }

  get text(): string {
    this.#cut();
    return Buffer.concat(this.#kept).toString();
  }

  append(chunk: Buffer): void {
    this.#kept.push(chunk);
    this.#length += chunk.length;
    // Cut at twice the limit, so that a command printing single letters does not copy the end for each.
    if (this.#length > 2 * this.#limit) this.#cut();
    else if (this.#kept.length > mostPieces) this.#kept = [Buffer.concat(this.#kept)];
  }

  #cut(): void {
    if (this.#length <= this.#limit) return;
    const whole = Buffer.concat(this.#kept);
    let start = whole.length - this.#limit;
    // Bytes of the form 10xxxxxx continue a character.
    while (start < whole.length && ((whole[start] ?? 0) & 0xc0) === 0x80) start++;
    this.#kept = [Buffer.from(whole.subarray(start))];
    this.#length = whole.length - start;
    this.#isCut = true;
  }
}
