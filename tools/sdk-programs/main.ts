import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { root, runNode, tool } from '../run.mjs';
import { exchangeOf } from './exchange.ts';
import { packSdk, type Side } from './installs.ts';
import { type ProgramResult, type StepPair, typesVerdict, verdict, withPrograms } from './page.ts';
import { type PreparedProgram, type Program, stepNames, type StepName, type StepResult } from './program.ts';
import { newestTypesWithClasses } from './example-program.ts';
import { programs } from './programs.ts';
import { type TypeErrors, typeErrorsOf } from './type-check.ts';

const { values, positionals } = parseArgs({
  options: { step: { type: 'string', multiple: true }, frames: { type: 'string' }, record: { type: 'boolean' } },
  allowPositionals: true,
});
const unknown = positionals.find((name) => !programs.some((program) => program.name.includes(name)));
if (unknown !== undefined) {
  console.error(`Unknown: ${unknown}. Known names are: ${programs.map(({ name }) => name).join(', ')}`);
  process.exit(2);
}
const chosen = programs.filter(
  ({ name }) => positionals.length === 0 || positionals.some((each) => name.includes(each)),
);
const steps = stepNames.filter((name) => values.step?.includes(name) !== false);

await packSdk();
const results: ProgramResult[] = [];
for (const program of chosen) results.push(await resultOf(program));
if (values.record) await record();
process.exitCode = results.some(hasFailed) ? 1 : 0;

function hasFailed({ steps: taken, types }: ProgramResult): boolean {
  return [...Object.values(taken).map(verdict), typesVerdict(types)].includes('FAILED');
}

async function resultOf(program: Program): Promise<ProgramResult> {
  console.log(`\n${program.name}: ${program.packages.join(', ')}`);
  const official = await runOn('official', program);
  const turnwire = await runOn('turnwire', program);
  const pairs: [StepName, StepPair][] = [];
  for (const [step, theirs] of official.steps) {
    const pair = pairOf(theirs, turnwire.steps.get(step) ?? { failures: ['the step was not run'], frames: [] });
    pairs.push([step, pair]);
    console.log(`  ${step.padEnd(7)} ${verdict(pair)}`);
    for (const [who, lines] of Object.entries(pair)) for (const line of lines) console.log(`          ${who}: ${line}`);
  }
  const types = program.typed === undefined ? undefined : await compareTypes(program.typed, official, turnwire);
  const day = new Date().toISOString().slice(0, 10);
  return {
    name: program.name,
    packages: program.packages,
    sdk: official.sdk,
    day,
    types,
    steps: Object.fromEntries(pairs),
  };
}

async function compareTypes(name: string, official: Run, turnwire: Run): Promise<TypeErrors> {
  const newer = await newestTypesWithClasses();
  const errors = await typeErrorsOf(name, { official: official.modules, turnwire: turnwire.modules, newer });
  console.log(`  types   ${typesVerdict(errors)}`);
  for (const error of errors.others) console.log(`          ${error}`);
  return errors;
}

/** All steps of a program on one side. */
interface Run extends Pick<PreparedProgram, 'sdk' | 'modules'> {
  readonly steps: ReadonlyMap<StepName, StepResult>;
}

async function runOn(side: Side, program: Program): Promise<Run> {
  await using prepared = await program.prepare(side);
  const found = new Map<StepName, StepResult>();
  for (const step of steps) {
    const result = await attempt(prepared, step);
    if (result === undefined) continue;
    found.set(step, result);
    if (values.frames !== undefined) await keepFrames(result, [program.name.replaceAll(/\W+/g, '-'), side, step]);
  }
  return { sdk: prepared.sdk, modules: prepared.modules, steps: found };
}

async function attempt(prepared: PreparedProgram, step: StepName): Promise<StepResult | undefined> {
  try {
    return await prepared.run(step);
  } catch (error) {
    return { failures: [error instanceof Error ? (error.stack ?? error.message) : String(error)], frames: [] };
  }
}

function pairOf(theirs: StepResult, ours: StepResult): StepPair {
  const [official, turnwire] = [exchangeOf(theirs.frames), exchangeOf(ours.frames)];
  return {
    official: theirs.failures,
    turnwire: ours.failures,
    onlyOfficial: official.filter((kind) => !turnwire.includes(kind)),
    onlyTurnwire: turnwire.filter((kind) => !official.includes(kind)),
  };
}

async function keepFrames({ frames }: StepResult, names: readonly string[]): Promise<void> {
  const folder = values.frames ?? '.';
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, `${names.join('.')}.jsonl`), frames.join('\n'));
}

/** Replaces the results of the programs that were run, and writes the table. */
async function record(): Promise<void> {
  const file = join(root, 'packages/sdk-compat/programs.json');
  const page = join(root, 'packages/sdk-compat/README.md');
  const before = existsSync(file) ? (JSON.parse(await readFile(file, 'utf8')) as readonly ProgramResult[]) : [];
  const known = new Map([...before, ...results].map((each) => [each.name, each]));
  const all = programs.flatMap(({ name }) => known.get(name) ?? []);
  await writeFile(file, JSON.stringify(all));
  await runNode([tool.oxfmt, file]);
  await writeFile(page, withPrograms(await readFile(page, 'utf8'), all));
}
