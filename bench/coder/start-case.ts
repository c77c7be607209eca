import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { spawnAgent, stop } from '../wire/connection.ts';
import { median } from '../wire/median.ts';

const starts = 5;

const pathTo = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

type Agent = 'floor' | 'coder' | 'turnwire coder';

const commands: Readonly<Record<Agent, readonly string[]>> = {
  floor: [pathTo('../wire/agent-process.js'), 'floor'],
  coder: [pathTo('../../../apps/coder/dist/main.js')],
  'turnwire coder': [pathTo('../../../apps/cli/bin/turnwire.js'), 'coder'],
};

/** From the start of an agent's process to its answer to `initialize`. The client is warm; each agent is a fresh process. */
export async function timeInitialize(name: Agent): Promise<number> {
  return medianOfStarts(async () => {
    const start = performance.now();
    const { client, child } = await spawnAgent('turnwire', () => undefined, commands[name]);
    await client.initialize();
    const elapsed = performance.now() - start;
    await stop(child);
    return elapsed;
  });
}

/** From the start to the end of a Node process that does nothing. */
export async function timeNode(): Promise<number> {
  return medianOfStarts(async () => {
    const start = performance.now();
    await once(spawn(process.execPath, ['-e', '0'], { stdio: 'ignore' }), 'exit');
    return performance.now() - start;
  });
}

async function medianOfStarts(time: () => Promise<number>): Promise<number> {
  const times: number[] = [];
  for (let start = 0; start <= starts; start++) times.push(await time());
  return median(times.slice(1));
}
