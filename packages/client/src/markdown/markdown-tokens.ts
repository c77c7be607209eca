import { Lexer, Marked, type Token } from 'marked';
import cjkFriendly from 'marked-cjk-friendly';

/** Levels of lists, quotes and emphasis that are parsed; deeper levels stay text. The lexer recurses for each level. */
const deepest = 40;
/** Emphasis and links are parsed in paragraphs up to this length, in UTF-16 units, because the time grows with its square. */
const longestInline = 10_000;

/** Emphasis also starts and ends next to Chinese, Japanese and Korean punctuation. */
const options = new Marked(cjkFriendly()).defaults;

/**
 * The blocks of a text, with GitHub's tables, task lists and links. Lists, quotations and emphasis are parsed up to 40 levels deep; deeper
 * ones stay text.
 */
export function markdownTokens(text: string): Token[] {
  return new ShallowLexer().lex(text);
}

/**
 * A lexer with bounded time for any text: one that repeats `>` or `*` ten thousand times comes from a model in a loop, or from an attacker.
 */
class ShallowLexer extends Lexer {
  #depth = 0;

  constructor() {
    super(options);
  }

  override blockTokens<List extends Token[]>(
    source: string,
    tokens = [] as Token[] as List,
    isClipped?: boolean,
  ): List {
    return this.#nested(source, tokens, () => void super.blockTokens(source, tokens, isClipped));
  }

  override inlineTokens(source: string, tokens: Token[] = []): Token[] {
    if (source.length > longestInline) return plain(source, tokens);
    return this.#nested(source, tokens, () => void super.inlineTokens(source, tokens));
  }

  #nested<List extends Token[]>(source: string, tokens: List, read: () => void): List {
    if (this.#depth >= deepest) return plain(source, tokens);
    this.#depth++;
    read();
    this.#depth--;
    return tokens;
  }
}

function plain<List extends Token[]>(source: string, tokens: List): List {
  tokens.push({ type: 'text', raw: source, text: source });
  return tokens;
}
