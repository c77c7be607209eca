import type { Figure } from '../case.ts';
import { median } from '../median.ts';
import { machine, short, spreadOf } from '../report.ts';
import type { Result } from '../run-suite.ts';
import { table } from '../table.ts';
import { type ComparedName, sdkNames } from '../wire/contender.ts';

const [theirs, ours] = sdkNames;

/** The medians of one figure on both packages. */
export interface CompatFigure {
  readonly figure: Figure;
  readonly rounds: number;
  readonly official: number;
  readonly compat: number;
  /** The minimum that JavaScript needs for the same messages, where it was measured. */
  readonly floor?: number | undefined;
  /** How many times better this package is. */
  readonly times: number;
  /** Half the range of the rounds of the noisier one, relative to its median. */
  readonly spread: number;
  /** Processor time per message, client and agent, in microseconds. */
  readonly cpu?: Result<ComparedName>['cpu'];
}

/** The figures of a run, for other programs. */
export function compatFigures(results: readonly Result<ComparedName>[]): readonly CompatFigure[] {
  return results.map(({ figure, values, cpu }) => {
    const [official, compat] = [median(values[theirs] ?? []), median(values[ours] ?? [])];
    const floor = values.floor && median(values.floor);
    const times = figure.higherIsBetter ? compat / official : official / compat;
    const spread = Math.max(...Object.values(values).map(spreadOf));
    return { figure, rounds: values[ours]?.length ?? 0, official, compat, floor, times, spread, cpu };
  });
}

/** The figures as tables in Markdown. */
export function compatTable(figures: readonly CompatFigure[]): string {
  const rows = figures.map((each) => {
    const { figure, official, compat, floor, times, spread } = each;
    return [
      figure.name,
      figure.unit,
      ...[official, compat].map(short),
      floor === undefined ? '' : short(floor),
      times.toFixed(1),
      ...verdict(each),
      `±${Math.round(spread * 100)} %`,
    ];
  });
  const cpuRows = figures.flatMap(({ figure, cpu }) =>
    cpu
      ? [
          [
            figure.name,
            ...[...sdkNames, 'floor' as const].map(
              (name) => `${short(cpu[name]!.client)} + ${short(cpu[name]!.agent)}`,
            ),
          ],
        ]
      : [],
  );
  return [
    machine(figures[0]?.rounds ?? 0),
    table(['case', 'unit', theirs, ours, 'floor', 'times better', 'aim', 'met?', 'spread'], rows),
    ...(cpuRows.length > 0
      ? ['Processor time per message, µs, client + agent:', table(['case', ...sdkNames, 'floor'], cpuRows)]
      : []),
  ].join('\n\n');
}

function verdict({ figure: { aim, unit, higherIsBetter }, times, compat }: CompatFigure): readonly [string, string] {
  if (aim === undefined) return ['', ''];
  if ('ratio' in aim) return [`≥ ${aim.ratio}×`, times >= aim.ratio ? 'yes' : 'no'];
  const isMet = higherIsBetter ? compat >= aim.value : compat <= aim.value;
  return [`${higherIsBetter ? '≥' : '≤'} ${aim.value} ${unit}`, isMet ? 'yes' : 'no'];
}
