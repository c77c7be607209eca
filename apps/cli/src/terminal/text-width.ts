import stringWidth from 'string-width';
import wrapAnsi from 'wrap-ansi';
import { type WrapOptions, wrapPlain } from './wrap-plain.ts';

/**
 * Characters with a width of one column that are never part of a longer sequence: Latin, punctuation, lines, blocks and spinner dots. Other
 * characters need a table of thousands of sequences, which makes the start 50 % slower.
 */
const simple = /^[\x20-\x7e\xa1-\xac\xae-\xff\u2010-\u2027\u2030-\u203b\u2190-\u2193\u2500-\u259f\u2800-\u28ff]*$/;

/** Escape sequences of styles, which have no width. */
// oxlint-disable-next-line no-control-regex -- escape sequences begin with one
const styles = /\u001b\[[\d;]*m/g;

/** Whether each character of a text takes one column and is not part of a longer sequence. */
export function isSimple(text: string): boolean {
  return simple.test(text);
}

/** The width of a line in columns. */
export function textWidth(line: string): number {
  const bare = line.includes('\u001b') ? line.replaceAll(styles, '') : line;
  return simple.test(bare) ? bare.length : stringWidth(bare);
}

/** Wraps prose at words, and breaks words that are wider than the line. Styles continue on the next line. Returns at least one line. */
export function wrapWords(text: string, width: number): string[] {
  const columns = Math.max(1, width);
  if (!text.includes('\n') && textWidth(text) <= columns) return [text];
  return wrapped(text, columns, {});
}

/** Wraps each line of a text at words, and aligns the wrapped lines with its first word. */
export function wrapIndented(text: string, width: number): string[] {
  return text.split('\n').flatMap((line) => {
    if (textWidth(line) <= width) return [line];
    const [indent = ''] = /^ */.exec(line) ?? [];
    return wrapWords(line.trimStart(), width - indent.length).map((part) => indent + part);
  });
}

/** Wraps prose. In a line with two columns, wraps only the second column and keeps its lines aligned. */
export function wrapColumns(line: string, width: number): string[] {
  const [, first = ''] = /^( +\S.*? {2,})\S/.exec(line) ?? [];
  if (first === '' || width - first.length < 20) return wrapWords(line, width);
  const lines = wrapWords(line.slice(first.length), width - first.length);
  return lines.map((each, index) => `${index === 0 ? first : ' '.repeat(first.length)}${each}`);
}

/** Wraps exact text, such as code, at the end of the line. Returns at least one line. */
export function wrapExactly(text: string, width: number): string[] {
  const columns = Math.max(1, width);
  const expanded = text.replaceAll('\t', '    ');
  if (!expanded.includes('\n') && textWidth(expanded) <= columns) return [expanded];
  return wrapped(expanded, columns, { trim: false, wordWrap: false });
}

/** Wraps a line of a program or a user at words and keeps its leading spaces. Returns at least one line. */
export function wrapText(line: string, width: number): string[] {
  const columns = Math.max(1, width);
  const expanded = line.replaceAll('\t', '    ');
  if (textWidth(expanded) <= columns) return [expanded];
  const lines = wrapped(expanded, columns, { trim: false });
  return lines.map((each, index) => (index === 0 ? each : each.trimStart()));
}

function wrapped(text: string, columns: number, options: WrapOptions): string[] {
  return text
    .split('\n')
    .flatMap((line) =>
      isSimple(line)
        ? wrapPlain(line, columns, options)
        : wrapAnsi(line, columns, { ...options, hard: true }).split('\n'),
    );
}

/** The line, cut and marked with `…` if it is too wide. */
export function cutLine(line: string, width: number): string {
  const columns = Math.max(1, width);
  const expanded = line.replaceAll('\t', '    ');
  if (textWidth(expanded) <= columns) return expanded;
  const [head = ''] = wrapped(expanded.slice(0, columns * 8), Math.max(1, columns - 1), {
    trim: false,
    wordWrap: false,
  });
  return `${head}…`;
}

/** The line, padded with spaces to a width. */
export function padLine(line: string, width: number): string {
  return line + ' '.repeat(Math.max(0, width - textWidth(line)));
}
