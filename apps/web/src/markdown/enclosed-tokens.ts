import type { Token } from '@turnwire/client/markdown';

/** An opening tag, its content and its closing tag. */
export interface TagToken {
  readonly type: 'tag';
  readonly raw: string;
  /** In lower case. */
  readonly name: string;
  /** The label of a folded `<details>`. */
  readonly summary?: string | undefined;
  readonly tokens: readonly Token[];
}

/** The only tags that are drawn as elements, and only without attributes. All other tags stay text. */
const opening = /^<(sub|sup|kbd)>$|^<(details)(?: open)?>\s*(?:<summary>([^<]*)<\/summary>)?\s*$/i;

/** Merges each known tag, its content and its closing tag into one token. A tag without an end stays text. */
export function enclosedTokens(tokens: readonly Token[]): readonly (Token | TagToken)[] {
  if (!tokens.some(({ type }) => type === 'html')) return tokens;
  const enclosed: (Token | TagToken)[] = [];
  for (let index = 0; index < tokens.length; index++) {
    const token = tokens[index] as Token;
    const [, inline, block, summary] = (token.type === 'html' && opening.exec(token.raw)) || [];
    const name = (inline ?? block)?.toLowerCase();
    const end = tokens.findIndex(({ type, raw }, at) => at > index && type === 'html' && endOf(raw) === name);
    if (name === undefined || end === -1) {
      enclosed.push(token);
      continue;
    }
    const raw = tokens.slice(index, end + 1).map((each) => each.raw);
    enclosed.push({ type: 'tag', name, summary, raw: raw.join(''), tokens: tokens.slice(index + 1, end) });
    index = end;
  }
  return enclosed;
}

function endOf(raw: string): string | undefined {
  return /^<\/(\w+)>\s*$/.exec(raw)?.[1]?.toLowerCase();
}
