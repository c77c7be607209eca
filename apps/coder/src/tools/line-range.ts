/** Which lines of a text, and how much of them. */
export interface RangeBounds {
  /** The first, from 1. */
  readonly line: number;
  /** How many at most. */
  readonly limit: number;
  /** How many characters at most. */
  readonly characters: number;
}

/**
 * Picks some lines out of a text that passes by in pieces, however long that or any of its lines is. Memory holds what is picked. At least
 * one line is picked, the beginning of one that is too long, so that reading on always gets further.
 */
export class LineRange {
  readonly #bounds: RangeBounds;
  readonly #picked: string[] = [];
  #length = 0;
  // The line that passes by: its number, and what is kept of it.
  #line = 1;
  #part = '';
  #isFull = false;
  #isCut = false;

  constructor(bounds: RangeBounds) {
    this.#bounds = bounds;
  }

  /** What comes next does not matter. */
  get isFull(): boolean {
    return this.#isFull;
  }

  /** The lines picked, each with `\n` at its end. */
  get text(): string {
    return this.#picked.join('');
  }

  /** The first line that is not picked any more. */
  get next(): number {
    return this.#bounds.line + this.#picked.length;
  }

  /** Whether the last line picked continues. */
  get isCut(): boolean {
    return this.#isCut;
  }

  /** How many lines have passed by. */
  get passed(): number {
    return this.#line - 1;
  }

  /** Takes the next piece. */
  add(text: string): void {
    let start = 0;
    while (start < text.length && !this.#isFull) {
      const end = text.indexOf('\n', start) + 1;
      this.#extend(text, start, end || text.length);
      if (end > 0) this.#finish();
      start = end || text.length;
    }
  }

  /** The text is over: what has no line ending is a line too. */
  end(): void {
    if (this.#part !== '' && !this.#isFull) this.#finish();
  }

  #extend(text: string, start: number, end: number): void {
    const room = this.#bounds.characters + 1 - this.#part.length;
    this.#part += text.slice(start, Math.min(end, start + room));
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
    this.#picked.push(isTooMuch ? wholeCharacters(line.slice(0, characters)) : line);
    this.#length += line.length;
    this.#isFull = isTooMuch || this.#picked.length === limit;
  }
}

function wholeCharacters(text: string): string {
  return text.replace(/[\uD800-\uDBFF]$/u, '');
}
