import { cleanLine } from '../terminal/clean-text.ts';
import { stdout } from '../terminal/output.ts';
import { cutLine, padLine, textWidth } from '../terminal/text-width.ts';

/** A table for {@link printRows}. */
export interface Rows {
  /** The names of the columns, printed only at a terminal. */
  readonly head?: readonly string[];
  readonly rows: readonly (readonly string[])[];
  /** The columns to cut, the widest first, until the last column has half of the line. Default: none. */
  readonly cut?: readonly number[];
}

/** The minimum width of a cut column. */
const leastWidth = 8;

/**
 * Prints a table. At a terminal the columns are aligned, and the last one is cut so that no row wraps; in a pipe, tabs separate the
 * cells.
 */
export function printRows({ head, rows, cut = [] }: Rows): void {
  const clean = rows.map((row) => row.map(cleanLine));
  if (!stdout.isTerminal) {
    for (const row of clean) stdout.printLine(row.join('\t'));
    return;
  }
  const columns = stdout.size?.columns || Infinity;
  const shown = head ? [head, ...clean] : clean;
  const whole = (shown[0] ?? []).map((_, index) => Math.max(...shown.map((row) => textWidth(row[index] ?? ''))));
  const widths = fitted(whole, columns, cut);
  for (const [index, row] of shown.entries()) {
    const cells = row.map((cell, column) =>
      column === row.length - 1 ? cell : padLine(cutLine(cell, widths[column] ?? 0), widths[column] ?? 0),
    );
    const line = Number.isFinite(columns) ? cutLine(cells.join('  '), columns) : cells.join('  ');
    stdout.printLine(head && index === 0 ? stdout.paint('dim', line) : line);
  }
}

/** The widths of the columns on a line with this many characters. */
function fitted(whole: readonly number[], columns: number, cut: readonly number[]): readonly number[] {
  const widths = [...whole];
  const last = widths.pop() ?? 0;
  const available = columns - 2 * widths.length - Math.min(last, Math.floor(columns / 2));
  for (;;) {
    const widest = cut.reduce((one, other) => ((widths[other] ?? 0) > (widths[one] ?? 0) ? other : one), cut[0] ?? 0);
    const width = widths[widest] ?? 0;
    if (cut.length === 0 || width <= leastWidth || widths.reduce((sum, each) => sum + each, 0) <= available)
      return widths;
    widths[widest] = width - 1;
  }
}
