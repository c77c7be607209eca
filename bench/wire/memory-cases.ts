import type { Case, Sample, Setup } from '../case.ts';
import { spawnAgent, stop } from './connection.ts';
import type { ProgramName } from './contender.ts';
import { UpdateReader } from './update-reader.ts';

const sessions = 1_000;
const updatesPerTurn = 50_000;
const turns = 20;
/** Updates between two measurements of the memory. */
const lookEvery = 10_000;
const mebibyte = 2 ** 20;

export const memoryCases: readonly Case[] = [
  {
    name: 'memory-sessions',
    unit: 'MB',
    higherIsBetter: false,
    aim: { ratio: 1.5 },
    also: [{ name: 'memory-sessions-total', unit: 'MB', higherIsBetter: false }],
    nodeOptions: ['--expose-gc'],
    measure: measureSessions,
  },
  {
    name: 'memory-updates',
    unit: 'MB',
    higherIsBetter: false,
    aim: { ratio: 2 },
    also: [
      { name: 'memory-updates-total', unit: 'MB', higherIsBetter: false },
      { name: 'million-updates', unit: 's', higherIsBetter: false, aim: { ratio: 1.1 } },
    ],
    measure: measureMemory,
  },
];

/** The memory growth of the client's process after it opened idle sessions. */
async function measureSessions({ contender }: Setup): Promise<Sample> {
  const { client, child } = await spawnAgent(contender, () => undefined);
  await client.initialize();
  const open = [await client.newSession()];
  const before = residentAfterCollection();
  while (open.length <= sessions) open.push(await client.newSession());
  const after = residentAfterCollection();
  await stop(child);
  if (new Set(open).size !== sessions + 1) throw new Error('two sessions share an id');
  return { figures: { 'memory-sessions': (after - before) / mebibyte, 'memory-sessions-total': after / mebibyte } };
}

/** The largest memory growth of the client's process during a million updates, and their duration. */
export async function measureMemory({ contender }: Setup<ProgramName>): Promise<Sample> {
  const reader = new UpdateReader('small-update', updatesPerTurn);
  let highest = 0;
  let count = 0;
  const { client, child } = await spawnAgent(contender, (update) => {
    reader.onUpdate(update);
    if (++count % lookEvery === 0) highest = Math.max(highest, process.memoryUsage.rss());
  });
  await client.initialize();
  const sessionId = await client.newSession();
  const before = process.memoryUsage.rss();
  highest = before;
  const start = performance.now();
  for (let turn = 0; turn < turns; turn++) await reader.turn(client, sessionId);
  const elapsed = performance.now() - start;
  await stop(child);
  return {
    figures: {
      'memory-updates': (highest - before) / mebibyte,
      'memory-updates-total': highest / mebibyte,
      'million-updates': elapsed / 1000,
    },
  };
}

/** Resident memory of this process after garbage collection, in bytes. Needs `--expose-gc`. */
export function residentAfterCollection(): number {
  for (let pass = 0; pass < 3; pass++) globalThis.gc?.();
  return process.memoryUsage.rss();
}
