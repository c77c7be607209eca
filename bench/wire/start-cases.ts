import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { Case } from '../case.ts';
import { spawnAgent, stop } from './connection.ts';
import type { ContenderName, ProgramName } from './contender.ts';
import { median } from '../median.ts';

const starts = 5;
const here = fileURLToPath(new URL('.', import.meta.url));

/** The imports of a client program. */
const imports: Readonly<Record<ContenderName, readonly string[]>> = {
  floor: ['node:child_process', 'node:stream'],
  official: ['node:child_process', 'node:stream', '@agentclientprotocol/sdk'],
  turnwire: ['node:child_process', 'node:stream', '@turnwire/protocol', '@turnwire/transports/stdio'],
};

/** The imports of a client with all features: starting agents, files, terminals, permissions, sessions. */
const wholeClient: readonly string[] = ['@turnwire/client'];

/** The built-in agent, as people run it. */
const coder = [fileURLToPath(new URL('../../../apps/cli/bin/turnwire.js', import.meta.url)), 'coder'];

const importing = { unit: 'ms', higherIsBetter: false, aim: { value: 20 } } as const;
const untilInitialized = { unit: 'ms', higherIsBetter: false } as const;

export const startCases: readonly Case[] = [
  {
    name: 'initialize',
    ...untilInitialized,
    aim: { ratio: 1.2 },
    measure: async ({ contender }) => ({ figures: { initialize: await timeInitialize(contender) } }),
  },
  {
    name: 'initialize-coder',
    ...untilInitialized,
    measure: async ({ contender }) => ({
      figures: { 'initialize-coder': await timeInitialize(contender, contender === 'turnwire' ? coder : undefined) },
    }),
  },
  {
    name: 'import',
    ...importing,
    measure: async ({ contender }) => ({ figures: { import: timeImport(imports[contender]) } }),
  },
  {
    name: 'import-client',
    ...importing,
    measure: async ({ contender }) => ({
      figures: { 'import-client': timeImport(contender === 'turnwire' ? wholeClient : imports[contender]) },
    }),
  },
];

/** The time from the start of an agent's process to its answer, in milliseconds. The client is warm; each agent is a new process. */
export async function timeInitialize(contender: ProgramName, agentCommand?: readonly string[]): Promise<number> {
  return medianOfStarts(async () => {
    const start = performance.now();
    const { client, child } = await spawnAgent(contender, () => undefined, agentCommand);
    await client.initialize();
    const elapsed = performance.now() - start;
    await stop(child);
    return elapsed;
  });
}

/** The median time of several starts, without the first one. */
export async function medianOfStarts(time: () => Promise<number>): Promise<number> {
  const times: number[] = [];
  for (let start = 0; start <= starts; start++) times.push(await time());
  return median(times.slice(1));
}

/** The time that a new process spends in imports, in milliseconds, after those that are not measured. */
export function timeImport(modules: readonly string[], before: readonly string[] = []): number {
  const load = (names: readonly string[]): string => names.map((name) => `await import('${name}');`).join('');
  const script = `${load(before)} const start = performance.now(); ${load(modules)} console.log(performance.now() - start);`;
  const run = (): number =>
    Number(execFileSync(process.execPath, ['--input-type=module', '-e', script], { cwd: here, encoding: 'utf8' }));
  return median(Array.from({ length: starts }, run));
}
