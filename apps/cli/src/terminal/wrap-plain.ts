/** The options for breaking a line. */
export interface WrapOptions {
  /** Whether to trim spaces at both ends of a row. Default true. */
  readonly trim?: boolean;
  /** Whether to break between words if possible. Default true. */
  readonly wordWrap?: boolean;
}

/**
 * Breaks a line in which every character has one column, with the same result as wrap-ansi with `hard`. That library looks up every
 * character and takes seconds for a line of a megabyte.
 */
export function wrapPlain(line: string, columns: number, { trim = true, wordWrap = true }: WrapOptions): string[] {
  const rows = new Rows(columns);
  for (const [index, word] of line.split(' ').entries()) {
    if (trim) rows.last = rows.last.trimStart();
    if (index > 0) {
      if (rows.room <= 0 && !(trim && wordWrap)) rows.end();
      if (rows.last !== '' || !trim) rows.last += ' ';
    }
    rows.add(word, wordWrap);
  }
  rows.end();
  return trim ? rows.ended.map((row) => row.trimEnd()) : rows.ended;
}

class Rows {
  readonly ended: string[] = [];
  last = '';
  readonly #columns: number;

  constructor(columns: number) {
    this.#columns = columns;
  }

  get room(): number {
    return this.#columns - this.last.length;
  }

  end(): void {
    this.ended.push(this.last);
    this.last = '';
  }

  add(word: string, wordWrap: boolean): void {
    const fits = word.length <= this.room;
    if (wordWrap && word.length > this.#columns) {
      // A word that is wider than a row starts in this row, unless that needs an additional row.
      if (this.#breaks(word.length) <= this.#breaks(word.length - this.room)) this.end();
      this.#fill(word);
    } else if (!fits && !wordWrap) {
      this.#fill(word);
    } else {
      if (!fits && this.last !== '' && word !== '') this.end();
      this.last += word;
    }
  }

  #fill(word: string): void {
    for (let from = 0; from < word.length;) {
      if (this.room <= 0) this.end();
      const part = word.slice(from, from + this.room);
      this.last += part;
      from += part.length;
    }
  }

  /** The number of breaks in a text of this length that starts a row. */
  #breaks(length: number): number {
    return Math.floor((length - 1) / this.#columns);
  }
}
