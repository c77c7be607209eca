import { median } from '../median.ts';
import { table } from '../table.ts';
import type { Result } from '../run-suite.ts';

/** The time of one contender of a case. */
export interface CoderFigure {
  readonly name: string;
  readonly contender: string;
  /** The median of the rounds. */
  readonly milliseconds: number;
  /** The time relative to the first contender of the case. */
  readonly ratio: number;
}

/** The medians, for other programs. */
export function coderFigures(results: readonly Result<string>[]): readonly CoderFigure[] {
  return results.flatMap(({ figure: { name }, values }) => {
    const medians = Object.entries(values).map(([contender, times = []]) => ({
      contender,
      milliseconds: median(times),
    }));
    const reference = medians[0]?.milliseconds ?? Number.NaN;
    return medians.map((each) => ({ name, ...each, ratio: each.milliseconds / reference }));
  });
}

/** The figures as a table in Markdown. */
export function coderTable(figures: readonly CoderFigure[]): string {
  const rows = figures.map(({ name, contender, milliseconds, ratio }) => [
    ...[name, contender, milliseconds.toPrecision(3), ratio.toFixed(2)],
  ]);
  return table(['case', 'who', 'ms', '÷ first'], rows);
}
