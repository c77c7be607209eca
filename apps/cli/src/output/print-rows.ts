import { cleanLine } from '../terminal/clean-text.ts';
import { stdout } from '../terminal/output.ts';
import { cutLine, padLine, textWidth } from '../terminal/text-width.ts';

/** Rows of cells, with what each column is for people to read. */
export interface Rows {
  /** The names of the columns: only people see them. */
  readonly head?: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

/**
 * Prints a table: for people at a terminal with aligned columns, of which the last one is cut so that no row wraps; into a pipe with tabs
 * between the cells.
 */
export function printRows({ head, rows }: Rows): void {
  const clean = rows.map((row) => row.map(cleanLine));
  if (!stdout.isTerminal) {
    for (const row of clean) stdout.printLine(row.join('\t'));
    return;
  }
  const columns = stdout.size?.columns || Infinity;
  const shown = head ? [head, ...clean] : clean;
  const widths = (shown[0] ?? []).map((_, index) => Math.max(...shown.map((row) => textWidth(row[index] ?? ''))));
  for (const [index, row] of shown.entries()) {
    const cells = row.map((cell, place) => (place === row.length - 1 ? cell : padLine(cell, widths[place] ?? 0)));
    const line = Number.isFinite(columns) ? cutLine(cells.join('  '), columns) : cells.join('  ');
    stdout.printLine(head && index === 0 ? stdout.paint('dim', line) : line);
  }
}
