/** The size of a terminal, in characters. */
export interface Size {
  readonly columns: number;
  readonly rows: number;
}

/** Lines for the screen; none is wider than requested. */
export interface Drawing {
  readonly lines: readonly string[];
  /** Where the cursor stands, from 0; absent: it is hidden. */
  readonly cursor?: { readonly row: number; readonly column: number } | undefined;
}

/** One drawing above another; the cursor is that of the last one that has one. */
export function stack(...drawings: readonly Drawing[]): Drawing {
  const lines: string[] = [];
  let cursor: Drawing['cursor'];
  for (const drawing of drawings) {
    if (drawing.cursor) cursor = { row: lines.length + drawing.cursor.row, column: drawing.cursor.column };
    for (const line of drawing.lines) lines.push(line);
  }
  return { lines, cursor };
}

/** The last lines of a drawing that is too tall. The cursor's line is always among them. */
export function lastLines({ lines, cursor }: Drawing, rows: number): Drawing {
  const start = Math.min(Math.max(0, lines.length - rows), cursor?.row ?? Infinity);
  return {
    lines: lines.slice(start, start + rows),
    cursor: cursor && { row: cursor.row - start, column: cursor.column },
  };
}
