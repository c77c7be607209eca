import { readFile } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';

/** Whether a process runs. One that has ended and was not waited for does not. */
export async function isRunning(pid: number): Promise<boolean> {
  // Read before it is asked whether the process exists: one whose parent waits for it in between would seem to exist unread.
  const state = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => undefined);
  if (state !== undefined) return !/\) [ZX] /.test(state);
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

/** Resolves with true as soon as a process is gone, with false when so many milliseconds have passed. */
export async function isGoneWithin(pid: number, milliseconds: number): Promise<boolean> {
  const end = performance.now() + milliseconds;
  while (await isRunning(pid)) {
    if (performance.now() >= end) return false;
    await delay(20);
  }
  return true;
}
