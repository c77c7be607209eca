import { table } from '../table.ts';

/** How thorough a trial is. */
export interface TrialEffort {
  readonly isQuick: boolean;
  /** An empty folder, which is removed after the trial. */
  readonly folder: string;
}

/** A figure of a trial, with its upper limit. */
export interface TrialFigure {
  readonly name: string;
  readonly unit: string;
  readonly value: number;
  readonly atMost?: number;
  readonly atLeast?: number;
}

/** A stress test of a gateway in a separate process. */
export interface Trial {
  readonly name: string;
  run(effort: TrialEffort): Promise<readonly TrialFigure[]>;
}

/** The value below which a share of the sorted values is. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

/** Waits for a condition. Throws after 30 s without a change. */
export async function until(what: string, progress: () => number, enough: number): Promise<void> {
  for (let seen = -1, quiet = performance.now(); progress() < enough;) {
    if (progress() !== seen) [seen, quiet] = [progress(), performance.now()];
    if (performance.now() - quiet > 30_000) throw new Error(`${what}: ${progress()} of ${enough}`);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

/** The figures as a table in Markdown. */
export function trialTable(figures: readonly TrialFigure[]): string {
  const rows = figures.map(({ name, unit, value, atMost, atLeast }) => {
    const [aim, isMet] =
      atMost !== undefined
        ? [`≤ ${atMost}`, value <= atMost ? 'yes' : 'no']
        : atLeast !== undefined
          ? [`≥ ${atLeast}`, value >= atLeast ? 'yes' : 'no']
          : ['', ''];
    return [name, Number.isInteger(value) ? value : value.toPrecision(3), unit, aim, isMet];
  });
  return table(['case', 'turnwire', 'unit', 'aim', 'met?'], rows);
}
