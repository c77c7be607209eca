import { markdownTokens, type Token, type Tokens } from '@turnwire/client/markdown';
import { fullLinesEnd } from './full-lines.ts';
import { blockLines, codeTextLines, fenceLines, markdownLines } from './markdown-lines.ts';
import type { Page } from '../../terminal/page.ts';

/** A longer block without an end is committed line by line. */
const longestBlock = 16_000;

/** So many lines of code before the next ones are looked at for what those are. */
const mostContext = 200;

interface Fence {
  readonly marker: string;
  readonly language: string;
  /** The last lines that were taken. */
  readonly before: readonly string[];
}

/**
 * Markdown that is still growing. Complete blocks can be taken and will never change; code is taken line by line, and
 * lists item by item; on a page that is printed once, paragraphs too. The rest is short, so that redrawing it is cheap however long the whole becomes.
 */
export class MarkdownStream {
  #rest = '';
  #fence: Fence | undefined;
  /** The next lines need an empty line before them. */
  #owesGap = false;
  #hasBegun = false;

  push(text: string): void {
    this.#rest += text;
  }

  /** Takes the complete lines. */
  take(page: Page): string[] {
    const lines: string[] = [];
    for (;;) {
      const before = this.#rest.length;
      const taken = this.#fence ? this.#takeCode(this.#fence, page) : this.#takeBlocks(page);
      for (const line of taken) lines.push(line);
      if (this.#rest.length === before) return lines;
    }
  }

  /** The lines that may still change. */
  live(page: Page): string[] {
    if (this.#fence) {
      // The last line is incomplete, and may be the one that closes the fence.
      const { marker, language, before } = this.#fence;
      if (this.#rest === '' || isClosing(this.#rest, marker)) return [];
      return [...(this.#owesGap ? [''] : []), ...codeTextLines([this.#rest], language, { ...page, before })];
    }
    const lines = markdownLines(this.#rest, page);
    return lines.length > 0 && this.#owesGap ? ['', ...lines] : lines;
  }

  /** Takes the last lines: the text is complete. */
  end(page: Page): string[] {
    const lines = [...this.take(page), ...this.live(page)];
    this.#rest = '';
    this.#fence = undefined;
    return lines;
  }

  #takeBlocks(page: Page): string[] {
    const fence = /^ {0,3}(`{3,}|~{3,})([^\n`]*)\n/.exec(this.#rest);
    if (fence) return this.#openFence(fence, page);
    if (!this.#rest.includes('\n') && !page.isPrintedOnce)
      return this.#rest.length > longestBlock ? this.#takeLong(page) : [];
    const blocks = markdownTokens(this.#rest);
    const last = blocks.findLastIndex(({ type }) => type !== 'space');
    if (last > 0) return this.#commit(blocks.slice(0, last), page);
    return this.#takeFrom(blocks[last], page);
  }

  /** Takes what is complete of the last block. */
  #takeFrom(block: Token | undefined, page: Page): string[] {
    if (block?.type === 'list') return this.#takeItems(block as Tokens.List, page);
    const end = page.isPrintedOnce && block?.type === 'paragraph' ? fullLinesEnd(this.#rest, page) : 0;
    if (end > 0) return this.#takeText(end, page);
    return this.#rest.length > longestBlock ? this.#takeLong(page) : [];
  }

  /** Takes all items but the last, which may continue. */
  #takeItems(list: Tokens.List, page: Page): string[] {
    const done = list.items.slice(0, -1);
    if (done.length === 0) return [];
    const raw = done.map((item) => item.raw).join('');
    if (!this.#rest.startsWith(raw)) return [];
    return this.#commit([{ ...list, items: done, raw }], page);
  }

  #commit(blocks: readonly Token[], page: Page): string[] {
    const raw = blocks.map((block) => block.raw).join('');
    const lines = this.#withGap(blockLines(blocks, page));
    this.#rest = this.#rest.slice(raw.length);
    const isCode = blocks.findLast(({ type }) => type !== 'space')?.type === 'code';
    this.#owesGap = isCode || /\n\s*\n\s*$/.test(raw) || (this.#owesGap && lines.length === 0);
    return lines;
  }

  /** Takes the lines of a block without an end, as they are. */
  #takeLong(page: Page): string[] {
    const newline = this.#rest.lastIndexOf('\n');
    const end = newline > 0 ? newline + 1 : this.#rest.lastIndexOf(' ') + 1 || this.#rest.length;
    return this.#takeText(end, page);
  }

  #takeText(end: number, page: Page): string[] {
    const lines = this.#withGap(markdownLines(this.#rest.slice(0, end).trimEnd(), page));
    this.#rest = this.#rest.slice(end);
    return lines;
  }

  #openFence([raw, marker = '', language = '']: RegExpExecArray, page: Page): string[] {
    this.#rest = this.#rest.slice(raw.length);
    this.#fence = { marker, language: language.trim(), before: [] };
    this.#owesGap ||= this.#hasBegun;
    return this.#withGap(fenceLines(language, page));
  }

  #takeCode(fence: Fence, page: Page): string[] {
    const { marker, language, before } = fence;
    const end = this.#rest.lastIndexOf('\n');
    if (end === -1) return [];
    const code: string[] = [];
    let isOpen = true;
    let at = 0;
    while (at <= end) {
      const next = this.#rest.indexOf('\n', at);
      const line = this.#rest.slice(at, next);
      at = next + 1;
      isOpen = !isClosing(line, marker);
      if (!isOpen) break;
      code.push(line);
    }
    this.#fence = isOpen ? { ...fence, before: [...before, ...code].slice(-mostContext) } : undefined;
    this.#rest = this.#rest.slice(at).replace(this.#fence ? /^$/ : /^\n+/, '');
    const spaced = this.#withGap(codeTextLines(code, language, { ...page, before }));
    this.#owesGap ||= this.#fence === undefined;
    return spaced;
  }

  #withGap(lines: readonly string[]): string[] {
    if (lines.length === 0) return [];
    this.#hasBegun = true;
    if (!this.#owesGap) return [...lines];
    this.#owesGap = false;
    return ['', ...lines];
  }
}

function isClosing(line: string, marker: string): boolean {
  const text = line.trim();
  return text.length >= marker.length && text === (marker[0] ?? '`').repeat(text.length);
}
