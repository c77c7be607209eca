import { readdir, readFile, readlink } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';

/** A process that still runs. */
export interface Survivor {
  readonly pid: number;
  readonly command: string;
}

/** Finds the processes whose environment contains a text; every descendant inherits it. Needs `/proc`; elsewhere nothing is found. */
export async function processesWith(mark: string): Promise<readonly Survivor[]> {
  const entries = await readdir('/proc').catch(() => []);
  const pids = entries.filter((entry) => /^\d+$/.test(entry)).map(Number);
  const found = await Promise.all(pids.map((pid) => survivor(pid, mark)));
  return found.filter((each) => each !== undefined);
}

/** Waits until no process has the mark. Resolves with those that are left after the limit in milliseconds. */
export async function waitUntilGone(mark: string, limit: number): Promise<readonly Survivor[]> {
  const end = Date.now() + limit;
  let left = await processesWith(mark);
  while (left.length > 0 && Date.now() < end) {
    await delay(50);
    left = await processesWith(mark);
  }
  return left;
}

/** Kills leftover processes, so that one failure does not cause the next. */
export function kill(survivors: readonly Survivor[]): void {
  for (const { pid } of survivors) {
    try {
      process.kill(pid, 'SIGKILL');
    } catch {
      // It has already exited.
    }
  }
}

async function survivor(pid: number, mark: string): Promise<Survivor | undefined> {
  try {
    if (pid === process.pid || !(await readFile(`/proc/${pid}/environ`, 'utf8')).includes(mark)) return undefined;
    const words = (await readFile(`/proc/${pid}/cmdline`, 'utf8')).replaceAll('\0', ' ').trim();
    return { pid, command: words === '' ? await readlink(`/proc/${pid}/exe`) : words };
  } catch {
    // It exited in the meantime, or belongs to another user.
    return undefined;
  }
}
