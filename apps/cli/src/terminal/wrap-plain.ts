/** How a line is broken. */
export interface WrapOptions {
  /** Whether rows lose the spaces at both ends. Default true. */
  readonly trim?: boolean;
  /** Whether rows end between words where they can. Default true. */
  readonly wordWrap?: boolean;
}

/**
 * Breaks a line whose characters take one column each as wrap-ansi with `hard` does. That library looks up every character: a line of a
 * megabyte took it seconds.
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
      // A word that is wider than a row begins in this one unless that costs a row more.
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

  /** How often a text of this length is broken if it begins a row. */
  #breaks(length: number): number {
    return Math.floor((length - 1) / this.#columns);
  }
}
