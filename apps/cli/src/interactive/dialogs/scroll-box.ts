import type { Paint } from '../../terminal/paint.ts';
import type { Key } from '../key.ts';

/** A scrollable box of lines. */
export class ScrollBox {
  #top = 0;
  #hidden = 0;
  #page = 1;
  #seen = 0;

  /** The number of lines that have been on the screen so far, from the first line on. */
  get seen(): number {
    return this.#seen;
  }

  /** Replaces the lines. */
  forget(): void {
    [this.#top, this.#seen] = [0, 0];
  }

  /** The visible lines, with a note about the others. */
  draw(lines: readonly string[], rows: number, paint: Paint): string[] {
    if (lines.length <= rows) {
      [this.#top, this.#hidden, this.#seen] = [0, 0, lines.length];
      return [...lines];
    }
    this.#page = Math.max(1, rows - 1);
    this.#hidden = lines.length - this.#page;
    this.#top = Math.min(this.#top, this.#hidden);
    if (this.#top <= this.#seen) this.#seen = Math.max(this.#seen, this.#top + this.#page);
    const below = this.#hidden - this.#top;
    const note = below > 0 ? `… ${below} more lines: PgDn` : 'the end; PgUp goes back';
    return [...lines.slice(this.#top, this.#top + this.#page), paint('dim', `  ${note}`)];
  }

  /** Applies a key. Returns false for keys that do not scroll. */
  key({ chord }: Key): boolean {
    const by = steps[chord];
    if (by === undefined || this.#hidden === 0) return false;
    this.#top = Math.max(0, Math.min(this.#hidden, this.#top + by * Math.max(1, this.#page - 1)));
    return true;
  }
}

const steps: Readonly<Record<string, number | undefined>> = {
  pageup: -1,
  pagedown: 1,
  home: -Infinity,
  end: Infinity,
  'ctrl-b': -1,
  'ctrl-f': 1,
};
