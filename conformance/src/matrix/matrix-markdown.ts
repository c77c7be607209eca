import { inMarkdown } from './in-markdown.ts';
import { cellText, legend, madeFrom, type Matrix, type MatrixRow, rowsOf } from './matrix.ts';

/** The matrix in Markdown, with its date. Text of peers is escaped. */
export function matrixMarkdown(matrix: Matrix, madeAt: Date): string {
  const { sections, rows } = matrix;
  const head = [rowsOf(matrix), 'protocol', 'result', ...sections];
  const lines = [
    head.map(inMarkdown),
    head.map((_, nth) => (nth < 3 ? '---' : '--:')),
    ...rows.map((row) => cells(row, sections)),
  ];
  return [...lines.map((line) => `| ${line.join(' | ')} |`), '', `${legend} ${madeFrom(madeAt)}`, ''].join('\n');
}

function cells(
  { name, introduced, result, counts, traces, packages, protocol }: MatrixRow,
  sections: readonly string[],
): readonly string[] {
  const label = introduced === undefined ? inMarkdown(name) : `${inMarkdown(name)} (${inMarkdown(introduced)})`;
  const linked = counts.map((each, nth) => {
    const trace = traces[nth];
    return trace === undefined ? cellText(each) : `[${cellText(each)}](${encodeURI(trace)})`;
  });
  const shown = counts.length === 0 ? sections.map(() => '') : linked;
  const pinned = packages.length === 0 ? [] : [inMarkdown(packages.join(', '))];
  return [[label, ...pinned].join('<br>'), String(protocol), inMarkdown(result), ...shown];
}
