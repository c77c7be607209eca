import { type Frame, frame } from '../terminal/frame.ts';
import { textWidth } from '../terminal/text-width.ts';
import type { Drawing, Size } from './drawing.ts';

const sync = { begin: frame`\u001b[?2026h`, end: frame`\u001b[?2026l` };
const cursorOff = frame`\u001b[?25l`;
const cursorOn = frame`\u001b[?25h`;
/** Disables wrapping in the live region. If a terminal measures a line wider than we do, it cuts the line instead of moving the others. */
const wrap = { off: frame`\u001b[?7l`, on: frame`\u001b[?7h` };
const eraseLine = frame`\u001b[K`;
const eraseBelow = frame`\u001b[J`;
const nothing = frame``;

/**
 * Draws on the normal screen. Committed lines are printed once and belong to the terminal's scrollback from then on; only the
 * few live lines below are redrawn, and of those only the changed ones. So the cost of a frame does not grow with the transcript.
 * Every method returns what to write, in one piece: a terminal with synchronized output shows it at once.
 */
export class LiveScreen {
  #lines: readonly string[] = [];
  /** The position of the cursor, relative to the top of the live region. */
  #at: { readonly row: number; readonly column: number } = { row: 0, column: 0 };
  #isCursorOn = true;
  #columns: number;

  constructor({ columns }: Size) {
    this.#columns = columns;
  }

  /** Prints the committed lines and draws the live lines below them. Empty if nothing changed. */
  draw(committed: readonly string[], { lines, cursor }: Drawing): Frame {
    const body = committed.length > 0 ? this.#print(0, { committed, lines }) : this.#change(lines);
    const row = body.isEmpty ? this.#at.row : Math.max(0, lines.length - 1);
    const position = cursor ?? { row: Math.max(0, lines.length - 1), column: 0 };
    const isMoved = !body.isEmpty || position.row !== this.#at.row || position.column !== this.#at.column;
    const switched = this.#isCursorOn === (cursor !== undefined) ? nothing : cursor ? cursorOn : cursorOff;
    this.#lines = lines;
    this.#at = position;
    this.#isCursorOn = cursor !== undefined;
    if (!isMoved && switched.isEmpty) return nothing;
    return frame`${sync.begin}${body}${down(position.row - row)}\r${position.column === 0 ? nothing : frame`\u001b[${position.column}C`}${switched}${sync.end}`;
  }

  /** Erases the live lines and moves the cursor to their start. */
  clear(): Frame {
    const text = frame`${down(-this.#at.row)}\r${eraseBelow}${cursorOn}`;
    this.#forget();
    return text;
  }

  /** Sets a new size. Terminals wrap lines that have become too wide, so the live region may start further up. */
  resize(size: Size): Frame {
    const rows = Math.min(this.#rowsAboveCursor(size.columns), Math.max(0, size.rows - 1));
    this.#columns = size.columns;
    this.#forget();
    return frame`${down(-rows)}\r${eraseBelow}`;
  }

  /** Draws only the lines from the first changed one. */
  #change(lines: readonly string[]): Frame {
    const isShorter = lines.length < this.#lines.length;
    const differing = lines.findIndex((line, index) => line !== this.#lines[index]);
    if (differing === -1 && !isShorter) return nothing;
    const first = differing === -1 ? lines.length : differing;
    // Start on an existing line, so that the cursor can move there.
    return this.#print(Math.max(0, Math.min(first, lines.length - 1, this.#lines.length - 1)), {
      committed: [],
      lines,
    });
  }

  #print(
    from: number,
    { committed, lines }: { readonly committed: readonly string[]; readonly lines: readonly string[] },
  ): Frame {
    const done = committed.map((line) => frame`${eraseLine}${line}\r\n`);
    const live = lines
      .slice(from)
      .map((line, index) => (index === 0 ? frame`${eraseLine}${line}` : frame`\r\n${eraseLine}${line}`));
    const above = frame`${cursorOff}${down(from - this.#at.row)}\r${done}`;
    return frame`${above}${wrap.off}${live}${eraseBelow}${wrap.on}${this.#isCursorOn ? cursorOn : nothing}`;
  }

  #forget(): void {
    this.#lines = [];
    this.#at = { row: 0, column: 0 };
    this.#isCursorOn = true;
  }

  #rowsAboveCursor(columns: number): number {
    if (columns >= this.#columns) return this.#at.row;
    const rowsOf = (line: string): number => Math.max(1, Math.ceil(textWidth(line) / columns));
    return this.#lines.slice(0, this.#at.row).reduce((rows, line) => rows + rowsOf(line), 0);
  }
}

/** Moves the cursor down, or up if negative. */
function down(rows: number): Frame {
  if (rows === 0) return nothing;
  return rows > 0 ? frame`\u001b[${rows}B` : frame`\u001b[${-rows}A`;
}
