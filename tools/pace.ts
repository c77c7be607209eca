import { spawnSync } from 'node:child_process';
import { availableParallelism, loadavg } from 'node:os';

/** What {@link measurePace} measures takes so long on a machine that has nothing else to do, in milliseconds. */
const unhurried = 60;

/** Where the processes of a run find its pace. */
const variable = 'TURNWIRE_TEST_PACE';

/** Measures once for a run how many times slower than usual this machine starts a process. */
export function measurePace(): void {
  const began = performance.now();
  spawnSync(process.execPath, ['-e', '0'], { stdio: 'ignore' });
  process.env[variable] = String((performance.now() - began) / unhurried);
}

/**
 * How long a test may wait for what takes so long on an idle machine. Tests run beside each other, on machines that have more to do:
 * the limit grows with how slow this one was when the run began, and with what waits for its processors now.
 * @param milliseconds on an idle machine
 * @returns milliseconds: twice to twenty times as many
 */
export function within(milliseconds: number): number {
  const measured = Math.max(1, Number(process.env[variable] ?? 1));
  const waiting = Math.max(1, (loadavg()[0] ?? 0) / availableParallelism());
  return Math.round(milliseconds * Math.min(20, Math.max(2, measured, waiting)));
}
