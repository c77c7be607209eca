import { markdownTokens, type Token, type Tokens } from '@turnwire/client/markdown';
import { blockLines, codeTextLines, fenceLines, markdownLines } from './markdown-lines.ts';
import type { Page } from '../../terminal/page.ts';

/** The maximum length of an unfinished block, in characters; a longer one is committed line by line. */
const longestBlock = 16_000;

/**
 * A growing paragraph with more lines than `most` is committed line by line, except for the last `least` lines. A screen that is redrawn
 * keeps several lines, because a narrower terminal makes them taller. Output that is printed once is printed when a line is full.
 */
const liveLines = { drawn: { most: 8, least: 4 }, printed: { most: 1, least: 1 } };
/** The maximum number of line counts to try per update. */
const mostTries = 3;

/** The number of preceding lines of code that the highlighter reads as context. */
const mostContext = 200;

interface Fence {
  readonly marker: string;
  readonly language: string;
  /** The last lines taken from the block, as context for the highlighter. */
  readonly before: readonly string[];
}

/**
 * Markdown that is still growing. Complete blocks can be taken and never change afterwards. Code and long paragraphs are taken line by line,
 * lists item by item. The rest stays short, so redrawing it is cheap regardless of the total length.
 */
export class MarkdownStream {
  #rest = '';
  #fence: Fence | undefined;
  /** The line count of the paragraph at the last attempt that could take no line. */
  #tried = 0;
  /** Whether the next lines need an empty line before them. */
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

  /** Takes the last lines of the complete text. */
  end(page: Page): string[] {
    const lines = [...this.take(page), ...this.live(page)];
    this.#rest = '';
    this.#fence = undefined;
    return lines;
  }

  #takeBlocks(page: Page): string[] {
    const fence = /^ {0,3}(`{3,}|~{3,})([^\n`]*)\n/.exec(this.#rest);
    if (fence) return this.#openFence(fence, page);
    const { most } = page.isPrintedOnce ? liveLines.printed : liveLines.drawn;
    const isShort = this.#rest.length < most * page.width;
    if (isShort && !this.#rest.includes('\n')) return [];
    const blocks = markdownTokens(this.#rest);
    const last = blocks.findLastIndex(({ type }) => type !== 'space');
    if (last > 0) return this.#commit(blocks.slice(0, last), page);
    const block = blocks[last];
    if (block?.type === 'list') return this.#takeItems(block as Tokens.List, page);
    const taken = block?.type === 'paragraph' ? this.#takeParagraph(page) : [];
    return taken.length === 0 && this.#rest.length > longestBlock ? this.#takeLong(page) : taken;
  }

  /** Takes the first lines of a long paragraph, if nothing that follows can change them. */
  #takeParagraph(page: Page): string[] {
    const { most, least } = page.isPrintedOnce ? liveLines.printed : liveLines.drawn;
    const lines = markdownLines(this.#rest, page);
    // The next line may turn this one into the header of a table.
    if (lines.length <= most || lines.length === this.#tried || this.#rest.includes('|')) return [];
    const full = lines.length - least;
    for (let count = full; count > Math.max(0, full - mostTries); count--) {
      const end = endOfLines(this.#rest, count, page);
      if (!isSettled(lines.slice(0, count), this.#rest.slice(0, end), page)) continue;
      if (!isSame(markdownLines(this.#rest.slice(end), page), lines.slice(count))) continue;
      this.#rest = this.#rest.slice(end);
      this.#tried = 0;
      return this.#withGap(lines.slice(0, count));
    }
    this.#tried = lines.length;
    return [];
  }

  /** Takes all items except the last, which may continue. */
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

  /** Takes the lines of a long unfinished block. */
  #takeLong(page: Page): string[] {
    const newline = this.#rest.lastIndexOf('\n');
    const end = newline > 0 ? newline + 1 : this.#rest.lastIndexOf(' ') + 1 || this.#rest.length;
    const lines = this.#withGap(markdownLines(this.#rest.slice(0, end), page));
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

/** Texts that could close markup from earlier in a paragraph. */
const closers = ['*', '**', '_', '__', '~', '~~', '`', '``', '](x)', '>'];

/** Whether a text renders as these lines regardless of the rest of the paragraph. */
function isSettled(lines: readonly string[], text: string, page: Page): boolean {
  if (text === '' || !isSame(markdownLines(text, page), lines)) return false;
  return closers.every((closer) => {
    const drawn = markdownLines(`${text}x${closer}`, page);
    return (
      isSame(drawn.slice(0, lines.length - 1), lines.slice(0, -1)) &&
      drawn[lines.length - 1]?.startsWith(lines.at(-1) ?? '')
    );
  });
}

function isSame(some: readonly string[], others: readonly string[]): boolean {
  return some.length === others.length && some.every((line, index) => line === others[index]);
}

/** The end, after white space, of the longest prefix of a paragraph that renders as at most this many lines. */
function endOfLines(text: string, count: number, page: Page): number {
  const ends = [...text.matchAll(/\s+/g)].map((blank) => blank.index + blank[0].length);
  let [low, high] = [0, ends.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (markdownLines(text.slice(0, ends[middle]), page).length <= count) low = middle + 1;
    else high = middle;
  }
  return ends[low - 1] ?? 0;
}
