import { textWidth } from './text-width.ts';

/**
 * Breaks prose that comes in pieces at its words, so that a terminal does not break it within one. Code blocks, indented lines and tables
 * stay as they are. The last word is held back until it is complete.
 */
export class WordWrap {
  readonly #columns: () => number | undefined;
  #word = '';
  /** Blanks before it. */
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
    for (const character of text) {
      if (character === '\n') printed += `${this.#endWord()}${this.#endLine()}\n`;
      else if (/\s/u.test(character)) {
        printed += this.#endWord();
        this.#gap += character;
      } else this.#word += character;
    }
    return printed;
  }

  /** The word that was held back. What comes next begins a line. */
  end(): string {
    return this.#endWord() + this.#endLine();
  }

  #endLine(): string {
    const trailing = this.#isExact || this.#column === 0 ? this.#gap : '';
    [this.#gap, this.#column, this.#isExact] = ['', 0, false];
    return trailing;
  }

  #endWord(): string {
    const [gap, word] = [this.#gap, this.#word];
    if (word === '') return '';
    [this.#gap, this.#word] = ['', ''];
    if (this.#column === 0) this.#beginLine(gap, word);
    const width = gap.length + textWidth(word);
    const isBroken = !this.#isExact && this.#column > 0 && this.#column + width > (this.#columns() || Infinity);
    this.#column = isBroken ? width - gap.length : this.#column + width;
    return isBroken ? `\n${word}` : gap + word;
  }

  #beginLine(indent: string, word: string): void {
    const isFence = word.startsWith('```');
    if (isFence) this.#isInCode = !this.#isInCode;
    this.#isExact = isFence || this.#isInCode || /^(?: {4}|\t)/.test(indent) || word.startsWith('|');
  }
}
