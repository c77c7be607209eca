import type { Diff } from '@turnwire/protocol';
import { structuredPatch } from 'diff';
import { visibleLine, visibleText } from './clean-text.ts';
import { wrapExactly } from './text-width.ts';
import type { Page } from './page.ts';

/** Texts with more differing lines are not compared: the whole text is shown as replaced. */
const mostEdits = 1_000;

/** A line of a diff. */
interface Row {
  readonly sign: '+' | '-' | ' ';
  /** From 1: in the new text, or in the old one for a removed line. */
  readonly number: number;
  readonly text: string;
}

/** Changed rows with the unchanged ones around them. */
type Hunk = readonly Row[];

/** A complete diff with its path, its size and line numbers; control characters are escaped. */
export function diffRows(diff: Diff, page: Page): string[] {
  const hunks = hunksOf(diff);
  const digits = String(Math.max(0, ...hunks.flat().map(({ number }) => number))).length;
  const lines = hunks.flatMap((hunk, index) => [
    ...(index === 0 ? [] : [page.paint('dim', `${' '.repeat(digits)} ⋯`)]),
    ...hunk.flatMap((row) => rowLines(row, digits, page)),
  ]);
  return [...headLines(diff, hunks, page), ...lines];
}

/** How many lines a diff adds and removes: `+3 −1`. */
export function diffCount(diff: Diff): string {
  return countOf(hunksOf(diff));
}

function headLines({ path, oldText }: Diff, hunks: readonly Hunk[], { paint, width }: Page): string[] {
  const isNew = oldText === undefined || oldText === null;
  const name = wrapExactly(visibleLine(path), width);
  const last = name.at(-1) ?? '';
  return [
    ...name.slice(0, -1).map((part) => paint('bold', part)),
    `${paint('bold', last)} ${paint('dim', `${isNew ? 'new file ' : ''}(${countOf(hunks)})`)}`,
  ];
}

function countOf(hunks: readonly Hunk[]): string {
  const count = (sign: Row['sign']): number => hunks.flat().filter((row) => row.sign === sign).length;
  return `+${count('+')} −${count('-')}`;
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

function hunksOf({ oldText, newText }: Diff): Hunk[] {
  const [before, after] = [oldText ?? '', newText];
  const patch = structuredPatch('', '', before, after, undefined, undefined, { context: 3, maxEditLength: mostEdits });
  if (!patch) return [[...numbered('-', before), ...numbered('+', after)]];
  return patch.hunks.map(({ oldStart, newStart, lines }) => rowsOf(lines, { before: oldStart, after: newStart }));
}

function rowsOf(lines: readonly string[], start: { before: number; after: number }): Row[] {
  const at = { ...start };
  const rows: Row[] = [];
  for (const line of lines) {
    const text = line.slice(1);
    if (line.startsWith('+')) rows.push({ sign: '+', number: at.after++, text });
    else if (line.startsWith('-')) rows.push({ sign: '-', number: at.before++, text });
    else if (line.startsWith(' ')) rows.push({ sign: ' ', number: (at.before++, at.after++), text });
  }
  return rows;
}

function numbered(sign: '+' | '-', text: string): Row[] {
  if (text === '') return [];
  const lines = text.replace(/\n$/, '').split('\n');
  return lines.map((line, index) => ({ sign, number: index + 1, text: line }));
}
