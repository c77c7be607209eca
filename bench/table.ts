type Row = readonly (string | number)[];

/** A table in Markdown, with columns as wide as their cells. */
export function table(head: readonly string[], rows: readonly Row[]): string {
  const widths = head.map((title, column) =>
    Math.max(title.length, ...rows.map((row) => String(row[column] ?? '').length)),
  );
  const line = (row: Row): string =>
    `| ${row.map((cell, column) => String(cell).padEnd(widths[column] ?? 0)).join(' | ')} |`;
  return [line(head), line(widths.map((width) => '-'.repeat(width))), ...rows.map(line)].join('\n');
}
