import { type Token, type Tokens, withCharacters } from '@turnwire/client/markdown';
import { linked } from '../../terminal/link.ts';
import { type Paint, plain } from '../../terminal/paint.ts';

/** The styled text of a paragraph, on one line except for hard breaks. */
export function inlineText(tokens: readonly Token[], paint: Paint): string {
  return tokens.map((token) => inline(token as Tokens.Generic, paint)).join('');
}

function inline(token: Tokens.Generic, paint: Paint): string {
  const inner = (): string => {
    if (token.tokens) return inlineText(token.tokens, paint);
    return token.type === 'text' ? withCharacters(plainText(token)) : plainText(token);
  };
  switch (token.type) {
    case 'strong':
      return paint('bold', inner());
    case 'em':
      return paint('italic', inner());
    case 'del':
      return struckOut(token.raw, inner(), paint);
    case 'codespan':
      return paint('cyan', plainText(token));
    case 'link':
      return link(inner(), String(token['href'] ?? ''), paint);
    case 'image':
      return `[image: ${plainText(token) || String(token['href'] ?? '')}]`;
    case 'br':
      return '\n';
    case 'html':
      return token.raw;
    default:
      return inner();
  }
}

/** Two tildes strike text through. People write one for "about", as in ~100. */
function struckOut(raw: string, text: string, paint: Paint): string {
  return raw.startsWith('~~') ? paint('strikethrough', text) : `~${text}~`;
}

/** Always shows the address, because the agent chooses the link's text, and the user must be able to judge where it leads. */
function link(text: string, address: string, paint: Paint): string {
  const isSame = text === address || `mailto:${text}` === address;
  const shown = paint('underline', text);
  const clickable = paint === plain ? shown : linked(shown, address);
  return isSame ? clickable : `${clickable} ${paint('dim', `(${address})`)}`;
}

function plainText({ text, raw }: Tokens.Generic): string {
  return typeof text === 'string' ? text : raw;
}
