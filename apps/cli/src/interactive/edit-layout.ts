import { isSimple, textWidth } from '../terminal/text-width.ts';
import { type Edit, splitGraphemes } from './edit.ts';

/** A line on the screen, and the range of the text that it shows. */
interface ScreenLine {
  readonly text: string;
  readonly from: number;
  readonly to: number;
}

/** The layout of the part of an edited text around the cursor. */
export interface EditLayout {
  /** The screen lines of the cursor's line and of the requested lines around it. */
  readonly lines: readonly ScreenLine[];
  readonly row: number;
  readonly column: number;
}

/** Replaces a character on the screen, for example the mark of a paste by its description. */
type Show = (grapheme: string) => string;

/** The options of a layout. */
interface LayoutOptions {
  /** The columns of a line. */
  readonly width: number;
  /** The number of lines to lay out before and after the cursor's line, so that a long text takes as little time as a short one. */
  readonly around: number;
  readonly show?: Show;
}

/** Lays out a text in lines of a width. Lines break at any character, so that every position in the text has one position on the screen. */
export function layOut({ text, cursor }: Edit, { width, around, show = itself }: LayoutOptions): EditLayout {
  const lines: ScreenLine[] = [];
  const [start, end] = [lineStart(text, cursor, around), lineEnd(text, cursor, around)];
  let at = start;
  let row = 0;
  let column = 0;
  for (const line of text.slice(start, end).split('\n')) {
    for (const part of broken(line, { at, width, show })) {
      if (cursor >= part.from && cursor <= part.to) {
        row = lines.length;
        column = textWidth(splitGraphemes(text.slice(part.from, cursor)).map(show).join(''));
      }
      lines.push(part);
    }
    at += line.length + 1;
  }
  // A cursor after the last column is at the beginning of the next line.
  if (column >= width && row === lines.length - 1) lines.push({ text: '', from: cursor, to: cursor });
  return column >= width ? { lines, row: row + 1, column: 0 } : { lines, row, column };
}

function itself(grapheme: string): string {
  return grapheme;
}

/** The start of the line that is `before` lines above the cursor's line. */
function lineStart(text: string, cursor: number, before: number): number {
  let at = cursor;
  for (let count = 0; count <= before; count++) {
    const newline = at === 0 ? -1 : text.lastIndexOf('\n', at - 1);
    if (newline === -1) return 0;
    if (count === before) return newline + 1;
    at = newline;
  }
  return at;
}

/** The end of the line that is `after` lines below the cursor's line. */
function lineEnd(text: string, cursor: number, after: number): number {
  let at = text.indexOf('\n', cursor);
  for (let count = 0; count < after && at !== -1; count++) at = text.indexOf('\n', at + 1);
  return at === -1 ? text.length : at;
}

/** Moves the cursor a line up or down; undefined at the first or the last line. */
export function vertically(edit: Edit, layout: EditLayout, by: 1 | -1): Edit | undefined {
  const line = layout.lines[layout.row + by];
  if (!line) return undefined;
  let cursor = line.from;
  let column = 0;
  for (const grapheme of splitGraphemes(edit.text.slice(line.from, line.to))) {
    column += textWidth(grapheme);
    if (column > layout.column) break;
    cursor += grapheme.length;
  }
  return { ...edit, cursor };
}

function broken(
  line: string,
  { at, width, show }: { readonly at: number; readonly width: number; readonly show: Show },
): ScreenLine[] {
  if (isSimple(line)) return brokenEvenly(line, at, width);
  const lines: ScreenLine[] = [];
  let text = '';
  let used = 0;
  let from = at;
  let to = at;
  for (const grapheme of splitGraphemes(line)) {
    const shown = show(grapheme === '\t' ? '    ' : grapheme);
    const columns = textWidth(shown);
    if (used > 0 && used + columns > width) {
      lines.push({ text, from, to });
      [text, used, from] = ['', 0, to];
    }
    text += shown;
    used += columns;
    to += grapheme.length;
  }
  return [...lines, { text, from, to }];
}

/** Breaks a line in which every character has one column. */
function brokenEvenly(line: string, at: number, width: number): ScreenLine[] {
  const count = Math.max(1, Math.ceil(line.length / width));
  return Array.from({ length: count }, (_, index) => {
    const [from, to] = [index * width, Math.min(line.length, (index + 1) * width)];
    return { text: line.slice(from, to), from: at + from, to: at + to };
  });
}
