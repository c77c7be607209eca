import { cpus, loadavg } from 'node:os';
import type { Result } from './run-suite.ts';
import type { Figure } from './case.ts';
import { table } from './table.ts';
import { type ContenderName, contenderNames } from './wire/contender.ts';
import { median } from './median.ts';

/** The report for other programs: medians only. */
export interface JsonReport {
  readonly cases: Readonly<
    Record<
      string,
      Readonly<Record<ContenderName, number>> & { readonly unit: string; readonly higherIsBetter: boolean }
    >
  >;
}

type Medians = Readonly<Record<ContenderName, number>>;

export function asJson(results: readonly Result[]): JsonReport {
  const entry = ({ figure: { name, unit, higherIsBetter }, values }: Result): [string, JsonReport['cases'][string]] => {
    const { turnwire, official, floor } = mediansOf(values);
    return [name, { unit, higherIsBetter, turnwire, official, floor }];
  };
  return { cases: Object.fromEntries(results.map(entry)) };
}

/** The report as tables in Markdown. */
export function asTable(results: readonly Result[]): string {
  const rows = results.map(figureRow);
  const head = [
    'case',
    'unit',
    'floor',
    'official',
    'turnwire',
    'turnwire ÷ floor',
    'official ÷ floor',
    'aim',
    'met?',
    'spread',
  ];
  const parts = [machine(results[0]?.values.floor?.length ?? 0), table(head, rows)];
  const withCpu = results.filter(({ cpu }) => cpu !== undefined);
  if (withCpu.length > 0)
    parts.push(
      'Processor time per message, µs, client + agent:',
      table(['case', ...contenderNames], withCpu.map(cpuRow)),
    );
  return parts.join('\n\n');
}

/** Where and how the figures were measured. */
export function machine(rounds: number): string {
  const load = loadavg().map((each) => each.toFixed(1));
  const processors = cpus();
  return `Node ${process.version}, ${processors.length} × ${processors[0]?.model.trim()}, medians of ${rounds} rounds; load average ${load.join(' ')}`;
}

function figureRow({ figure, values }: Result): readonly string[] {
  const medians = mediansOf(values);
  const { floor, official, turnwire } = medians;
  const spread = Math.max(...Object.values(values).map(spreadOf));
  return [
    figure.name,
    figure.unit,
    ...[floor, official, turnwire].map(short),
    ratio(turnwire / floor),
    ratio(official / floor),
    ...judge(figure, medians),
    `±${Math.round(spread * 100)} %`,
  ];
}

function cpuRow({ figure, cpu }: Result): readonly string[] {
  return [
    figure.name,
    ...contenderNames.map(
      (name) => `${short(cpu?.[name]?.client ?? Number.NaN)} + ${short(cpu?.[name]?.agent ?? Number.NaN)}`,
    ),
  ];
}

function judge({ aim, unit, higherIsBetter }: Figure, { floor, turnwire }: Medians): readonly [string, string] {
  if (aim === undefined) return ['', ''];
  const [value, shown] = 'ratio' in aim ? [floor * aim.ratio, `${aim.ratio}×`] : [aim.value, `${aim.value} ${unit}`];
  const isMet = higherIsBetter ? turnwire >= value : turnwire <= value;
  return [`${higherIsBetter ? '≥' : '≤'} ${shown}`, isMet ? 'yes' : 'no'];
}

function mediansOf(values: Result['values']): Medians {
  const of = (name: ContenderName): number => median(values[name] ?? []);
  return { floor: of('floor'), official: of('official'), turnwire: of('turnwire') };
}

/** The spread of the rounds: half the range, relative to the median. */
export function spreadOf(values: readonly number[]): number {
  return (Math.max(...values) - Math.min(...values)) / 2 / Math.abs(median(values));
}

/** Empty if one of the two was not measured. */
function ratio(value: number): string {
  return Number.isNaN(value) ? '' : value.toFixed(2);
}

/** A figure with three digits. */
export function short(value: number): string {
  if (Number.isNaN(value)) return '';
  if (value >= 1e4) return `${Math.round(value / 1e3)} k`;
  return Math.abs(value) >= 100 ? String(Math.round(value)) : value.toPrecision(3);
}
