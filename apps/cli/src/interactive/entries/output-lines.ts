import { printedLines } from '../../terminal/printed-lines.ts';
import { wrapText } from '../../terminal/text-width.ts';
import type { RenderOptions } from './render-options.ts';

/** The number of characters to process per requested line. */
const charactersPerLine = 2_000;

/** The last lines of a command's output, with a count of the earlier ones; all lines if expanded. */
export function outputLines(output: string, most: number, options: RenderOptions): string[] {
  const text = output.trimEnd();
  if (text === '') return [];
  const tail = options.isExpanded ? text : text.slice(-most * charactersPerLine);
  const lines = printedLines(tail);
  const shown = options.isExpanded ? lines : lines.slice(-most);
  const hidden = options.isExpanded ? 0 : lineCount(text) - shown.length;
  const width = Math.max(1, options.width - 4);
  const body = shown.flatMap((line) => quoted(wrapText(line, width), options));
  const cut = options.isExpanded ? body : body.slice(-most);
  return hidden > 0 ? [options.paint('dim', `  … ${hidden} earlier ${hidden === 1 ? 'line' : 'lines'}`), ...cut] : cut;
}

function quoted(lines: readonly string[], { paint }: RenderOptions): string[] {
  return lines.map((line) => `  ${paint('dim', '│')} ${line}`.trimEnd());
}

function lineCount(text: string): number {
  let count = 1;
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) count++;
  return count;
}
