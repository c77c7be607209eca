import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { Case, Figure, Sample } from './wire/case.ts';
import type { TrialFigure } from './gateway/trial.ts';
import { type ContenderName, contenderNames } from './wire/contender.ts';
import { median } from './wire/median.ts';

/** How thorough a run is. */
export interface Effort {
  readonly rounds: number;
  /** Measured time of one sample. */
  readonly seconds: number;
}

/** The cases of a folder here, whose `sample-process.ts` takes samples of them. */
export interface Suite {
  readonly folder: 'wire' | 'remote' | 'gateway';
  readonly cases: readonly Case[];
}

/** A figure with what every contender reached, round by round. */
export interface Result {
  readonly figure: Figure;
  readonly values: Readonly<Record<ContenderName, readonly number[]>>;
  /** Medians of the processor time per message, in microseconds. */
  readonly cpu?: Readonly<Record<ContenderName, { readonly client: number; readonly agent: number }>> | undefined;
}

type Samples = Readonly<Record<ContenderName, Sample[]>>;

const here = fileURLToPath(new URL('.', import.meta.url));
const compiler = fileURLToPath(new URL('../node_modules/typescript/bin/tsc', import.meta.url));

/** Compiles what is measured (nothing that is measured runs through a loader) and takes all samples. */
export function runSuite({ folder, cases }: Suite, effort: Effort): readonly Result[] {
  const sampleProcess = fileURLToPath(new URL(`dist/${folder}/sample-process.js`, import.meta.url));
  execFileSync(process.execPath, [compiler, '-b', here], { stdio: ['ignore', 2, 2] });
  return cases.flatMap((each) => {
    process.stderr.write(`${each.name} `);
    const samples = takeSamples(each, sampleProcess, effort);
    process.stderr.write('\n');
    return resultsOf(each, samples);
  });
}

/** Runs a trial of a gateway, in a process of compiled code like samples. */
export function runTrial(name: string, isQuick: boolean): readonly TrialFigure[] {
  const trialProcess = fileURLToPath(new URL('dist/gateway/trial-process.js', import.meta.url));
  process.stderr.write(`${name}\n`);
  const output = execFileSync(process.execPath, [trialProcess, name, ...(isQuick ? ['quick'] : [])], {
    cwd: here,
    stdio: ['ignore', 'pipe', 'inherit'],
    encoding: 'utf8',
  });
  return JSON.parse(output) as readonly TrialFigure[];
}

/** One sample of everybody per round, and another one first in every round: nobody profits from the order. */
function takeSamples(each: Case, sampleProcess: string, { rounds, seconds }: Effort): Samples {
  const samples: Samples = { floor: [], official: [], turnwire: [] };
  for (let round = 0; round < rounds; round++) {
    for (const name of rotated(each.contenders ?? contenderNames, round))
      samples[name].push(takeSample([...(each.nodeOptions ?? []), sampleProcess, each.name, name, String(seconds)]));
    process.stderr.write('.');
  }
  return samples;
}

function takeSample(parameters: readonly string[]): Sample {
  const output = execFileSync(process.execPath, parameters, {
    cwd: here,
    stdio: ['ignore', 'pipe', 'inherit'],
    encoding: 'utf8',
  });
  return JSON.parse(output) as Sample;
}

function resultsOf(each: Case, samples: Samples): readonly Result[] {
  return [each, ...(each.also ?? [])].map((figure) => ({
    figure,
    values: mapContenders((name) => samples[name].map(({ figures }) => figures[figure.name] ?? Number.NaN)),
    cpu: samples.floor[0]?.cpu && mapContenders((name) => medianCpu(samples[name])),
  }));
}

function medianCpu(samples: readonly Sample[]): { readonly client: number; readonly agent: number } {
  const of = (side: 'client' | 'agent'): number => median(samples.map(({ cpu }) => cpu![side]));
  return { client: of('client'), agent: of('agent') };
}

function mapContenders<T>(map: (name: ContenderName) => T): Record<ContenderName, T> {
  return { floor: map('floor'), official: map('official'), turnwire: map('turnwire') };
}

function rotated<T>(items: readonly T[], by: number): readonly T[] {
  const start = by % items.length;
  return [...items.slice(start), ...items.slice(0, start)];
}
