/** A range of lines of a text, with limits. */
export interface RangeBounds {
  /** The first, from 1. */
  readonly line: number;
  /** The most lines. */
  readonly limit: number;
  /** The most characters. */
  readonly characters: number;
}

/**
 * Picks a range of lines from a text that arrives in pieces, however long it or any of its lines is. Only the picked lines are in memory. At least
 * one line is picked, or the beginning of one that is too long, so that reading on always makes progress.
 */
export class LineRange {
  readonly #bounds: RangeBounds;
  readonly #picked: string[] = [];
  #length = 0;
  // The current line: its number, and its picked part.
  #line = 1;
  #part = '';
  #isFull = false;
  #isCut = false;

  constructor(bounds: RangeBounds) {
    this.#bounds = bounds;
  }

  /** Whether the rest of the text can be skipped. */
  get isFull(): boolean {
    return this.#isFull;
  }

  /** The picked lines, each with `\n` at its end. */
  get text(): string {
    return this.#picked.join('');
  }

  /** The first line after those that were picked. */
  get next(): number {
    return this.#bounds.line + this.#picked.length;
  }

  /** Whether the last picked line continues. */
  get isCut(): boolean {
    return this.#isCut;
  }

  /** How many lines were read. */
  get passed(): number {
    return this.#line - 1;
  }

  /** Adds the next piece. */
  add(text: string): void {
    let start = 0;
    while (start < text.length && !this.#isFull) {
      const end = text.indexOf('\n', start) + 1;
      this.#extend(text, start, end || text.length);
      if (end > 0) this.#finish();
      start = end || text.length;
    }
  }

  /** Ends the text: a rest without a line ending is a line as well. */
  end(): void {
    if (this.#part !== '' && !this.#isFull) this.#finish();
  }

  #extend(text: string, start: number, end: number): void {
    const left = this.#bounds.characters + 1 - this.#part.length;
    this.#part += text.slice(start, Math.min(end, start + left));
    const isWanted = this.#line >= this.#bounds.line;
    if (isWanted && this.#part.length > this.#bounds.characters) this.#finish();
  }

  #finish(): void {
    if (this.#isFull) return;
    if (this.#line >= this.#bounds.line) this.#pick(this.#part.replace(/\r\n$/u, '\n'));
    this.#line += 1;
    this.#part = '';
  }

  #pick(line: string): void {
    const { limit, characters } = this.#bounds;
    const isTooMuch = this.#length + line.length > characters;
    if (isTooMuch && this.#picked.length > 0) {
      this.#isFull = true;
      return;
    }
    this.#isCut = isTooMuch;
    this.#picked.push(isTooMuch ? line.slice(0, characters).replace(/[\uD800-\uDBFF]$/u, '') : line);
    this.#length += line.length;
    this.#isFull = isTooMuch || this.#picked.length === limit;
  }
}
