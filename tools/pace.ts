import { spawnSync } from 'node:child_process';
import { availableParallelism, loadavg } from 'node:os';

/** How long the start of a Node process takes on an idle machine, in milliseconds. */
const idleStart = 60;

/** The processes of a run read its pace from this variable. */
const variable = 'TURNWIRE_TEST_PACE';

/** Measures once per run how many times slower than an idle machine this one starts a process. */
export function measurePace(): void {
  const began = performance.now();
  spawnSync(process.execPath, ['-e', '0'], { stdio: 'ignore' });
  process.env[variable] = String((performance.now() - began) / idleStart);
}

/**
 * The time limit of a test. Tests run at the same time, on busy machines, so the limit grows with the slowness of this machine when the
 * run began, and with its current load.
 * @param milliseconds the limit on an idle machine
 * @returns milliseconds: two to twenty times as many
 */
export function within(milliseconds: number): number {
  const measured = Math.max(1, Number(process.env[variable] ?? 1));
  const waiting = Math.max(1, (loadavg()[0] ?? 0) / availableParallelism());
  return Math.round(milliseconds * Math.min(20, Math.max(2, measured, waiting)));
}
