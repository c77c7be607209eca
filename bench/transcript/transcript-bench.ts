import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { median } from '../wire/median.ts';

/** One run of a turn in a fresh process. */
interface Sample {
  /** Processor time per update. */
  readonly microseconds: number;
  /** What the view at the end holds, in bytes. */
  readonly memory: number;
  readonly entries: number;
}

/** What the samples of one length come to: medians. */
export interface TranscriptFigure extends Sample {
  /** Updates in the turn. */
  readonly updates: number;
}

const bench = fileURLToPath(new URL('..', import.meta.url));
const compiler = fileURLToPath(new URL('../../node_modules/typescript/bin/tsc', import.meta.url));
const sampleProcess = fileURLToPath(new URL('../dist/transcript/sample-process.js', import.meta.url));
const lengths = [1_000, 10_000, 100_000];

/** Reduces turns of different lengths, taking turns among them in every round. */
export function measureTranscript(rounds: number): readonly TranscriptFigure[] {
  execFileSync(process.execPath, [compiler, '-b', bench], { stdio: ['ignore', 2, 2] });
  const samples = lengths.map((updates): { updates: number; taken: Sample[] } => ({ updates, taken: [] }));
  for (let round = 0; round < rounds; round++) {
    for (const { updates, taken } of round % 2 === 0 ? samples : samples.toReversed()) taken.push(takeSample(updates));
    process.stderr.write('.');
  }
  process.stderr.write('\n');
  return samples.map(({ updates, taken }) => ({ updates, ...mediansOf(taken) }));
}

function takeSample(updates: number): Sample {
  const output = execFileSync(process.execPath, ['--expose-gc', sampleProcess, String(updates)], {
    stdio: ['ignore', 'pipe', 'inherit'],
    encoding: 'utf8',
  });
  return JSON.parse(output) as Sample;
}

function mediansOf(samples: readonly Sample[]): Sample {
  const of = (key: keyof Sample): number => median(samples.map((sample) => sample[key]));
  return { microseconds: of('microseconds'), memory: of('memory'), entries: of('entries') };
}

/** The form people read, in Markdown, and the one number that matters. */
export function transcriptTable(figures: readonly TranscriptFigure[]): string {
  const rows = figures.map(({ updates, microseconds, memory, entries }) => [
    updates.toLocaleString('en'),
    microseconds.toFixed(2),
    String(entries),
    (memory / 2 ** 20).toFixed(1),
    String(Math.round(memory / updates)),
  ]);
  const head = ['updates in a turn', 'µs per update', 'entries', 'MB kept', 'bytes per update'];
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  const ratio = (figures.at(-1)?.microseconds ?? Number.NaN) / (figures[0]?.microseconds ?? Number.NaN);
  const verdict = `An update of the longest turn costs ${ratio.toFixed(2)} times one of the shortest (aim: at most 2).`;
  return [[line(head), line(head.map(() => '---:')), ...rows.map(line)].join('\n'), verdict].join('\n\n');
}
