import TurndownService from 'turndown';
import { boundedHtml } from './bounded-html.ts';

/** A page as text. */
export interface PageText {
  readonly markdown: string;
  /** Undefined if it has none. */
  readonly title: string | undefined;
  /** The page is longer than the part that was read. */
  readonly isCut: boolean;
}

/** Nested quotations repeat their marks on every line. */
const longest = 2 * 1024 * 1024;

/** Converts a page to Markdown. Scripts, styles and the like are left out; links become absolute. */
export function htmlToMarkdown(page: string, base: URL): PageText {
  const { html, title, isCut } = boundedHtml(page, base);
  const markdown = html.trim() === '' ? '' : converter().turndown(html);
  return {
    markdown: markdown.slice(0, longest),
    title: title === '' ? undefined : title,
    isCut: isCut || markdown.length > longest,
  };
}

function converter(): TurndownService {
  const service = new TurndownService({
    headingStyle: 'atx',
    codeBlockStyle: 'fenced',
    bulletListMarker: '-',
    emDelimiter: '*',
  });
  return service
    .addRule('image', { filter: 'img', replacement: (_, node) => imageText(node) })
    .addRule('cell', { filter: ['th', 'td'], replacement: (content) => ` ${cellText(content)} |` })
    .addRule('row', { filter: 'tr', replacement: (content, node) => rowText(content, node) })
    .addRule('rows', { filter: ['thead', 'tbody', 'tfoot'], replacement: (content) => content })
    .addRule('table', { filter: 'table', replacement: (content) => `\n\n${content.trim()}\n\n` });
}

interface Row {
  readonly previousSibling: unknown;
  readonly parentNode: { readonly nodeName: string; readonly previousSibling: unknown } | null;
  readonly childNodes: { readonly length: number };
}

/** An image without a description is left out. */
function imageText(node: { getAttribute(name: string): string | null }): string {
  const [alt, source] = [node.getAttribute('alt')?.trim(), node.getAttribute('src')];
  return alt ? `![${alt.replaceAll(/\s+/g, ' ')}](${source ?? ''})` : '';
}

function cellText(content: string): string {
  return content
    .trim()
    .replaceAll(/\s*\n\s*/g, ' ')
    .replaceAll('|', '\\|');
}

/** A Markdown table needs a head: the first row is used. */
function rowText(content: string, { previousSibling, parentNode, childNodes }: Row): string {
  const isFirst =
    previousSibling === null && (parentNode?.nodeName === 'TABLE' || parentNode?.previousSibling === null);
  const head = isFirst ? `|${' --- |'.repeat(childNodes.length)}\n` : '';
  return `|${content.replaceAll('\n', ' ')}\n${head}`;
}
