import { median } from '../median.ts';
import { table } from '../table.ts';
import type { Result } from '../run-suite.ts';

/** The medians of the samples of one length. */
export interface TranscriptFigure {
  /** Updates in the turn. */
  readonly updates: number;
  /** Processor time per update. */
  readonly microseconds: number;
  /** The memory of the final view, in bytes. */
  readonly memory: number;
  readonly entries: number;
}

/** The medians, for other programs. */
export function transcriptFigures(results: readonly Result<string>[]): readonly TranscriptFigure[] {
  const of = (name: string, length: string): number =>
    median(results.find(({ figure }) => figure.name === name)?.values[length] ?? []);
  return Object.keys(results[0]?.values ?? {}).map((length) => ({
    updates: Number(length),
    microseconds: of('microseconds', length),
    memory: of('memory', length),
    entries: of('entries', length),
  }));
}

/** The figures as a table in Markdown, with the cost of an update in the longest turn relative to the shortest. */
export function transcriptTable(figures: readonly TranscriptFigure[]): string {
  const rows = figures.map(({ updates, microseconds, memory, entries }) => [
    updates.toLocaleString('en'),
    microseconds.toFixed(2),
    String(entries),
    (memory / 2 ** 20).toFixed(1),
    String(Math.round(memory / updates)),
  ]);
  const head = ['updates in a turn', 'µs per update', 'entries', 'MB kept', 'bytes per update'];
  const ratio = (figures.at(-1)?.microseconds ?? Number.NaN) / (figures[0]?.microseconds ?? Number.NaN);
  const verdict = `An update of the longest turn costs ${ratio.toFixed(2)} times one of the shortest (aim: at most 2).`;
  return [table(head, rows), verdict].join('\n\n');
}
