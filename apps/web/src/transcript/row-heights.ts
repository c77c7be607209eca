/** How many rows a block has: a row is found by the heights of blocks, and then by those of the rows of one block. */
const blockSize = 256;

/** Rows that follow each other. */
export interface RowRange {
  readonly from: number;
  /** The number behind the last one. */
  readonly to: number;
}

/**
 * The heights of rows in pixels, those that were measured and a guess of the others. What it costs to find, change or add a row does not
 * depend on how many rows there are as long as those are fewer than a million.
 */
export class RowHeights {
  readonly #guess: number;
  #first = 0;
  #rows: number[] = [];
  #blocks: number[] = [];
  #total = 0;

  /** @param guess the height of a row that was not measured */
  constructor(guess: number) {
    this.#guess = guess;
  }

  get total(): number {
    return this.#total;
  }

  /** The number of the first row: rows that are added before it have smaller ones. */
  get first(): number {
    return this.#first;
  }

  /** The number behind the last row. */
  get end(): number {
    return this.#first + this.#rows.length;
  }

  /** Has just these rows, with the heights that are known of them. */
  cover(first: number, count: number): void {
    if (first < this.#first)
      this.#replace(
        Array<number>(this.#first - first)
          .fill(this.#guess)
          .concat(this.#rows),
      );
    if (first > this.#first) this.#replace(this.#rows.slice(first - this.#first));
    this.#first = first;
    if (this.#rows.length > count) this.#replace(this.#rows.slice(0, count));
    while (this.#rows.length < count) {
      const block = Math.floor(this.#rows.length / blockSize);
      this.#blocks[block] = (this.#blocks[block] ?? 0) + this.#guess;
      this.#rows.push(this.#guess);
      this.#total += this.#guess;
    }
  }

  /** Notes the measured height of a row. */
  set(row: number, height: number): void {
    const index = row - this.#first;
    const before = this.#rows[index];
    if (before === undefined || before === height) return;
    const block = Math.floor(index / blockSize);
    this.#rows[index] = height;
    this.#blocks[block] = (this.#blocks[block] ?? 0) + height - before;
    this.#total += height - before;
  }

  /** Where a row begins. */
  offsetOf(row: number): number {
    const index = Math.min(row - this.#first, this.#rows.length);
    const block = Math.floor(index / blockSize);
    let offset = 0;
    for (let each = 0; each < block; each++) offset += this.#blocks[each] ?? 0;
    for (let each = block * blockSize; each < index; each++) offset += this.#rows[each] ?? 0;
    return offset;
  }

  /** The row at an offset: the first or the last one if it is outside. */
  rowAt(offset: number): number {
    let rest = offset;
    let block = 0;
    while (block < this.#blocks.length - 1 && rest >= (this.#blocks[block] ?? 0)) rest -= this.#blocks[block++] ?? 0;
    let index = block * blockSize;
    while (index < this.#rows.length - 1 && rest >= (this.#rows[index] ?? 0)) rest -= this.#rows[index++] ?? 0;
    return this.#first + index;
  }

  /** The rows that are seen between two offsets, some of them in part. */
  between(top: number, bottom: number): RowRange {
    return { from: this.rowAt(top), to: Math.min(this.end, this.rowAt(bottom) + 1) };
  }

  #replace(rows: number[]): void {
    this.#rows = rows;
    this.#blocks = [];
    for (let index = 0; index < rows.length; index++) {
      const block = Math.floor(index / blockSize);
      this.#blocks[block] = (this.#blocks[block] ?? 0) + (rows[index] ?? 0);
    }
    this.#total = this.#blocks.reduce((sum, height) => sum + height, 0);
  }
}
