import { markdownTokens, type Token, type Tokens, withCharacters } from '@turnwire/client/markdown';

/** Escapes a text for HTML. */
export function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}

/** Markdown as HTML. HTML in the source is escaped, pictures are not loaded, and links lead only to web and mail addresses. */
export function markdownHtml(markdown: string): string {
  return blocks(markdownTokens(markdown));
}

function blocks(tokens: readonly Token[]): string {
  return tokens.map((token) => block(token as Tokens.Generic)).join('');
}

function block(token: Tokens.Generic): string {
  switch (token.type) {
    case 'space':
      return '';
    case 'heading':
      return `<p class="heading">${inline(token.tokens)}</p>\n`;
    case 'code':
      return `<pre><code>${escaped(String(token['text']))}</code></pre>\n`;
    case 'blockquote':
      return `<blockquote>${blocks(token.tokens ?? [])}</blockquote>\n`;
    case 'hr':
      return '<hr>\n';
    case 'list':
      return list(token as Tokens.List);
    case 'table':
      return table(token as Tokens.Table);
    case 'paragraph':
      return `<p>${inline(token.tokens)}</p>\n`;
    case 'text':
      return token.tokens ? inline(token.tokens) : escaped(String(token['text']));
    default:
      return `<p>${escaped(token.raw)}</p>\n`;
  }
}

function list({ ordered, start, items }: Tokens.List): string {
  const name = ordered ? 'ol' : 'ul';
  const from = ordered && typeof start === 'number' && start !== 1 ? ` start="${start}"` : '';
  const lines = items.map(({ task, checked, tokens }) => {
    const box = task ? (checked ? '☑ ' : '☐ ') : '';
    return `<li>${box}${blocks(tokens.filter(({ type }) => type !== 'checkbox'))}</li>\n`;
  });
  return `<${name}${from}>\n${lines.join('')}</${name}>\n`;
}

function table({ header, rows }: Tokens.Table): string {
  const row = (cells: readonly Tokens.TableCell[], name: 'td' | 'th'): string =>
    `<tr>${cells.map(({ tokens }) => `<${name}>${inline(tokens)}</${name}>`).join('')}</tr>\n`;
  return `<table>\n${row(header, 'th')}${rows.map((cells) => row(cells, 'td')).join('')}</table>\n`;
}

const styles: Readonly<Record<string, string>> = { strong: 'strong', em: 'em', del: 'del' };

function inline(tokens: readonly Token[] = []): string {
  return tokens.map((token) => span(token as Tokens.Generic)).join('');
}

function span(token: Tokens.Generic): string {
  const text = (): string => (token.tokens ? inline(token.tokens) : escaped(String(token['text'] ?? token.raw)));
  // People write one tilde for "about", as in ~100.
  if (token.type === 'del' && !token.raw.startsWith('~~')) return `~${text()}~`;
  const style = styles[token.type];
  if (style !== undefined) return `<${style}>${text()}</${style}>`;
  if (token.type === 'codespan') return `<code>${escaped(String(token['text']))}</code>`;
  if (token.type === 'br') return '<br>\n';
  if (token.type === 'image') return `[image: ${escaped(String(token['text'] || token['href']))}]`;
  if (token.type === 'link') return link(String(token['href']), text());
  if (token.type === 'text' && !token.tokens) return escaped(withCharacters(String(token['text'])));
  return token.type === 'html' ? escaped(token.raw) : text();
}

function link(address: string, text: string): string {
  if (!/^(?:https?|mailto):/i.test(address)) return `${text} (${escaped(address)})`;
  return `<a href="${escaped(address)}" rel="noopener noreferrer nofollow">${text}</a>`;
}
