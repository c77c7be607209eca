import { markdownTokens, type Token } from '@turnwire/client/markdown';

/** How many tokens at the end of a text may still change with what follows: a list goes on, a paragraph becomes a heading. */
const unsure = 2;

/**
 * The tokens of a text that grows at its end. What was read stays read: a message costs what was added to it, however long it is. A link
 * that is defined further down is a link once the text is complete.
 */
export class GrowingTokens {
  #text = '';
  #done: readonly Token[] = [];
  /** Where the tokens that are done end. */
  #from = 0;

  /** @param isComplete nothing follows */
  read(text: string, isComplete: boolean): readonly Token[] {
    if (isComplete && /^ {0,3}\[[^\]]+\]:/m.test(text)) return markdownTokens(text);
    if (!text.startsWith(this.#text)) [this.#done, this.#from] = [[], 0];
    this.#text = text;
    const rest = markdownTokens(text.slice(this.#from));
    const settled = rest.slice(0, -unsure);
    const tokens = [...this.#done, ...rest];
    // The lexer turns tabs and odd line ends into others: then it cannot be said where a token ended.
    const length = settled.reduce((sum, { raw }) => sum + raw.length, 0);
    if (!text.startsWith(settled.map(({ raw }) => raw).join(''), this.#from)) return tokens;
    this.#done = [...this.#done, ...settled];
    this.#from += length;
    return tokens;
  }
}
