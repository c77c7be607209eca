import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';

/** Whether a process exists. A zombie counts as ended, because the init process of some machines reaps none. */
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

/** Reads the process id that a command writes into a file, once it exists. */
export async function pidIn(path: string): Promise<number> {
  for (;;) {
    const text = await readFile(path, 'utf8').catch(() => '');
    if (text.endsWith('\n')) return Number(text);
    await delay(5);
  }
}

/** A process of this machine. */
export interface ProcessRow {
  readonly pid: number;
  readonly parent: number;
  /** Whether it is a zombie. */
  readonly hasEnded: boolean;
  /** Its command line, separated by spaces; empty for a zombie. */
  readonly command: string;
}

/** The processes of this machine. On Linux read from files, because starting `ps` takes five times as long. */
export function processRows(): readonly ProcessRow[] {
  if (existsSync('/proc/self/stat')) return readdirSync('/proc').filter(isNumber).flatMap(rowOf);
  return execFileSync('ps', ['-A', '-ww', '-o', 'pid=,ppid=,stat=,args='], { encoding: 'utf8', maxBuffer: 2 ** 26 })
    .split('\n')
    .flatMap((line) => {
      const [, pid, parent, state, command = ''] = /^\s*(\d+)\s+(\d+)\s+(\S+)\s+(.*)$/.exec(line) ?? [];
      if (state === undefined || command.startsWith('ps -A ')) return [];
      return { pid: Number(pid), parent: Number(parent), hasEnded: state.startsWith('Z'), command };
    });
}

const isNumber = (name: string): boolean => /^\d+$/.test(name);

function rowOf(pid: string): ProcessRow | readonly [] {
  try {
    // The name in parentheses may contain anything, including parentheses.
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    const [state, parent] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const hasEnded = state === 'Z' || state === 'X';
    const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').trimEnd();
    return { pid: Number(pid), parent: Number(parent), hasEnded, command };
  } catch {
    // The process has ended.
    return [];
  }
}
