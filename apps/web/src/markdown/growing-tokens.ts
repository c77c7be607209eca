import { markdownTokens, type Token } from '@turnwire/client/markdown';

/** How many tokens at the end of a text may still change: a list may get more items, and a paragraph may become a heading. */
const unsure = 2;

/**
 * Tokens of a text that grows at its end. Earlier tokens are not parsed again, so that an update costs only the length of the addition.
 * Links to definitions further down resolve only once the text is complete.
 */
export class GrowingTokens {
  #text = '';
  #done: readonly Token[] = [];
  /** The end of the finished tokens in the text. */
  #from = 0;

  /** @param isComplete whether the text will not grow any more */
  read(text: string, isComplete: boolean): readonly Token[] {
    if (isComplete && /^ {0,3}\[[^\]]+\]:/m.test(text)) return markdownTokens(text);
    if (!text.startsWith(this.#text)) [this.#done, this.#from] = [[], 0];
    this.#text = text;
    const rest = markdownTokens(text.slice(this.#from));
    const settled = rest.slice(0, -unsure);
    const tokens = [...this.#done, ...rest];
    // The lexer replaces tabs and unusual line ends, in which case the end of a token in the text is unknown.
    const length = settled.reduce((sum, { raw }) => sum + raw.length, 0);
    if (!text.startsWith(settled.map(({ raw }) => raw).join(''), this.#from)) return tokens;
    this.#done = [...this.#done, ...settled];
    this.#from += length;
    return tokens;
  }
}
