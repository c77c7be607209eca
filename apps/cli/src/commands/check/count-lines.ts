import { type OutcomeCounts, outcomes } from '@agentwire/conformance';
import type { Paint, Style } from '../../terminal/paint.ts';

const styles: Readonly<Record<(typeof outcomes)[number], Style>> = {
  failed: 'red',
  passed: 'green',
  'not exercised': 'yellow',
  'not observable': 'dim',
};

/** What a table of counts shows. */
export interface CountTable {
  readonly title: string;
  readonly rows: readonly (readonly [name: string, counts: OutcomeCounts])[];
}

/** A table of how many requirements came to which end. */
export function countLines({ title, rows }: CountTable, paint: Paint): readonly string[] {
  const first = Math.max(title.length, ...rows.map(([name]) => name.length));
  const head = outcomes.map((outcome) => `  ${outcome}`).join('');
  return [
    paint('dim', `${title.padEnd(first)}${head}`),
    ...rows.map(
      ([name, counts]) => `${name.padEnd(first)}${outcomes.map((each) => cell(each, counts, paint)).join('')}`,
    ),
  ];
}

function cell(outcome: (typeof outcomes)[number], counts: OutcomeCounts, paint: Paint): string {
  const text = String(counts[outcome]).padStart(outcome.length + 2);
  return paint(counts[outcome] === 0 ? 'dim' : styles[outcome], counts[outcome] === 0 ? text.replace('0', '·') : text);
}
