import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Stopped } from '../../verdict/stopped.ts';

/** A command that lasts, and tells who it is. */
export interface SlowCommand {
  readonly words: string;
  /** Its process id, once it runs; undefined if it does not within a time in milliseconds. */
  pid(within: number): Promise<number | undefined>;
}

/** Puts a command that lasts a minute into a folder. */
export async function slowCommand(folder: string): Promise<SlowCommand> {
  if (process.platform === 'win32') throw new Stopped('commands are not watched on Windows');
  const told = join(folder, 'slow.pid');
  await writeFile(join(folder, 'slow.sh'), 'echo $$ > slow.pid\nexec sleep 60\n');
  return {
    words: 'sh slow.sh',
    pid: async (within) => {
      const until = performance.now() + within;
      while (performance.now() < until) {
        const text = await readFile(told, 'utf8').catch(() => '');
        if (text.endsWith('\n')) return Number(text);
        await delay(20);
      }
      return undefined;
    },
  };
}

/** Whether a process runs. One that has ended and was not waited for does not. */
export async function isRunning(pid: number): Promise<boolean> {
  try {
    process.kill(pid, 0);
  } catch {
    return false;
  }
  const state = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  return !/\) [ZX] /.test(state);
}
