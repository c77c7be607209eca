/** The size of a terminal, in characters. */
export interface Size {
  readonly columns: number;
  readonly rows: number;
}

/** Lines for the screen, at most as wide as requested. */
export interface Drawing {
  readonly lines: readonly string[];
  /** The position of the cursor, starting at 0; absent if it is hidden. */
  readonly cursor?: { readonly row: number; readonly column: number } | undefined;
}

/** Stacks drawings from top to bottom. The last cursor wins. */
export function stack(...drawings: readonly Drawing[]): Drawing {
  const lines: string[] = [];
  let cursor: Drawing['cursor'];
  for (const drawing of drawings) {
    if (drawing.cursor) cursor = { row: lines.length + drawing.cursor.row, column: drawing.cursor.column };
    for (const line of drawing.lines) lines.push(line);
  }
  return { lines, cursor };
}

/** The last lines of a drawing that is too tall, but at least the cursor's line. */
export function lastLines({ lines, cursor }: Drawing, rows: number): Drawing {
  const start = Math.min(Math.max(0, lines.length - rows), cursor?.row ?? Infinity);
  return {
    lines: lines.slice(start, start + rows),
    cursor: cursor && { row: cursor.row - start, column: cursor.column },
  };
}
