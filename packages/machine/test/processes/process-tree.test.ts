import { type ChildProcess, type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Readable, Writable } from 'node:stream';
import { afterEach, expect, test } from 'vitest';
import { freshMark, markValue, markVariable } from '../../src/processes/launch-mark.ts';
import { type ProcessTable, procTable, psColumns, psTable, psCommand } from '../../src/processes/process-table.ts';
import { ProcessTree } from '../../src/processes/process-tree.ts';
import { endWithLeader, startTree } from '../../src/index.ts';
import { isAlive, untilEnded } from '../../../transports/test/process-life.ts';

const isLinux = process.platform === 'linux';
const psHere = psTable(isLinux ? ['ps', 'axeww', '-o', psColumns] : psCommand());
const tables: readonly (readonly [string, ProcessTable])[] = [
  ['ps', psHere],
  ...(isLinux ? ([['/proc', procTable]] as const) : []),
];

const left: number[] = [];
afterEach(() => {
  for (const pid of left.splice(0)) if (isAlive(pid)) process.kill(pid, 'SIGKILL');
});

const idle = 'console.log(process.pid); setInterval(() => {}, 1000)';
/** Starts another process in a session of its own, and prints its pid after its own. */
const parent = (env: string, after: string): string =>
  `const c = require('child_process').spawn(process.execPath, ['-e', ${JSON.stringify(idle)}],
     { detached: true, stdio: ['ignore', 'pipe', 'ignore'], env: ${env} });
   c.stdout.once('data', (pid) => process.stdout.write(process.pid + ' ' + pid, () => { ${after} }));
   setInterval(() => {}, 1000);`;

interface Family {
  readonly child: ChildProcess;
  readonly tree: ProcessTree;
  readonly pids: readonly number[];
}

async function family(script: string, table: ProcessTable): Promise<Family> {
  const mark = freshMark();
  const env = { ...process.env, [markVariable]: markValue(mark) };
  const child = spawn(process.execPath, ['-e', script], {
    detached: true,
    env,
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const tree = new ProcessTree(child.pid as number, mark, table);
  const [line] = (await once(child.stdout, 'data')) as [Buffer];
  const pids = line.toString().trim().split(' ').map(Number);
  left.push(...pids);
  return { child, tree, pids };
}

test.each(tables)('a daemon that left its session and lost its parent is found by its mark (%s)', async (_, table) => {
  const { child, tree, pids } = await family(parent('process.env', 'process.exit()'), table);
  await once(child, 'exit');
  expect(tree.readMembers()).toEqual(pids.slice(1));
  await tree.end({ terminate: 5_000, kill: 5_000 });
  expect({ found: tree.readMembers(), alive: pids.filter(isAlive) }).toEqual({ found: [], alive: [] });
});

test.each(tables)(
  'a process with a cleared environment is found by its parent, and stays known (%s)',
  async (_, table) => {
    const { child, tree, pids } = await family(parent('{}', ''), table);
    const whileParentLives = tree.readMembers();
    child.kill('SIGKILL');
    await once(child, 'exit');
    expect([new Set(whileParentLives), tree.readMembers()]).toEqual([new Set(pids), pids.slice(1)]);
  },
);

test.each(tables)('a process that reused the pid of an ended leader is left alone (%s)', async (_, table) => {
  const { pids } = await family(idle, table);
  const earlier: ProcessTable = { ...table, startOf: () => table.startOf(pids[0] as number) - 100 };
  const tree = new ProcessTree(pids[0] as number, freshMark(), earlier);
  expect({ found: tree.readMembers(), signalled: tree.signal('SIGKILL'), alive: pids.map(isAlive) }).toEqual({
    found: [],
    signalled: false,
    alive: [true],
  });
});

test.skipIf(process.platform === 'win32')('the rest of a tree ends with its leader, including daemons', async () => {
  const script = `${parent('process.env', '')} process.stdin.once('end', () => process.exit()).resume();`;
  const rule = { file: process.execPath, args: ['-e', script], windowsVerbatimArguments: false };
  const started = await startTree<ChildProcessByStdio<Writable, Readable, null>>(rule, { cwd: '/', env: process.env }, [
    'pipe',
    'pipe',
    'ignore',
  ]);
  endWithLeader(started);
  const { child } = started;
  const [line] = (await once(child.stdout, 'data')) as [Buffer];
  const pids = line.toString().trim().split(' ').map(Number);
  left.push(...pids);
  expect(pids.map(isAlive)).toEqual([true, true]);
  child.stdin.end();
  await untilEnded(...pids);
});

test('a mark is not a prefix of another, and keeps the outer mark', () => {
  const [first, ...others] = Array.from({ length: 12 }, freshMark);
  expect(others.filter((mark) => mark.startsWith(first as string))).toEqual([]);
  expect([markValue('in/1/', 'out/1/'), markValue('in/1/', undefined)]).toEqual([
    'out/1/:in/1/',
    markValue('in/1/', process.env[markVariable]),
  ]);
});
