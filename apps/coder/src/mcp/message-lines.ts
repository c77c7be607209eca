const longestLine = 16 * 1024 * 1024;
const newline = 10;

/** Splits a stream into lines. */
export class MessageLines {
  #pending: Buffer[] = [];
  #length = 0;

  /**
   * The lines that are complete with this chunk, without their ends.
   * @throws Error when a line has more than 16 MiB
   */
  take(chunk: Buffer): readonly string[] {
    const lines: string[] = [];
    let start = 0;
    for (let end = chunk.indexOf(newline); end !== -1; end = chunk.indexOf(newline, start)) {
      lines.push(this.#finish(chunk.subarray(start, end)));
      start = end + 1;
    }
    this.#keep(chunk.subarray(start));
    return lines;
  }

  /** Drops the buffered rest. */
  clear(): void {
    this.#pending = [];
    this.#length = 0;
  }

  #finish(end: Buffer): string {
    const line = Buffer.concat([...this.#pending, end]).toString('utf8');
    this.clear();
    return line;
  }

  #keep(rest: Buffer): void {
    if (rest.length === 0) return;
    this.#pending.push(rest);
    this.#length += rest.length;
    if (this.#length > longestLine) throw new Error(`a message of more than ${longestLine / 1024 / 1024} MiB`);
  }
}
