import { cutLine } from '../terminal/text-width.ts';
import { LineInput } from './dialogs/line-input.ts';
import type { Size } from './drawing.ts';
import { withTextMarked } from './found-text.ts';
import type { RenderOptions } from './entries/render-options.ts';
import type { Key } from './key.ts';
import type { PagedLines } from './paged-lines.ts';
import { type Frame, frame } from '../terminal/frame.ts';

/** Shows lines on the alternate screen. Only the visible part is rendered. */
export class Pager {
  /** Closes the pager. */
  readonly close: () => void;
  readonly #lines: PagedLines<object>;
  #search: LineInput | undefined;
  #sought = '';
  #note = '';
  #rows = 24;

  constructor(lines: PagedLines<object>, close: () => void) {
    this.#lines = lines;
    this.close = close;
  }

  /** Draws the whole screen. @param isAsking whether a question is waiting */
  draw(size: Size, options: RenderOptions, isAsking: boolean): Frame {
    this.#rows = Math.max(1, size.rows - 1);
    const lines = this.#lines.window(this.#rows, options);
    const body = Array.from(
      { length: this.#rows },
      (_, row) =>
        frame`\u001b[${row + 1};1H\u001b[K${cutLine(withTextMarked(lines[row] ?? '', this.#sought, options.paint), options.width)}`,
    );
    const foot = this.#foot(size, options, isAsking);
    return frame`\u001b[?2026h\u001b[?25l${body}\u001b[${size.rows};1H\u001b[K${foot}\u001b[?2026l`;
  }

  key(key: Key): void {
    this.#note = '';
    if (this.#search) return this.#searchKey(key, this.#search);
    const choice = this.#lines.hasChoice ? this.#choices[key.chord] : undefined;
    if (choice) return choice();
    const scroll = this.#scrolls[key.chord];
    if (scroll) return scroll();
    const action = this.#actions[key.text] ?? this.#actions[key.chord];
    action?.();
  }

  readonly #actions: Readonly<Record<string, (() => void) | undefined>> = {
    q: () => this.close(),
    escape: () => this.close(),
    'ctrl-o': () => this.close(),
    'ctrl-c': () => this.close(),
    'ctrl-d': () => this.close(),
    '/': () => (this.#search = new LineInput()),
    n: () => this.#seek(1),
    N: () => this.#seek(-1),
    g: () => this.#lines.toStart(),
    G: () => this.#lines.toEnd(),
    e: () => this.#lines.toggleAll(),
    tab: () => this.#lines.choose(1),
    'shift-tab': () => this.#lines.choose(-1),
  };

  /** The keys while an item is chosen. */
  readonly #choices: Readonly<Record<string, (() => void) | undefined>> = {
    up: () => this.#lines.step(-1),
    down: () => this.#lines.step(1),
    return: () => this.#lines.toggle(),
  };

  readonly #scrolls: Readonly<Record<string, (() => void) | undefined>> = {
    up: () => this.#lines.scroll(-1),
    down: () => this.#lines.scroll(1),
    return: () => this.#lines.scroll(1),
    pageup: () => this.#lines.scroll(-(this.#rows - 1)),
    pagedown: () => this.#lines.scroll(this.#rows - 1),
    space: () => this.#lines.scroll(this.#rows - 1),
    home: () => this.#lines.toStart(),
    end: () => this.#lines.toEnd(),
  };

  #searchKey(key: Key, search: LineInput): void {
    if (key.chord === 'escape' || key.chord === 'ctrl-c') this.#search = undefined;
    else if (key.chord === 'return') {
      this.#search = undefined;
      if (search.text !== '') this.#sought = search.text;
      this.#seek(-1);
    } else search.key(key);
  }

  #seek(direction: 1 | -1): void {
    if (this.#sought === '') this.#note = 'press / to search';
    else if (!this.#lines.seek(this.#sought, direction))
      this.#note = `"${this.#sought}" is not found ${direction === 1 ? 'below' : 'above'}`;
  }

  #foot({ columns }: Size, { paint }: RenderOptions, isAsking: boolean): Frame {
    if (this.#search) {
      const { lines, cursor } = this.#search.draw('/', 1, columns - 1);
      return frame`${lines[0] ?? ''}\u001b[${(cursor?.column ?? 0) + 1}G\u001b[?25h`;
    }
    const asking = isAsking ? 'a question waits · ' : '';
    const text = this.#note || `${asking}${this.#lines.position} · ${this.#keysHelp}`;
    return frame`${paint('inverse', cutLine(` ${text} `, columns - 1))}`;
  }

  get #keysHelp(): string {
    if (this.#lines.hasChoice) return '↑↓ choose · Enter unfolds · e all · PgUp PgDn · q goes back';
    const fold = this.#lines.canFold ? 'Tab chooses · ' : '';
    return `↑↓ PgUp PgDn · ${fold}/ searches, n N repeat · q goes back`;
  }
}
