import type { Sequence, TranscriptEntry } from '@turnwire/client/transcript';
import { entryBlock, messageText } from '@turnwire/client/view';
import type { Diff } from '@turnwire/protocol';
import { cleanText } from '../terminal/clean-text.ts';
import { diffRows } from '../terminal/diff-rows.ts';
import { showsText } from './found-text.ts';
import { entryLines } from './entries/entry-lines.ts';
import type { RenderOptions } from './entries/render-options.ts';

/** The content of a pager: items that are rendered one by one. */
interface PagedItems<Item extends object> {
  items(): { readonly length: number; at(index: number): Item | undefined };
  linesOf(item: Item, options: RenderOptions): readonly string[];
  /** The text of an item, without rendering it. */
  textOf(item: Item): string;
  /** The initial position of the window. */
  readonly start: 'beginning' | 'end';
}

/** A transcript in pages, from its end. */
export function transcriptPages(entries: () => Sequence<TranscriptEntry>): PagedItems<TranscriptEntry> {
  return { items: entries, linesOf: entryLines, textOf, start: 'end' };
}

/** Diffs in pages. */
export function diffPages(diffs: readonly Diff[]): PagedItems<Diff> {
  return {
    items: () => diffs,
    linesOf: (diff, options) => diffRows(diff, options),
    textOf: ({ path, oldText, newText }) => cleanText(`${path}\n${oldText ?? ''}\n${newText}`),
    start: 'beginning',
  };
}

/** The maximum number of items with cached lines. */
const mostKept = 200;

/** A position: an item, and one of its lines. */
interface Position {
  readonly entry: number;
  readonly line: number;
}

/**
 * A window over items that are rendered as lines. Lines are rendered when they enter the window and cached for a while, so the cost of
 * scrolling does not depend on the position. A window at the end stays at the end as items are added.
 */
export class PagedLines<Item extends object> {
  readonly #paged: PagedItems<Item>;
  #options: RenderOptions | undefined;
  /** The first line of the window; absent: the window is at the end. */
  #top: Position | undefined;
  #rows = 24;
  readonly #kept = new Map<Item, readonly string[]>();

  constructor(paged: PagedItems<Item>) {
    this.#paged = paged;
    if (paged.start === 'beginning') this.#top = { entry: 0, line: 0 };
  }

  /** The position of the window, for the user. */
  get position(): string {
    const { length } = this.#paged.items();
    if (!this.#top) return 'the end';
    const { entry, line } = this.#top;
    if (entry === 0 && line === 0) return 'the beginning';
    const inside = line / Math.max(1, this.#linesOf(entry).length);
    return `${Math.floor(((entry + inside) / Math.max(1, length)) * 100)} %`;
  }

  /** The lines of the window. */
  window(rows: number, options: RenderOptions): string[] {
    if (options.width !== this.#options?.width) this.#kept.clear();
    this.#options = options;
    this.#rows = rows;
    const top = this.#top ?? this.#before({ entry: this.#paged.items().length, line: 0 }, rows);
    const lines: string[] = [];
    let { line } = top;
    for (let index = top.entry; index < this.#paged.items().length && lines.length < rows; index++) {
      lines.push(...this.#linesOf(index).slice(line, line + rows - lines.length));
      line = 0;
    }
    return lines;
  }

  scroll(by: number): void {
    const end = this.#before({ entry: this.#paged.items().length, line: 0 }, this.#rows);
    const top = this.#top ?? end;
    const next = by < 0 ? this.#before(top, -by) : this.#after(top, by);
    this.#top = isBefore(next, end) ? next : undefined;
  }

  toStart(): void {
    this.#top = { entry: 0, line: 0 };
    this.scroll(0);
  }

  toEnd(): void {
    this.#top = undefined;
  }

  /** Moves to the next entry that contains a text, ignoring case. Returns false if there is none. */
  seek(text: string, direction: 1 | -1): boolean {
    const entries = this.#paged.items();
    const start = this.#top ?? this.#before({ entry: entries.length, line: 0 }, this.#rows);
    const inside = this.#lineWith(start.entry, text, { from: start.line + direction, direction });
    if (inside !== undefined) return this.#goTo({ entry: start.entry, line: inside });
    for (let index = start.entry + direction; index >= 0 && index < entries.length; index += direction) {
      const entry = entries.at(index);
      if (!entry || !this.#paged.textOf(entry).toLowerCase().includes(text.toLowerCase())) continue;
      const from = direction === 1 ? 0 : this.#linesOf(index).length - 1;
      const line = this.#lineWith(index, text, { from, direction });
      if (line !== undefined) return this.#goTo({ entry: index, line });
    }
    return false;
  }

  #goTo(position: Position): true {
    this.#top = position;
    return true;
  }

  #lineWith(index: number, text: string, { from, direction }: { from: number; direction: 1 | -1 }): number | undefined {
    const lines = this.#linesOf(index);
    for (let line = from; line >= 0 && line < lines.length; line += direction)
      if (showsText(lines[line] ?? '', text)) return line;
    return undefined;
  }

  #before(position: Position, rows: number): Position {
    let { entry, line } = position;
    let left = rows;
    while (left > 0) {
      if (line >= left) return { entry, line: line - left };
      left -= line;
      if (entry === 0) return { entry: 0, line: 0 };
      line = this.#linesOf(--entry).length;
    }
    return { entry, line };
  }

  #after(position: Position, rows: number): Position {
    let { entry, line } = position;
    line += rows;
    for (let length = this.#linesOf(entry).length; line >= length && entry < this.#paged.items().length;) {
      line -= length;
      length = this.#linesOf(++entry).length;
    }
    return { entry, line };
  }

  /** The lines of an entry after an empty one; none for an entry that shows nothing. */
  #linesOf(index: number): readonly string[] {
    const entry = this.#paged.items().at(index);
    if (!entry || !this.#options) return [];
    const kept = this.#kept.get(entry);
    if (kept) return kept;
    const lines = this.#paged.linesOf(entry, this.#options);
    const spaced = lines.length === 0 ? [] : index === 0 ? lines : ['', ...lines];
    this.#kept.set(entry, spaced);
    const [oldest] = this.#kept.keys();
    if (this.#kept.size > mostKept && oldest) this.#kept.delete(oldest);
    return spaced;
  }
}

function isBefore(one: Position, other: Position): boolean {
  return one.entry < other.entry || (one.entry === other.entry && one.line < other.line);
}

/** The text of an entry without rendering it: the text of a message, or all texts within another entry. */
function textOf(entry: TranscriptEntry): string {
  const block = entryBlock(entry, new Map());
  return 'content' in block ? messageText(block) : cleanText(textsIn(block).join('\n'));
}

function textsIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [];
}
