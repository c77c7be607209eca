import { existsSync, readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';

/** Whether a process is there. What has ended and was not waited for counts as ended: not every machine's first process waits. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return !existsSync('/proc/self/stat') || !/\) [ZX] /u.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return false;
  }
}

/** Waits until processes have ended. */
export async function untilEnded(...pids: readonly number[]): Promise<void> {
  while (pids.some(isAlive)) await delay(10);
}

/** The process id a command writes into a file, once it is there. */
export async function pidIn(path: string): Promise<number> {
  for (;;) {
    const text = await readFile(path, 'utf8').catch(() => '');
    if (text.endsWith('\n')) return Number(text);
    await delay(5);
  }
}
