import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { Case, Figure, Sample } from './case.ts';
import type { TrialFigure } from './gateway/trial.ts';
import { median } from './median.ts';
import type { SuiteName } from './suites.ts';
import { type ContenderName, contenderNames } from './wire/contender.ts';

/** The thoroughness of a run. */
export interface Effort {
  readonly rounds: number;
  /** Measured time of one sample. */
  readonly seconds: number;
}

/** Some cases of a suite. */
export interface Suite<Name extends string> {
  readonly suite: SuiteName;
  readonly cases: readonly Case<Name>[];
}

/** A figure with the values of each contender, round by round. */
export interface Result<Name extends string = ContenderName> {
  readonly figure: Figure;
  readonly values: Readonly<Partial<Record<Name, readonly number[]>>>;
  /** Medians of the processor time per message, in microseconds. */
  readonly cpu?: Readonly<Partial<Record<Name, { readonly client: number; readonly agent: number }>>> | undefined;
}

type Samples<Name extends string> = ReadonlyMap<Name, Sample[]>;

const here = fileURLToPath(new URL('.', import.meta.url));
const compiler = fileURLToPath(new URL('../node_modules/typescript/bin/tsc', import.meta.url));

/** Compiles the measured code, so that none of it runs through a loader. */
export function compileBench(): void {
  execFileSync(process.execPath, [compiler, '-b', here], { stdio: ['ignore', 2, 2] });
}

/** Compiles, and takes all samples. */
export function runSuite<Name extends string = ContenderName>(
  { suite, cases }: Suite<Name>,
  effort: Effort,
): readonly Result<Name>[] {
  compileBench();
  return cases.flatMap((each) => {
    process.stderr.write(`${each.name} `);
    const samples = takeSamples(suite, each, effort);
    process.stderr.write('\n');
    return resultsOf(each, samples);
  });
}

/** Runs a trial of a gateway in a separate process, with compiled code. */
export function runTrial(name: string, isQuick: boolean): readonly TrialFigure[] {
  process.stderr.write(`${name}\n`);
  return runProcess(['gateway/trial-process.js', name, ...(isQuick ? ['quick'] : [])]) as readonly TrialFigure[];
}

/** Takes one sample of each contender per round, and starts each round with another one, so that the order favours none. */
function takeSamples<Name extends string>(
  suite: SuiteName,
  { name, contenders = contenderNames as readonly string[] as readonly Name[], nodeOptions = [] }: Case<Name>,
  { rounds, seconds }: Effort,
): Samples<Name> {
  const samples = new Map(contenders.map((contender): [Name, Sample[]] => [contender, []]));
  for (let round = 0; round < rounds; round++) {
    const first = round % contenders.length;
    for (const contender of [...contenders.slice(first), ...contenders.slice(0, first)])
      samples
        .get(contender)
        ?.push(runProcess(['sample-process.js', suite, name, contender, String(seconds)], nodeOptions) as Sample);
    process.stderr.write('.');
  }
  return samples;
}

/** Runs a compiled program of this folder. @returns its output, parsed as JSON */
function runProcess([program, ...parameters]: readonly string[], nodeOptions: readonly string[] = []): unknown {
  const path = fileURLToPath(new URL(`dist/${program}`, import.meta.url));
  const output = execFileSync(process.execPath, [...nodeOptions, path, ...parameters], {
    cwd: here,
    stdio: ['ignore', 'pipe', 'inherit'],
    encoding: 'utf8',
  });
  return JSON.parse(output);
}

function resultsOf<Name extends string>(each: Case<Name>, samples: Samples<Name>): readonly Result<Name>[] {
  const ofEach = <Value>(value: (taken: readonly Sample[]) => Value): Partial<Record<Name, Value>> =>
    Object.fromEntries([...samples].map(([name, taken]) => [name, value(taken)])) as Partial<Record<Name, Value>>;
  const [[first] = []] = samples.values();
  return [each, ...(each.also ?? [])].map((figure) => ({
    figure,
    values: ofEach((taken) => taken.map(({ figures }) => figures[figure.name] ?? Number.NaN)),
    cpu: first?.cpu && ofEach(medianCpu),
  }));
}

function medianCpu(samples: readonly Sample[]): { readonly client: number; readonly agent: number } {
  const of = (side: 'client' | 'agent'): number => median(samples.map(({ cpu }) => cpu![side]));
  return { client: of('client'), agent: of('agent') };
}
