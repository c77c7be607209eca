// npm run real-agents -- [NAME …] [--step STEP …] [--frames FOLDER]: drives real agents through full turns with the built command.
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { type RealAgent, realAgents } from './agents.ts';
import { install } from './install.ts';
import { type Findings, type Step, steps } from './steps.ts';
import { Stage } from './stage.ts';

const { values, positionals } = parseArgs({
  options: { step: { type: 'string', multiple: true, default: [] }, frames: { type: 'string' } },
  allowPositionals: true,
});
const agents = chosen(realAgents, positionals);
const chosenSteps = chosen(steps, values.step);

let failures = 0;
for (const agent of agents) failures += await runAgent(agent);
console.log(failures === 0 ? '\nAll ok.' : `\n${failures} failed.`);
process.exitCode = failures === 0 ? 0 : 1;

/** Runs every step with one agent and prints a line for each. Resolves with how many failed. */
async function runAgent(agent: RealAgent): Promise<number> {
  console.log(`\n${agent.name}: ${agent.packages.join(', ')}`);
  const installed = await install(agent);
  await using stage = await Stage.prepare(agent, installed);
  let failed = 0;
  for (const step of chosenSteps) {
    const started = Date.now();
    const findings = await runStep(step, stage);
    if (findings.failures.length > 0) failed += 1;
    print(step, findings, Date.now() - started);
    await keepFrames(stage, step);
  }
  return failed;
}

async function runStep(step: Step, stage: Stage): Promise<Findings> {
  try {
    return await step.run(stage);
  } catch (error) {
    return { notes: [], failures: [error instanceof Error ? (error.stack ?? error.message) : String(error)] };
  }
}

function print({ name }: Step, { notes, failures }: Findings, took: number): void {
  const verdict = failures.length === 0 ? 'ok' : 'FAILED';
  console.log(`  ${name.padEnd(7)} ${verdict.padEnd(6)} ${String(took).padStart(6)} ms  ${notes.join(', ')}`);
  for (const failure of failures) console.log(`          - ${failure.replaceAll('\n', '\n            ')}`);
}

async function keepFrames(stage: Stage, { name }: Step): Promise<void> {
  if (values.frames === undefined) return;
  const folder = join(values.frames, stage.agent.name);
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, `${name}.frames.jsonl`), stage.takeOutput());
  const requests = stage.model.requests.splice(0).map((request) => JSON.stringify(request));
  await writeFile(join(folder, `${name}.model.jsonl`), `${requests.join('\n')}\n`);
}

function chosen<Item extends { readonly name: string }>(
  all: readonly Item[],
  names: readonly string[],
): readonly Item[] {
  const unknown = names.filter((name) => !all.some((each) => each.name === name));
  if (unknown.length > 0) {
    console.error(`There is no ${unknown.join(', ')}. There are: ${all.map(({ name }) => name).join(', ')}`);
    process.exit(2);
  }
  return names.length === 0 ? all : all.filter(({ name }) => names.includes(name));
}
