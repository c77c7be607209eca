import { cleanLine } from '../../terminal/clean-text.ts';
import { cutLine, padLine, textWidth } from '../../terminal/text-width.ts';
import { stdout } from '../../terminal/output.ts';

/** Prints a table without lines. On a terminal the last column is cut, so that no row wraps. */
export function printRows(rows: readonly (readonly string[])[]): void {
  const clean = rows.map((row) => row.map((cell, index) => (index === 0 ? cell : cleanLine(cell))));
  const widths = (clean[0] ?? []).map((_, index) => Math.max(...clean.map((row) => textWidth(row[index] ?? ''))));
  const columns = stdout.size?.columns ?? Infinity;
  for (const row of clean) {
    const line = row
      .map((cell, index) => (index === row.length - 1 ? cell : padLine(cell, widths[index] ?? 0)))
      .join('  ');
    stdout.printLine(Number.isFinite(columns) ? cutLine(line, columns) : line);
  }
}
