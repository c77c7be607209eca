import stringWidth from 'string-width';
import wrapAnsi from 'wrap-ansi';

/** What takes one column a character, and most of what there is. */
const simple = /^[\x20-\x7e]*$/;

/** How many columns a line takes. */
export function textWidth(line: string): number {
  return simple.test(line) ? line.length : stringWidth(line);
}

/** Breaks prose at words, and words that are wider than the line. Styles go on in the next line. At least one line. */
export function wrapWords(text: string, width: number): string[] {
  const columns = Math.max(1, width);
  if (!text.includes('\n') && textWidth(text) <= columns) return [text];
  return wrapAnsi(text, columns, { hard: true }).split('\n');
}

/** Breaks what must be seen as it is, such as code, wherever the line ends. At least one line. */
export function wrapExactly(text: string, width: number): string[] {
  const columns = Math.max(1, width);
  const expanded = text.replaceAll('\t', '    ');
  if (!expanded.includes('\n') && textWidth(expanded) <= columns) return [expanded];
  return wrapAnsi(expanded, columns, { hard: true, trim: false, wordWrap: false }).split('\n');
}

/** The line, cut with `…` if it is too wide. */
export function cutLine(line: string, width: number): string {
  const columns = Math.max(1, width);
  const expanded = line.replaceAll('\t', '    ');
  if (textWidth(expanded) <= columns) return expanded;
  const [head = ''] = wrapAnsi(expanded.slice(0, columns * 8), Math.max(1, columns - 1), {
    hard: true,
    trim: false,
    wordWrap: false,
  }).split('\n');
  return `${head}…`;
}

/** The line with spaces behind it, as wide as asked for. */
export function padLine(line: string, width: number): string {
  return line + ' '.repeat(Math.max(0, width - textWidth(line)));
}
