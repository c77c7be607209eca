import { textWidth } from './text-width.ts';

/** Columns at the end of a line in which a word is held back until it is complete: it may belong to the next line. */
const longestWord = 16;

/**
 * Breaks prose that comes in pieces at its words, so that a terminal does not break it within one. Code blocks, indented lines and tables
 * stay as they are.
 */
export class WordWrap {
  readonly #columns: () => number | undefined;
  #word = '';
  /** The beginning of the word is printed. */
  #isWithin = false;
  /** Blanks before the word. */
  #gap = '';
  #column = 0;
  #isInCode = false;
  #isExact = false;

  /** @param columns the width of the terminal; undefined: nothing is broken */
  constructor(columns: () => number | undefined) {
    this.#columns = columns;
  }

  push(text: string): string {
    let printed = '';
    for (const [piece] of text.matchAll(/\S+|\s/gu)) {
      if (/^\S/.test(piece)) this.#word += piece;
      else {
        printed += this.#takeWord();
        this.#isWithin = false;
        if (piece === '\n') printed += `${this.#endLine()}\n`;
        else this.#gap += piece;
      }
    }
    return printed + (this.#isCertain ? this.#takeWord() : '');
  }

  /** What was held back. What comes next begins a line. */
  end(): string {
    const printed = this.#takeWord();
    this.#isWithin = false;
    return printed + this.#endLine();
  }

  get #width(): number {
    return this.#columns() || Infinity;
  }

  /** Whether the word belongs to this line, however it continues. */
  get #isCertain(): boolean {
    if (this.#column === 0) return !/^`{0,2}$/.test(this.#word);
    return this.#isWithin || this.#isExact || this.#column + this.#gap.length + longestWord <= this.#width;
  }

  #endLine(): string {
    const trailing = this.#isExact || this.#column === 0 ? this.#gap : '';
    [this.#gap, this.#column, this.#isExact] = ['', 0, false];
    return trailing;
  }

  #takeWord(): string {
    const [gap, word, isWithin] = [this.#gap, this.#word, this.#isWithin];
    if (word === '') return '';
    [this.#gap, this.#word, this.#isWithin] = ['', '', true];
    if (this.#column === 0) this.#beginLine(gap, word);
    const width = textWidth(word);
    const isBroken = !this.#isExact && !isWithin && this.#column > 0 && this.#column + gap.length + width > this.#width;
    this.#column = isBroken ? width : this.#column + gap.length + width;
    return isBroken ? `\n${word}` : gap + word;
  }

  #beginLine(indent: string, word: string): void {
    const isFence = word.startsWith('```');
    if (isFence) this.#isInCode = !this.#isInCode;
    this.#isExact = isFence || this.#isInCode || /^(?: {4}|\t)/.test(indent) || word.startsWith('|');
  }
}
