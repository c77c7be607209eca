import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { watchdogCommand } from '../../src/processes/watchdog.ts';
import { markVariable } from '../../src/processes/launch-mark.ts';
import { procTable } from '../../src/processes/process-table.ts';
import { isAlive } from '../../../transports/test/process-life.ts';

const isLinux = process.platform === 'linux';
const columns = 'pid=,ppid=,pgid=,state=,command=';
const ps = isLinux ? ['ps', 'axeww', '-o', columns] : ['ps', '-A', '-E', '-ww', '-o', columns];
const searches: readonly (readonly [string, readonly string[]])[] = [
  ['ps', ps],
  ...(isLinux ? [['/proc', []] as const] : []),
];

const left: ChildProcess[] = [];
afterAll(() => {
  for (const child of left.splice(0)) child.kill('SIGKILL');
});

const idle = 'process.on("SIGTERM", () => {}); console.log("up"); setInterval(() => {}, 1000)';

async function stubborn(env: Readonly<Record<string, string>>): Promise<number> {
  const child = spawn(process.execPath, ['-e', idle], { detached: true, env, stdio: ['ignore', 'pipe', 'ignore'] });
  left.push(child);
  await once(child.stdout, 'data');
  return child.pid as number;
}

/** Runs a watchdog that reads these lines until its input ends, and that searches for programs in this folder first. Resolves with its exit code. */
async function guarded(search: readonly string[], lines: readonly string[], programs = ''): Promise<unknown> {
  const [program, ...args] = watchdogCommand(search);
  const env = { PATH: `${programs}:${process.env['PATH']}` };
  const watchdog = spawn(program, args, { env, stdio: ['pipe', 'ignore', 'ignore'] });
  watchdog.stdin.end(lines.map((line) => `${line}\n`).join(''));
  return (await once(watchdog, 'exit'))[0];
}

test.concurrent.each(searches)('only processes with the mark are ended (%s)', async (name, search) => {
  const mark = `0123456789-${process.pid}-${name.length}/`;
  const marked = await stubborn({ [markVariable]: `outer/1/:${mark}7/` });
  const other = await stubborn({ [markVariable]: 'another/7/' });
  await guarded(search, [mark, '']);
  expect([marked, other].map(isAlive)).toEqual([false, true]);
});

test.concurrent.each(searches)('a watchdog that receives `done` ends no process (%s)', async (name, search) => {
  const mark = `9876543210-${process.pid}-${name.length}/`;
  const marked = await stubborn({ [markVariable]: `${mark}7/` });
  const code = await guarded(search, [mark, '', 'done']);
  expect({ code, alive: isAlive(marked) }).toEqual({ code: 0, alive: true });
});

test.runIf(isLinux).concurrent('the session of a leader is ended, unless the pid was reused', async () => {
  const [ours, another] = [await stubborn({}), await stubborn({})];
  const start = (pid: number): number => procTable.startOf(pid);
  await guarded([], ['nobody carries this/', `${another}:${start(another) - 1} ${ours}:${start(ours)}`]);
  expect([ours, another].map(isAlive)).toEqual([false, true]);
});

test.concurrent('a failing search does not count as an empty result', async () => {
  const programs = await mkdtemp(join(tmpdir(), 'turnwire-watchdog-'));
  const awk = '#!/bin/sh\n[ -e "$0.was-run" ] && PATH=${PATH#*:} exec awk "$@"\n: > "$0.was-run"\nexit 2\n';
  await writeFile(join(programs, 'awk'), awk, { mode: 0o755 });
  const mark = `1357924680-${process.pid}/`;
  const marked = await stubborn({ [markVariable]: `${mark}7/` });
  await guarded(isLinux ? [] : ps, [mark, ''], programs);
  await rm(programs, { recursive: true });
  expect(isAlive(marked)).toBe(false);
});
