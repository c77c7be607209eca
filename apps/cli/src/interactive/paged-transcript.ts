import type { Sequence, TranscriptEntry } from '@turnwire/client/transcript';
import { contentText } from '../output/content-text.ts';
import { cleanText } from '../terminal/clean-text.ts';
import { showsText } from './found-text.ts';
import { entryLines } from './entries/entry-lines.ts';
import type { Look } from './entries/look.ts';

/** The most entries whose lines are cached. */
const mostKept = 200;

/** A position in a transcript: an entry, and one of its lines. */
interface Place {
  readonly entry: number;
  readonly line: number;
}

/**
 * A transcript as lines, shown through a window. Lines are rendered when they come into the window and cached for a while, so
 * the cost of scrolling does not depend on the position. A window at the end stays at the end as the transcript grows.
 */
export class PagedTranscript {
  readonly #entries: () => Sequence<TranscriptEntry>;
  #look: Look | undefined;
  /** The first line of the window; absent: the window is at the end. */
  #top: Place | undefined;
  #rows = 24;
  readonly #kept = new Map<TranscriptEntry, readonly string[]>();

  constructor(entries: () => Sequence<TranscriptEntry>) {
    this.#entries = entries;
  }

  /** The position of the window, for the user. */
  get place(): string {
    const { length } = this.#entries();
    if (!this.#top) return 'the end';
    if (this.#top.entry === 0 && this.#top.line === 0) return 'the beginning';
    return `${Math.floor((this.#top.entry / Math.max(1, length)) * 100)} %`;
  }

  /** The lines of the window. */
  window(rows: number, look: Look): string[] {
    if (look.width !== this.#look?.width) this.#kept.clear();
    this.#look = look;
    this.#rows = rows;
    const top = this.#top ?? this.#before({ entry: this.#entries().length, line: 0 }, rows);
    const lines: string[] = [];
    let { line } = top;
    for (let index = top.entry; index < this.#entries().length && lines.length < rows; index++) {
      lines.push(...this.#linesOf(index).slice(line, line + rows - lines.length));
      line = 0;
    }
    return lines;
  }

  scroll(by: number): void {
    const end = this.#before({ entry: this.#entries().length, line: 0 }, this.#rows);
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

  /** Goes to the next entry that contains a text, ignoring case. Returns false if there is none. */
  seek(text: string, direction: 1 | -1): boolean {
    const entries = this.#entries();
    const start = this.#top ?? this.#before({ entry: entries.length, line: 0 }, this.#rows);
    const inside = this.#lineWith(start.entry, text, { from: start.line + direction, direction });
    if (inside !== undefined) return this.#goTo({ entry: start.entry, line: inside });
    for (let index = start.entry + direction; index >= 0 && index < entries.length; index += direction) {
      const entry = entries.at(index);
      if (!entry || !textOf(entry).toLowerCase().includes(text.toLowerCase())) continue;
      const from = direction === 1 ? 0 : this.#linesOf(index).length - 1;
      const line = this.#lineWith(index, text, { from, direction });
      if (line !== undefined) return this.#goTo({ entry: index, line });
    }
    return false;
  }

  #goTo(place: Place): true {
    this.#top = place;
    return true;
  }

  #lineWith(index: number, text: string, { from, direction }: { from: number; direction: 1 | -1 }): number | undefined {
    const lines = this.#linesOf(index);
    for (let line = from; line >= 0 && line < lines.length; line += direction)
      if (showsText(lines[line] ?? '', text)) return line;
    return undefined;
  }

  #before(place: Place, rows: number): Place {
    let { entry, line } = place;
    let left = rows;
    while (left > 0) {
      if (line >= left) return { entry, line: line - left };
      left -= line;
      if (entry === 0) return { entry: 0, line: 0 };
      line = this.#linesOf(--entry).length;
    }
    return { entry, line };
  }

  #after(place: Place, rows: number): Place {
    let { entry, line } = place;
    line += rows;
    for (let length = this.#linesOf(entry).length; line >= length && entry < this.#entries().length;) {
      line -= length;
      length = this.#linesOf(++entry).length;
    }
    return { entry, line };
  }

  /** The lines of an entry after an empty one; none for an entry that shows nothing. */
  #linesOf(index: number): readonly string[] {
    const entry = this.#entries().at(index);
    if (!entry || !this.#look) return [];
    const kept = this.#kept.get(entry);
    if (kept) return kept;
    const lines = entryLines(entry, this.#look);
    const spaced = lines.length === 0 ? [] : index === 0 ? lines : ['', ...lines];
    this.#kept.set(entry, spaced);
    const [oldest] = this.#kept.keys();
    if (this.#kept.size > mostKept && oldest) this.#kept.delete(oldest);
    return spaced;
  }
}

function isBefore(one: Place, other: Place): boolean {
  return one.entry < other.entry || (one.entry === other.entry && one.line < other.line);
}

/** The text of an entry, without rendering it. */
function textOf(entry: TranscriptEntry): string {
  switch (entry.type) {
    case 'user':
    case 'agent':
    case 'thought':
      return cleanText(entry.content.map(contentText).join('\n'));
    case 'tool-call':
      return cleanText(JSON.stringify([entry.title, entry.command, entry.content]) + (entry.output ?? ''));
    default:
      return JSON.stringify(entry);
  }
}
