import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { median } from '../wire/median.ts';

const contenders = {
  start: ['node', 'floor', 'coder', 'turnwire coder'],
  'edit-small': ['files', 'coder'],
  'edit-1m': ['files', 'coder'],
  search: ['ripgrep', 'ripgrep, in order', 'coder'],
} as const;

/** What is measured. */
export type CoderCase = keyof typeof contenders;
/** Who is measured in some case. */
export type CoderContender = (typeof contenders)[CoderCase][number];

/** What one contender of a case takes. */
export interface CoderFigure {
  readonly name: CoderCase;
  readonly contender: CoderContender;
  /** The median of the rounds. */
  readonly milliseconds: number;
  /** How often that is what the first contender of the case takes. */
  readonly ratio: number;
}

const bench = fileURLToPath(new URL('..', import.meta.url));
const compiler = fileURLToPath(new URL('../../node_modules/typescript/bin/tsc', import.meta.url));
const sampleProcess = fileURLToPath(new URL('../dist/coder/sample-process.js', import.meta.url));

/** Measures the coder's start, its edits and its searches next to what they cannot do without, taking turns in every round. */
export function measureCoder(rounds: number): readonly CoderFigure[] {
  execFileSync(process.execPath, [compiler, '-b', bench], { stdio: ['ignore', 2, 2] });
  return (Object.keys(contenders) as CoderCase[]).flatMap((name) => {
    const taken = contenders[name].map((contender): Taken => ({ contender, times: [] }));
    for (let round = 0; round < rounds; round++) {
      for (const each of round % 2 === 0 ? taken : taken.toReversed())
        each.times.push(takeSample(name, each.contender));
      process.stderr.write('.');
    }
    process.stderr.write(` ${name}\n`);
    return figuresOf(name, taken);
  });
}

interface Taken {
  readonly contender: CoderContender;
  readonly times: number[];
}

function takeSample(name: CoderCase, contender: CoderContender): number {
  const stdio = ['ignore', 'pipe', 'inherit'] as const;
  const output = execFileSync(process.execPath, [sampleProcess, name, contender], {
    stdio: [...stdio],
    encoding: 'utf8',
  });
  return JSON.parse(output) as number;
}

function figuresOf(name: CoderCase, taken: readonly Taken[]): readonly CoderFigure[] {
  const reference = median(taken[0]?.times ?? []);
  return taken.map(({ contender, times }) => {
    const milliseconds = median(times);
    return { name, contender, milliseconds, ratio: milliseconds / reference };
  });
}

/** The form people read, in Markdown. */
export function coderTable(figures: readonly CoderFigure[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  const rows = figures.map(({ name, contender, milliseconds, ratio }) =>
    line([name, contender, milliseconds.toPrecision(3), ratio.toFixed(2)]),
  );
  return [line(['case', 'who', 'ms', '÷ first']), line(['---', '---', '---:', '---:']), ...rows].join('\n');
}
