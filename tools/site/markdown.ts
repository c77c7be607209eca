import { Marked, type Token, type Tokens } from 'marked';
import { escaped } from './escaped.ts';
import { highlighted } from './highlight.ts';

/** A heading, and where links find it. */
interface Heading {
  readonly depth: number;
  readonly text: string;
  readonly anchor: string;
}

/** A part of a page under one heading, for the search. */
interface Section {
  readonly heading: Heading;
  /** Its words, without Markdown. */
  readonly text: string;
}

/** What a page is made of. */
export interface Document {
  readonly tokens: readonly Token[];
  readonly headings: readonly Heading[];
  readonly sections: readonly Section[];
}

/** A package with its version, `acpx@0.19.1`, is no address to write to: without a scheme, nothing becomes a link by itself. */
const reader = new Marked({ tokenizer: { url: (text) => (/^https?:/.test(text) ? false : undefined) } });

/** Reads Markdown. Headings get the anchors that code hosts give them, since links of the pages were written for those. */
export function readDocument(text: string): Document {
  const tokens = reader.lexer(text);
  const anchorOf = anchors();
  const sections: { heading: Heading; text: string }[] = [];
  for (const token of tokens) {
    if (token.type !== 'heading') {
      const section = sections.at(-1);
      if (section) section.text += ` ${plainText(token)}`;
      continue;
    }
    const heading = plainText(token);
    const { depth } = token as Tokens.Heading;
    sections.push({ heading: { depth, text: heading, anchor: anchorOf(heading) }, text: '' });
  }
  const words = sections.map(({ heading, text: said }) => ({ heading, text: said.replaceAll(/\s+/g, ' ').trim() }));
  return { tokens, headings: words.map(({ heading }) => heading), sections: words };
}

/** The anchors of a page's headings, asked for in their order. The same words get another anchor each time. */
export function anchors(): (heading: string) => string {
  const seen = new Map<string, number>();
  return (heading) => {
    const slug = slugOf(heading);
    const count = seen.get(slug) ?? 0;
    seen.set(slug, count + 1);
    return count === 0 ? slug : `${slug}-${count}`;
  };
}

function slugOf(heading: string): string {
  return heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(/\s/g, '-');
}

/** What is left of a token without its Markdown. */
function plainText(token: Token): string {
  const { type, text, raw, tokens, items, header, rows } = token as Tokens.Generic;
  if (type === 'html' || type === 'space') return '';
  if (type === 'code') return text as string;
  const cells = [header, ...((rows as Tokens.TableCell[][] | undefined) ?? [])].flat() as (
    | Tokens.TableCell
    | undefined
  )[];
  const parts = (tokens ?? items ?? (type === 'table' ? cells : undefined)) as readonly Token[] | undefined;
  if (parts) return parts.map((part) => plainText(part)).join(type === 'table' || type === 'list' ? ' ' : '');
  return (text as string | undefined) ?? raw;
}

/** Where the links and pictures of a page lead to on the site. */
export interface Targets {
  /** The address for the one in the page. */
  readonly link: (href: string) => string;
  /** The address of a picture. */
  readonly picture: (href: string) => string;
}

/** The longest code that stays on one line of a table, in characters. */
const longestUnbroken = 20;

/** The longest text of a cell, in characters, that can be read in a narrow column. */
const longestNarrow = 40;

/** Short code is not broken at its hyphens; long code can be between its parts, so that it leaves room in a table. */
function inlineCode(text: string): string {
  if (text.length <= longestUnbroken) return `<code class="short">${escaped(text)}</code>`;
  return `<code>${text
    .split(/(?<=[/._])/)
    .map(escaped)
    .join('<wbr>')}</code>`;
}

/** A page's content as HTML. */
export function drawDocument({ tokens, headings }: Document, { link, picture }: Targets): string {
  let place = 0;
  const marked = new Marked({
    renderer: {
      heading({ tokens: inner, depth }) {
        const { anchor } = headings[place++] as Heading;
        const words = this.parser.parseInline(inner);
        if (depth === 1) return `<h1 id="${anchor}">${words}</h1>\n`;
        return `<h${depth} id="${anchor}">${words} <a class="anchor" href="#${anchor}" aria-label="Link to this section">#</a></h${depth}>\n`;
      },
      code({ text, lang = '' }) {
        const language = lang.split(/\s/, 1)[0] ?? '';
        return `<pre tabindex="0"><code>${highlighted(text, language)}</code></pre>\n`;
      },
      codespan: ({ text }) => inlineCode(text),
      table({ header, rows }) {
        // A header cell without words says nothing to those who cannot see the table: it is no header.
        const cell = ({ tokens: inner, header: isHeader }: Tokens.TableCell): string => {
          const tag = isHeader && inner.length > 0 ? 'th' : 'td';
          const width = inner.map((token) => plainText(token)).join('').length > longestNarrow ? ' class="prose"' : '';
          return `<${tag}${width}>${this.parser.parseInline(inner)}</${tag}>`;
        };
        const row = (cells: readonly Tokens.TableCell[]): string => `<tr>${cells.map(cell).join('')}</tr>`;
        const body = rows.map(row).join('\n');
        return `<div class="wide" tabindex="0"><table><thead>${row(header)}</thead><tbody>\n${body}\n</tbody></table></div>\n`;
      },
      link({ href, tokens: inner }) {
        return `<a href="${escaped(link(href))}">${this.parser.parseInline(inner)}</a>`;
      },
      image({ href, text }) {
        return `<img src="${escaped(picture(href))}" alt="${escaped(text)}">`;
      },
      html({ raw }) {
        if (/^\s*<!--[^]*-->\s*$/.test(raw)) return '';
        throw new Error(`HTML in a page: ${raw.trim()}`);
      },
    },
  });
  return marked.parser([...tokens]);
}
