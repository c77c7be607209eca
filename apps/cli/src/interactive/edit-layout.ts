import { textWidth } from '../terminal/text-width.ts';
import { type Edit, splitGraphemes } from './edit.ts';

/** A line on the screen, with the range of the text it shows. */
interface ScreenLine {
  readonly text: string;
  readonly from: number;
  readonly to: number;
}

/** The layout of an edited text on the screen. */
export interface EditLayout {
  readonly lines: readonly ScreenLine[];
  readonly row: number;
  readonly column: number;
}

/** Replaces a character on the screen, such as by a name for a paste. */
export type Show = (grapheme: string) => string;

/** Lays a text out in lines of a width. Lines break at any character, so that every position in the text has one position on the screen. */
export function layOut({ text, cursor }: Edit, width: number, show: Show = (grapheme) => grapheme): EditLayout {
  const lines: ScreenLine[] = [];
  let at = 0;
  let row = 0;
  let column = 0;
  for (const line of text.split('\n')) {
    for (const part of broken(line, { at, width, show })) {
      if (cursor >= part.from && cursor <= part.to) {
        row = lines.length;
        column = textWidth(splitGraphemes(text.slice(part.from, cursor)).map(show).join(''));
      }
      lines.push(part);
    }
    at += line.length + 1;
  }
  // A cursor behind the last column stands at the beginning of the next line.
  if (column >= width && row === lines.length - 1) lines.push({ text: '', from: cursor, to: cursor });
  return column >= width ? { lines, row: row + 1, column: 0 } : { lines, row, column };
}

/** The cursor a line up or down; undefined at the first or the last line. */
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
