import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { packagesOf, type RealAgent, realAgents } from './agents.ts';
import { install } from './install.ts';
import { type MatrixRow, withRows } from './matrix.ts';
import { AgentFixture } from './agent-fixture.ts';
import { proxySteps } from './proxy-steps.ts';
import { type Findings, type Step, steps } from './steps.ts';

const { values, positionals } = parseArgs({
  options: {
    step: { type: 'string', multiple: true, default: [] },
    frames: { type: 'string' },
    protocol: { type: 'string' },
    through: { type: 'string' },
    record: { type: 'boolean', default: false },
  },
  allowPositionals: true,
});
const agents = chosen(realAgents, positionals);
const isThroughProxy = values.through === 'proxy';
if (values.through !== undefined && !isThroughProxy) refuse(`--through: ${values.through}; only proxy is possible`);
if (values.protocol !== undefined && !['1', '2'].includes(values.protocol)) refuse('--protocol: 1 or 2');
if (values.record && (isThroughProxy || values.protocol !== undefined))
  refuse('--record writes the results of the default version without a proxy');
const chosenSteps = chosen(isThroughProxy ? proxySteps : steps, values.step);

let current: AgentFixture | undefined;
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void interrupted());

const verdicts: string[][] = [];
for (const agent of agents) verdicts.push([agent.name, ...(await runAgent(agent))]);
printTable();
if (values.record) await record();
process.exitCode = verdicts.flat().includes('FAILED') ? 1 : 0;

/** Runs every step with one agent and prints a line for each. Resolves with the verdict of each step. */
async function runAgent(agent: RealAgent): Promise<readonly string[]> {
  console.log(`\n${agent.name}: ${packagesOf(agent).join(', ')}`);
  await using fixture = await AgentFixture.prepare(agent, await install(agent), values.protocol);
  current = fixture;
  const found: string[] = [];
  for (const step of chosenSteps) {
    const started = Date.now();
    const findings = await runStep(step, fixture);
    found.push(verdict(findings));
    print(step, findings, Date.now() - started);
    await keepFrames(fixture, step);
  }
  current = undefined;
  return found;
}

async function runStep(step: Step, fixture: AgentFixture): Promise<Findings> {
  try {
    return await step.run(fixture);
  } catch (error) {
    return { notes: [], failures: [error instanceof Error ? (error.stack ?? error.message) : String(error)] };
  }
}

function verdict({ failures, differs = [] }: Findings): string {
  if (failures.length > 0) return 'FAILED';
  return differs.length > 0 ? 'differs' : 'ok';
}

function print({ name }: Step, findings: Findings, took: number): void {
  const { notes, failures, differs = [] } = findings;
  console.log(`  ${name.padEnd(7)} ${verdict(findings).padEnd(7)} ${String(took).padStart(6)} ms  ${notes.join(', ')}`);
  for (const difference of differs) console.log(`          ~ ${difference}`);
  for (const failure of failures) console.log(`          - ${failure.replaceAll('\n', '\n            ')}`);
}

function printTable(): void {
  console.log('');
  for (const row of [['', ...chosenSteps.map(({ name }) => name)], ...verdicts]) {
    console.log(row.map((cell, column) => cell.padEnd(column === 0 ? 10 : 8)).join(' '));
  }
}

/** Writes the results into the page of known agents. */
async function record(): Promise<void> {
  const page = fileURLToPath(new URL('../../docs/known-agents.md', import.meta.url));
  const day = new Date().toISOString().slice(0, 10);
  const rows = agents.map((agent, index): MatrixRow => {
    const found = chosenSteps.map(({ name }, step): [string, string] => [name, verdicts[index]?.[step + 1] ?? '–']);
    return { name: agent.name, packages: packagesOf(agent), day, verdicts: Object.fromEntries(found) };
  });
  const names = steps.map(({ name }) => name);
  await writeFile(page, withRows(await readFile(page, 'utf8'), rows, names));
}

async function keepFrames(fixture: AgentFixture, { name }: Step): Promise<void> {
  if (values.frames === undefined) return;
  const folder = join(values.frames, fixture.agent.name);
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, `${name}.frames.jsonl`), fixture.takeOutput());
  for (const [picture, bytes] of fixture.pictures) await writeFile(join(folder, `${picture}.png`), bytes);
  fixture.pictures.clear();
  const requests = fixture.model.requests.splice(0).map((request) => JSON.stringify(request));
  await writeFile(join(folder, `${name}.model.jsonl`), `${requests.join('\n')}\n`);
}

function refuse(why: string): never {
  console.error(why);
  process.exit(2);
}

function chosen<Item extends { readonly name: string }>(
  all: readonly Item[],
  names: readonly string[],
): readonly Item[] {
  const unknown = names.filter((name) => !all.some((each) => each.name === name));
  if (unknown.length > 0) {
    console.error(`Unknown: ${unknown.join(', ')}. Known names are: ${all.map(({ name }) => name).join(', ')}`);
    process.exit(2);
  }
  return names.length === 0 ? all : all.filter(({ name }) => names.includes(name));
}

async function interrupted(): Promise<never> {
  await current?.[Symbol.asyncDispose]();
  process.exit(130);
}
