import { type OutcomeCounts, outcomes } from '@turnwire/conformance';
import type { Style } from '../../terminal/paint.ts';
import { wrapWords } from '../../terminal/text-width.ts';
import type { LineFormat } from './frame-lines.ts';

type Outcome = (typeof outcomes)[number];

const styles: Readonly<Record<Outcome, Style>> = {
  failed: 'red',
  passed: 'green',
  'not exercised': 'yellow',
  'not observable': 'dim',
};

/** The column headings on a narrow terminal. */
const signs: Readonly<Record<Outcome, string>> = {
  failed: '✗',
  passed: '✓',
  'not exercised': '?',
  'not observable': '–',
};

/** The width of a count under a sign, in columns. */
const narrow = 4;

/** The number of requirements per outcome, for a section or a level. */
export type CountRow = readonly [name: string, counts: OutcomeCounts];

/** A table with the number of requirements per outcome. On a narrow terminal signs replace the words, with a legend below. */
export function countLines(rows: readonly CountRow[], { paint, width }: LineFormat): readonly string[] {
  const first = Math.max(...rows.map(([name]) => name.length));
  const wide = outcomes.map((outcome) => `  ${outcome}`);
  const isNarrow = first + wide.join('').length > width;
  const heads = isNarrow ? outcomes.map((outcome) => signs[outcome].padStart(narrow)) : wide;
  const cell = (outcome: Outcome, index: number, counts: OutcomeCounts): string => {
    const text = String(counts[outcome]).padStart(heads[index]?.length ?? 0);
    return counts[outcome] === 0 ? paint('dim', text.replace('0', '·')) : paint(styles[outcome], text);
  };
  const line = ([name, counts]: CountRow): string =>
    name.padEnd(first) + outcomes.map((outcome, index) => cell(outcome, index, counts)).join('');
  const meaning = outcomes.map((outcome) => `${signs[outcome]} ${outcome}`).join(', ');
  return [
    paint('dim', `${''.padEnd(first)}${heads.join('')}`),
    ...rows.map(line),
    ...(isNarrow ? wrapWords(meaning, width).map((each) => paint('dim', each)) : []),
  ];
}
