import type { GatewayConversation } from '../gateway/gateway-conversation.ts';
import { cutLine } from '../terminal/text-width.ts';
import { LineInput } from './dialogs/line-input.ts';
import type { Size } from './drawing.ts';
import { withTextMarked } from './found-text.ts';
import type { Look } from './entries/look.ts';
import type { Key } from './key-reader.ts';
import { PagedTranscript } from './paged-transcript.ts';
import { type Frame, frame } from '../terminal/frame.ts';

/** The whole transcript on a screen of its own. Only the visible part is rendered. */
export class Pager {
  readonly #transcript: PagedTranscript;
  readonly #close: () => void;
  #search: LineInput | undefined;
  #sought = '';
  #note = '';
  #rows = 24;

  constructor(conversation: GatewayConversation, close: () => void) {
    this.#transcript = new PagedTranscript(() => conversation.transcript.entries);
    this.#close = close;
  }

  /** The whole screen. */
  draw(size: Size, look: Look): Frame {
    this.#rows = Math.max(1, size.rows - 1);
    const lines = this.#transcript.window(this.#rows, look);
    const body = Array.from(
      { length: this.#rows },
      (_, row) =>
        frame`\u001b[${row + 1};1H\u001b[K${cutLine(withTextMarked(lines[row] ?? '', this.#sought, look.paint), look.width)}`,
    );
    const foot = this.#foot(size, look);
    return frame`\u001b[?2026h\u001b[?25l${body}\u001b[${size.rows};1H\u001b[K${foot}\u001b[?2026l`;
  }

  key(key: Key): void {
    this.#note = '';
    if (this.#search) return this.#searchKey(key, this.#search);
    const scroll = this.#scrolls[key.chord];
    if (scroll) return scroll();
    const action = this.#actions[key.text] ?? this.#actions[key.chord];
    action?.();
  }

  readonly #actions: Readonly<Record<string, (() => void) | undefined>> = {
    q: () => this.#close(),
    escape: () => this.#close(),
    'ctrl-o': () => this.#close(),
    'ctrl-c': () => this.#close(),
    'ctrl-d': () => this.#close(),
    '/': () => (this.#search = new LineInput()),
    n: () => this.#seek(1),
    N: () => this.#seek(-1),
    g: () => this.#transcript.toStart(),
    G: () => this.#transcript.toEnd(),
  };

  readonly #scrolls: Readonly<Record<string, (() => void) | undefined>> = {
    up: () => this.#transcript.scroll(-1),
    down: () => this.#transcript.scroll(1),
    return: () => this.#transcript.scroll(1),
    pageup: () => this.#transcript.scroll(-(this.#rows - 1)),
    pagedown: () => this.#transcript.scroll(this.#rows - 1),
    space: () => this.#transcript.scroll(this.#rows - 1),
    home: () => this.#transcript.toStart(),
    end: () => this.#transcript.toEnd(),
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
    else if (!this.#transcript.seek(this.#sought, direction))
      this.#note = `"${this.#sought}" is not found ${direction === 1 ? 'below' : 'above'}`;
  }

  #foot({ columns }: Size, { paint }: Look): Frame {
    if (this.#search) {
      const { lines, cursor } = this.#search.draw('/', 1, columns - 1);
      return frame`${lines[0] ?? ''}\u001b[${(cursor?.column ?? 0) + 1}G\u001b[?25h`;
    }
    const text = this.#note || `${this.#transcript.place} · ↑↓ PgUp PgDn · / searches, n N repeat · q goes back`;
    return frame`${paint('inverse', cutLine(` ${text} `, columns - 1))}`;
  }
}
