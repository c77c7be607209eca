import type { Sequence, TranscriptEntry } from '@turnwire/client/transcript';
import { entryBlock, messageText } from '@turnwire/client/view';
import type { Diff } from '@turnwire/protocol';
import { cleanText } from '../terminal/clean-text.ts';
import { diffRows } from '../terminal/diff-rows.ts';
import { Folds } from './folds.ts';
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
  /** Whether an item may have a shorter form. Default: no item has one. */
  mayFold?(item: Item): boolean;
}

/** A transcript in pages, from its end. */
export function transcriptPages(entries: () => Sequence<TranscriptEntry>): PagedItems<TranscriptEntry> {
  return { items: entries, linesOf: entryLines, textOf, start: 'end', mayFold: ({ type }) => foldable.has(type) };
}

const foldable: ReadonlySet<TranscriptEntry['type']> = new Set([
  'tool-call',
  'child-session',
  'session-message',
  'thought',
  'user',
]);

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
/** The columns before lines while an item is chosen. */
const gutter = 2;

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
  readonly #folds: Folds;
  /** Whether items have a shorter form at this width. */
  #differs = new WeakMap<Item, boolean>();
  /** Whether to show the chosen item, by default the last one that can be folded, once lines can be rendered. */
  #choosesOne: boolean;

  /**
   * @param startsFolded whether items start in their shorter form, with one chosen. Default: false
   * @param unfolded the index of the item that is chosen and unfolded then. Default: the last one that can be folded is chosen
   */
  constructor(paged: PagedItems<Item>, startsFolded = false, unfolded?: number) {
    this.#paged = paged;
    this.#folds = new Folds(!startsFolded, unfolded);
    this.#choosesOne = startsFolded;
    if (paged.start === 'beginning') this.#top = { entry: 0, line: 0 };
  }

  /** Whether an item is chosen, so that {@link toggle} folds or unfolds it. */
  get hasChoice(): boolean {
    return this.#folds.chosen !== undefined;
  }

  /** Whether items have a shorter form. */
  get canFold(): boolean {
    return this.#paged.mayFold !== undefined;
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

  /** The lines of the window. While an item is chosen, they are indented, and a mark is before its first line. */
  window(rows: number, { width, ...rest }: RenderOptions): string[] {
    const options = { ...rest, width: this.hasChoice || this.#choosesOne ? width - gutter : width };
    if (options.width !== this.#options?.width) this.#clear();
    this.#options = options;
    this.#rows = rows;
    if (this.#choosesOne) this.#chooseOne();
    const lines: string[] = [];
    let { entry: index, line } = this.#first;
    for (; index < this.#paged.items().length && lines.length < rows; index++) {
      const shown = this.#linesOf(index).slice(line, line + rows - lines.length);
      lines.push(...this.#marked(shown, line === 0 && index === this.#folds.chosen, options));
      line = 0;
    }
    return lines;
  }

  scroll(by: number): void {
    const next = by < 0 ? this.#before(this.#first, -by) : this.#after(this.#first, by);
    this.#top = isBefore(next, this.#last) ? next : undefined;
  }

  /** Chooses the next item that can be folded; without a choice the last one in the window. Returns whether it found one. */
  choose(direction: 1 | -1): boolean {
    const { chosen } = this.#folds;
    const index =
      chosen === undefined
        ? this.#foldableFrom(this.#after(this.#first, this.#rows - 1).entry, -1)
        : this.#foldableFrom(chosen + direction, direction);
    if (index === undefined) return false;
    this.#folds.chosen = index;
    this.#show(index);
    return true;
  }

  /** Scrolls inside the chosen item until its beginning or end is visible, then chooses the next one. */
  step(direction: 1 | -1): void {
    const { chosen = 0 } = this.#folds;
    const isInside = this.#rowOf(direction === 1 ? chosen + 1 : chosen) === undefined;
    if (isInside || !this.choose(direction)) this.scroll(direction);
  }

  /** Folds the chosen item, or unfolds it. Its first line stays where it is if it was visible. */
  toggle(): void {
    const { chosen } = this.#folds;
    if (chosen === undefined) return;
    const row = this.#rowOf(chosen) ?? 0;
    this.#folds.toggle(chosen);
    this.#forget(chosen);
    this.#top = this.#before({ entry: chosen, line: 0 }, row);
    this.scroll(0);
  }

  /** Unfolds all items, or folds them. */
  toggleAll(): void {
    this.#folds.toggleAll();
    this.#kept.clear();
    const { chosen } = this.#folds;
    if (chosen !== undefined) this.#show(chosen);
    else this.scroll(0);
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
    const start = this.#first;
    const inside = this.#lineWith(start.entry, text, { from: start.line + direction, direction });
    if (inside !== undefined) return this.#goTo({ entry: start.entry, line: inside });
    for (let index = start.entry + direction; index >= 0 && index < entries.length; index += direction) {
      const entry = entries.at(index);
      if (!entry || !this.#paged.textOf(entry).toLowerCase().includes(text.toLowerCase())) continue;
      const line = this.#lineInside(index, text, direction) ?? this.#unfoldedLine(index, text, direction);
      if (line !== undefined) return this.#goTo({ entry: index, line });
    }
    return false;
  }

  #lineInside(index: number, text: string, direction: 1 | -1): number | undefined {
    const from = direction === 1 ? 0 : this.#linesOf(index).length - 1;
    return this.#lineWith(index, text, { from, direction });
  }

  /** The line of a folded item that shows a text only in full. The item is then unfolded. */
  #unfoldedLine(index: number, text: string, direction: 1 | -1): number | undefined {
    if (this.#folds.isUnfolded(index) || !this.#isFoldable(index)) return undefined;
    this.#folds.toggle(index);
    this.#forget(index);
    return this.#lineInside(index, text, direction);
  }

  /** The position of the first line of the window. */
  get #first(): Position {
    return this.#top ?? this.#last;
  }

  /** The last position that the window can have. */
  get #last(): Position {
    return this.#before({ entry: this.#paged.items().length, line: 0 }, this.#rows);
  }

  #chooseOne(): void {
    this.#choosesOne = false;
    this.#folds.chosen ??= this.#foldableFrom(this.#paged.items().length - 1, -1);
    if (this.#folds.chosen !== undefined) this.#show(this.#folds.chosen);
  }

  /** The next item in a direction that has a shorter form. */
  #foldableFrom(start: number, direction: 1 | -1): number | undefined {
    for (let index = start; index >= 0 && index < this.#paged.items().length; index += direction)
      if (this.#isFoldable(index)) return index;
    return undefined;
  }

  #isFoldable(index: number): boolean {
    const item = this.#paged.items().at(index);
    if (!item || !this.#options || !this.#paged.mayFold?.(item)) return false;
    const known = this.#differs.get(item);
    if (known !== undefined) return known;
    const folded = this.#paged.linesOf(item, { ...this.#options, isExpanded: false });
    const unfolded = this.#paged.linesOf(item, { ...this.#options, isExpanded: true });
    const differs = folded.length !== unfolded.length || folded.join('\n') !== unfolded.join('\n');
    this.#differs.set(item, differs);
    return differs;
  }

  /** The row of the window with the first line of an item; undefined if it is out of sight. */
  #rowOf(index: number): number | undefined {
    const { entry: first, line } = this.#first;
    if (index < first || (index === first && line > 0)) return undefined;
    let row = -line;
    for (let entry = first; entry < index && row < this.#rows; entry++) row += this.#linesOf(entry).length;
    return row < this.#rows ? row : undefined;
  }

  /** Moves the window until the first line of an item is visible. */
  #show(index: number): void {
    const row = this.#rowOf(index);
    if (row !== undefined && row < this.#rows - 1) return;
    this.#top = this.#before({ entry: index, line: 0 }, Math.floor(this.#rows / 3));
    this.scroll(0);
  }

  #marked(lines: readonly string[], isChosen: boolean, { paint }: RenderOptions): readonly string[] {
    if (!this.hasChoice) return lines;
    const head = isChosen ? lines.findIndex((line) => line !== '') : -1;
    return lines.map((line, index) => `${index === head ? `${paint('cyan', '❯')} ` : '  '}${line}`);
  }

  #clear(): void {
    this.#kept.clear();
    this.#differs = new WeakMap();
  }

  #forget(index: number): void {
    const item = this.#paged.items().at(index);
    if (item) this.#kept.delete(item);
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
    const lines = this.#paged.linesOf(entry, { ...this.#options, isExpanded: this.#folds.isUnfolded(index) });
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
