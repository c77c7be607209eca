import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { bundleProgram } from '../../../../tools/bundle-program.mjs';
import { within } from '../../../../tools/pace.ts';
import { isAlive, processRows } from '../../../transports/test/process-life.ts';

/** Starts a program in its own process that uses the library from its sources. */
export function fromSources(name: string, ...words: readonly string[]): ChildProcess {
  const file = fileURLToPath(new URL(`../fixtures/${name}`, import.meta.url));
  return spawn(process.execPath, [bundleProgram(file), ...words], { stdio: ['ignore', 'pipe', 'ignore'] });
}

/** The first line a process prints, as JSON. */
export async function firstLine(child: ChildProcess): Promise<unknown> {
  let printed = '';
  for await (const chunk of child.stdout ?? []) {
    printed += String(chunk);
    if (printed.includes('\n')) return JSON.parse(printed.slice(0, printed.indexOf('\n')));
  }
  throw new Error(`it ended without a line: ${printed}`);
}

/** Resolves when a process has ended. */
export async function gone(child: ChildProcess): Promise<void> {
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
}

/** The watchdogs that a process has started: at least one, which may be about to become a shell. */
export async function watchdogOf(pid: number): Promise<readonly number[]> {
  for (const deadline = Date.now() + within(20_000); ; await delay(20)) {
    const found = processRows().flatMap((row) =>
      row.parent === pid && row.command.includes('turnwire-watchdog') ? row.pid : [],
    );
    if (found.length > 0 || Date.now() > deadline) return found;
  }
}

/** The processes that do not exit within 20 seconds. They are then ended. */
export async function stillAlive(pids: readonly number[]): Promise<readonly number[]> {
  let alive = pids;
  for (const deadline = Date.now() + within(20_000); alive.length > 0 && Date.now() < deadline; await delay(50)) {
    alive = alive.filter(isAlive);
  }
  for (const pid of alive) process.kill(pid, 'SIGKILL');
  return alive;
}
