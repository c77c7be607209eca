import { printedLines } from '../../terminal/printed-lines.ts';
import { wrapText } from '../../terminal/text-width.ts';
import type { Look } from './look.ts';

/** Characters of an output that are searched for each of its last lines. */
const charactersPerLine = 2_000;

/** The last lines of a command's output, with a count of those before; all of them in an expanded look. */
export function outputLines(output: string, most: number, look: Look): string[] {
  const text = output.trimEnd();
  if (text === '') return [];
  const tail = look.isExpanded ? text : text.slice(-most * charactersPerLine);
  const lines = printedLines(tail);
  const shown = look.isExpanded ? lines : lines.slice(-most);
  const hidden = look.isExpanded ? 0 : lineCount(text) - shown.length;
  const width = Math.max(1, look.width - 4);
  const body = shown.flatMap((line) => beside(wrapText(line, width), look));
  const cut = look.isExpanded ? body : body.slice(-most);
  return hidden > 0 ? [look.paint('dim', `  … ${hidden} earlier ${hidden === 1 ? 'line' : 'lines'}`), ...cut] : cut;
}

function beside(lines: readonly string[], { paint }: Look): string[] {
  return lines.map((line) => `  ${paint('dim', '│')} ${line}`.trimEnd());
}

function lineCount(text: string): number {
  let count = 1;
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) count++;
  return count;
}
