/** The number of rows in a block. A lookup searches the heights of the blocks first, then the rows of one block. */
const blockSize = 256;

/** Consecutive rows. */
export interface RowRange {
  readonly from: number;
  /** The number after the last row. */
  readonly to: number;
}

/**
 * The heights of rows in pixels, measured or estimated. Up to a million rows, the cost of finding, changing or adding a row does not depend
 * on their number.
 */
export class RowHeights {
  readonly #guess: number;
  #first = 0;
  #rows: number[] = [];
  #blocks: number[] = [];
  #total = 0;

  /** @param guess the estimated height of a row that was never measured */
  constructor(guess: number) {
    this.#guess = guess;
  }

  get total(): number {
    return this.#total;
  }

  /** The number of the first row. Rows added before it get smaller numbers. */
  get first(): number {
    return this.#first;
  }

  /** The number after the last row. */
  get end(): number {
    return this.#first + this.#rows.length;
  }

  /**
   * Sets the range of rows and keeps the known heights.
   * @param isHidden whether a new row is hidden, and takes no space
   */
  cover(first: number, count: number, isHidden: (row: number) => boolean): void {
    if (first < this.#first)
      this.#replace(
        Array.from({ length: this.#first - first }, (_, index) => (isHidden(first + index) ? 0 : this.#guess)).concat(
          this.#rows,
        ),
      );
    if (first > this.#first) this.#replace(this.#rows.slice(first - this.#first));
    this.#first = first;
    if (this.#rows.length > count) this.#replace(this.#rows.slice(0, count));
    while (this.#rows.length < count) {
      const block = Math.floor(this.#rows.length / blockSize);
      const height = isHidden(first + this.#rows.length) ? 0 : this.#guess;
      this.#blocks[block] = (this.#blocks[block] ?? 0) + height;
      this.#rows.push(height);
      this.#total += height;
    }
  }

  /** Adapts rows to whether they are hidden now. A row that is shown again gets the estimated height. */
  fit(from: number, to: number, isHidden: (row: number) => boolean): void {
    for (let row = Math.max(from, this.#first); row < Math.min(to, this.end); row++) {
      if (isHidden(row)) this.set(row, 0);
      else if (this.#rows[row - this.#first] === 0) this.set(row, this.#guess);
    }
  }

  /** Adapts the rows of a range, and consecutive rows around it that are hidden but still have a height. */
  hideAround({ from, to }: RowRange, isHidden: (row: number) => boolean): void {
    const isOutdated = (row: number): boolean => (this.#rows[row - this.#first] ?? 0) > 0 && isHidden(row);
    let [start, end] = [from, to];
    while (isOutdated(start - 1)) start--;
    while (isOutdated(end)) end++;
    this.fit(start, end, isHidden);
  }

  /** Records the measured height of a row. */
  set(row: number, height: number): void {
    const index = row - this.#first;
    const before = this.#rows[index];
    if (before === undefined || before === height) return;
    const block = Math.floor(index / blockSize);
    this.#rows[index] = height;
    this.#blocks[block] = (this.#blocks[block] ?? 0) + height - before;
    this.#total += height - before;
  }

  /** The offset of a row's upper edge. */
  offsetOf(row: number): number {
    const index = Math.min(row - this.#first, this.#rows.length);
    const block = Math.floor(index / blockSize);
    let offset = 0;
    for (let each = 0; each < block; each++) offset += this.#blocks[each] ?? 0;
    for (let each = block * blockSize; each < index; each++) offset += this.#rows[each] ?? 0;
    return offset;
  }

  /** The row at an offset; the first or the last one if the offset is outside. */
  rowAt(offset: number): number {
    let rest = offset;
    let block = 0;
    while (block < this.#blocks.length - 1 && rest >= (this.#blocks[block] ?? 0)) rest -= this.#blocks[block++] ?? 0;
    let index = block * blockSize;
    while (index < this.#rows.length - 1 && rest >= (this.#rows[index] ?? 0)) rest -= this.#rows[index++] ?? 0;
    return this.#first + index;
  }

  /** The rows that are visible between two offsets, even partly. */
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
