import type { Diff } from '@turnwire/protocol';
import { visibleLine, visibleText } from './clean-text.ts';
import { diffHunks, type Hunk, sizeOf } from './diff-hunks.ts';
import { wrapExactly } from './text-width.ts';
import type { Page } from './page.ts';

/** A line of a diff. */
interface Row {
  readonly sign: '+' | '-' | ' ';
  /** From 1: in the new text, or in the old one for a removed line. */
  readonly number: number;
  readonly text: string;
}

/** A complete diff with its path, its size and line numbers; control characters are escaped. */
export function diffRows(diff: Diff, page: Page): string[] {
  const hunks = diffHunks(diff);
  const rows = hunks.map(rowsOf);
  const digits = String(rows.flat().reduce((highest, { number }) => Math.max(highest, number), 0)).length;
  const lines = rows.flatMap((hunk, index) => [
    ...(index === 0 ? [] : [page.paint('dim', `${' '.repeat(digits)} ⋯`)]),
    ...hunk.flatMap((row) => rowLines(row, digits, page)),
  ]);
  return [...headLines(diff, hunks, page), ...lines];
}

function headLines({ path, oldText }: Diff, hunks: readonly Hunk[], { paint, width }: Page): string[] {
  const isNew = oldText === undefined || oldText === null;
  const name = wrapExactly(visibleLine(path), width);
  const last = name.at(-1) ?? '';
  return [
    ...name.slice(0, -1).map((part) => paint('bold', part)),
    `${paint('bold', last)} ${paint('dim', `${isNew ? 'new file ' : ''}(${sizeOf(hunks)})`)}`,
  ];
}

function rowLines({ sign, number, text }: Row, digits: number, { paint, width }: Page): string[] {
  const style = sign === '+' ? 'green' : sign === '-' ? 'red' : undefined;
  const parts = wrapExactly(visibleText(text), Math.max(1, width - digits - 3));
  return parts.map((part, index) => {
    const margin = index === 0 ? String(number).padStart(digits) : ' '.repeat(digits);
    const body = `${index === 0 ? sign : ' '} ${part}`;
    return `${paint('dim', margin)} ${style ? paint(style, body) : body}`.trimEnd();
  });
}

function rowsOf({ oldStart, newStart, lines }: Hunk): readonly Row[] {
  const at = { before: oldStart, after: newStart };
  const rows: Row[] = [];
  for (const line of lines) {
    const text = line.slice(1);
    if (line.startsWith('+')) rows.push({ sign: '+', number: at.after++, text });
    else if (line.startsWith('-')) rows.push({ sign: '-', number: at.before++, text });
    else if (line.startsWith(' ')) rows.push({ sign: ' ', number: (at.before++, at.after++), text });
  }
  return rows;
}
