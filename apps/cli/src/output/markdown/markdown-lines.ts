import { markdownTokens, type Token, type Tokens } from '@turnwire/client/markdown';
import { highlighter } from '../../terminal/highlighter.ts';
import type { Page } from '../../terminal/page.ts';
import { plain } from '../../terminal/paint.ts';
import { padLine, textWidth, wrapExactly, wrapWords } from '../../terminal/text-width.ts';
import { inlineText } from './inline-text.ts';

/** Renders Markdown without control sequences as lines. */
export function markdownLines(markdown: string, page: Page): string[] {
  return blockLines(markdownTokens(markdown), page);
}

/** Renders blocks as lines, with an empty line where the source has one. */
export function blockLines(blocks: readonly Token[], page: Page): string[] {
  const lines: string[] = [];
  for (const block of blocks) {
    if (block.type === 'code') gap(lines);
    // Not `push(...)`: there may be more lines than a call can have arguments.
    if (block.type !== 'space') for (const line of linesOf(block, page)) lines.push(line);
    if (block.type === 'code' || /\n\s*\n\s*$/.test(block.raw) || block.type === 'space') gap(lines);
  }
  while (lines.at(-1) === '') lines.pop();
  return lines;
}

function gap(lines: string[]): void {
  if (lines.length > 0 && lines.at(-1) !== '') lines.push('');
}

function linesOf(block: Tokens.Generic, page: Page): string[] {
  const { paint, width } = page;
  switch (block.type) {
    case 'heading':
      return prose(block, page).map((line) => paint('bold', line));
    case 'code':
      return codeLines(block as Tokens.Code, page);
    case 'list':
      return listLines(block as Tokens.List, page);
    case 'blockquote':
      return quoteLines(block as Tokens.Blockquote, page);
    case 'table':
      return tableLines(block as Tokens.Table, page);
    case 'hr':
      return [paint('dim', '─'.repeat(Math.min(width, 40)))];
    case 'html':
      return wrapExactly(block.raw.trimEnd(), width);
    default:
      return prose(block, page);
  }
}

function prose(block: Tokens.Generic, { width, paint }: Page): string[] {
  const text = block.tokens ? inlineText(block.tokens, paint) : String(block['text'] ?? block.raw).trimEnd();
  // Keep line breaks of the source: agents write lists of files without empty lines between them.
  return text.split('\n').flatMap((line) => wrapWords(line, width));
}

function codeLines({ text, lang }: Tokens.Code, page: Page): string[] {
  return [...fenceLines(lang ?? '', page), ...codeTextLines(text.split('\n'), lang ?? '', page)];
}

/** The line above code, with its language. */
export function fenceLines(language: string, { paint }: Page): string[] {
  const [name = ''] = language.trim().split(/\s+/, 1);
  return name === '' ? [] : [paint('dim', `  ${name}`)];
}

/**
 * Renders lines of code as lines of the screen.
 * @param before the preceding lines, for the highlighter: a comment may have begun there
 */
export function codeTextLines(
  lines: readonly string[],
  fence: string,
  { width, paint, before = [] }: Page & { readonly before?: readonly string[] },
): string[] {
  const [language = ''] = fence.trim().split(/[\s,{]/, 1);
  const isPlain = paint === plain || language === 'diff';
  const code = isPlain ? [] : highlighter.lines([...before, ...lines], language).slice(before.length);
  return lines.flatMap((line, index) => {
    if (line.trim() === '') return [''];
    const style = language === 'diff' ? diffStyles[line[0] ?? ''] : undefined;
    const spans = code[index] ?? [{ text: line, style }];
    const text = spans.map((span) => (span.style ? paint(span.style, span.text) : span.text)).join('');
    return wrapExactly(text, Math.max(1, width - 2)).map((part) => `  ${part}`);
  });
}

const diffStyles: Readonly<Record<string, 'green' | 'red' | 'cyan' | undefined>> = {
  '+': 'green',
  '-': 'red',
  '@': 'cyan',
};

function listLines({ items, ordered, start, loose }: Tokens.List, page: Page): string[] {
  const lines: string[] = [];
  for (const [index, item] of items.entries()) {
    const mark = ordered ? `${Number(start === '' ? 1 : start) + index}. ` : '• ';
    const task = item.task ? (item.checked ? '[x] ' : '[ ] ') : '';
    const sign = page.paint('cyan', mark) + task;
    const content = blockLines(item.tokens.filter(isContent), inside(page, textWidth(mark + task)));
    for (const line of beneath(sign, content)) lines.push(line);
    if (loose && index < items.length - 1) gap(lines);
  }
  return lines;
}

/** Skips the checkbox of a task, which is a separate token and is drawn with the mark. */
function isContent({ type }: Token): boolean {
  return type !== 'checkbox';
}

function beneath(sign: string, lines: readonly string[]): string[] {
  const indent = ' '.repeat(textWidth(sign));
  return (lines.length === 0 ? [''] : lines).map(
    (line, index) => (index === 0 ? sign : line === '' ? '' : indent) + line,
  );
}

function quoteLines({ tokens }: Tokens.Blockquote, page: Page): string[] {
  return blockLines(tokens, inside(page, 2)).map((line) => `${page.paint('dim', '│')} ${line}`);
}

function inside({ width, paint }: Page, indent: number): Page {
  return { width: Math.max(8, width - indent), paint };
}

function tableLines({ header, rows }: Tokens.Table, page: Page): string[] {
  const cells = [header, ...rows].map((row) =>
    row.map((cell) => inlineText(cell.tokens, page.paint).replaceAll('\n', ' ')),
  );
  const widths = header.map((_, column) =>
    cells.reduce((widest, row) => Math.max(widest, textWidth(row[column] ?? '')), 1),
  );
  const gaps = 2 * (widths.length - 1);
  if (widths.reduce((sum, width) => sum + width, gaps) > page.width) return narrowTable(cells, page);
  const lines = cells.map((row) =>
    row
      .map((cell, column) => padLine(cell, widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  );
  const rule = page.paint('dim', widths.map((width) => '─'.repeat(width)).join('  '));
  return [page.paint('bold', lines[0] ?? ''), rule, ...lines.slice(1)];
}

/** Renders a table that does not fit as a list of its rows, with one `name: value` per line. */
function narrowTable([header = [], ...rows]: readonly (readonly string[])[], { width, paint }: Page): string[] {
  return rows.flatMap((row, index) => {
    const lines = row.flatMap((cell, column) =>
      wrapWords(`${paint('bold', `${header[column] ?? ''}:`)} ${cell}`, width),
    );
    return index === 0 ? lines : ['', ...lines];
  });
}
