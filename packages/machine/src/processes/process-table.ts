import { spawnSync } from 'node:child_process';
import { closeSync, existsSync, openSync, readdirSync, readFileSync, readSync } from 'node:fs';

/** A running process; zombies are left out. */
export interface ProcessRow {
  readonly pid: number;
  readonly parent: number;
  readonly group: number;
  /** The session, or the process group where sessions are not reported. */
  readonly session: number;
  /** Start time: clock ticks since the boot, or seconds since 1970. Together with the pid it identifies the process. */
  readonly start: number;
  /** True if its initial environment contains this text. */
  carries(text: string): boolean;
}

/** A source of processes. */
export interface ProcessTable {
  /** The greatest difference between two readings of the same start time. */
  readonly tolerance: number;
  /** The start time of a process that was started just now. */
  startOf(pid: number): number;
  rows(): readonly ProcessRow[];
  /** Checks a single process, which is much cheaper than reading all. */
  isRunning(row: ProcessRow): boolean;
}

/** The process table of this system; undefined on Windows. */
export function systemTable(): ProcessTable | undefined {
  if (process.platform === 'win32') return undefined;
  return existsSync('/proc/self/stat') ? procTable : psTable(psCommand());
}

/** Linux: files, read in about 12 µs each. */
export const procTable: ProcessTable = {
  tolerance: 0,
  startOf: (pid) => procRow(String(pid))?.start ?? 0,
  rows: () =>
    readdirSync('/proc')
      .filter((entry) => /^\d+$/.test(entry))
      .flatMap((entry) => procRow(entry) ?? []),
  isRunning: ({ pid, start }) => procRow(String(pid))?.start === start,
};

/** macOS and the BSDs: one run of `ps`, which appends the environment to the command. */
export function psTable([program, ...args]: readonly [string, ...string[]]): ProcessTable {
  return {
    tolerance: 2,
    startOf: () => Math.floor(Date.now() / 1000),
    rows: () => {
      const env = { ...process.env, LC_ALL: 'C' };
      const { stdout } = spawnSync(program, args, { encoding: 'utf8', env, maxBuffer: 256 * 1024 * 1024 });
      return (stdout ?? '').split('\n').flatMap((line) => psRow(line) ?? []);
    },
    isRunning: ({ pid }) => exists(pid),
  };
}

/**
 * The `ps` that prints {@link psColumns} of all processes, with their environments. By its path: a name might resolve to a file in the
 * folder.
 */
export function psCommand(): readonly [string, ...string[]] {
  return ['/bin/ps', '-A', process.platform === 'darwin' ? '-E' : '-e', '-ww', '-o', psColumns];
}

export const psColumns = 'pid=,ppid=,pgid=,state=,lstart=,command=';

function procRow(pid: string): ProcessRow | undefined {
  try {
    // The name in parentheses may contain anything, parentheses included.
    const stat = firstOf(`/proc/${pid}/stat`);
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    if (fields[0] === 'Z' || fields[0] === 'X') return undefined;
    const [parent = 0, group = 0, session = 0] = fields.slice(1, 4).map(Number);
    let environment: string | undefined;
    const carries = (text: string): boolean => (environment ??= environmentOf(pid)).includes(text);
    return { pid: Number(pid), parent, group, session, start: Number(fields[19]), carries };
  } catch {
    return undefined;
  }
}

/** Longer than the line about a process, which has a few hundred bytes. */
const line = Buffer.alloc(4096);

/** The start of a file. Reading to the end would cost twice as much, because the end of a file in `/proc` is found by one more read. */
function firstOf(path: string): string {
  const file = openSync(path, 'r');
  try {
    return line.toString('latin1', 0, readSync(file, line, 0, line.length, 0));
  } finally {
    closeSync(file);
  }
}

function environmentOf(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/environ`, 'latin1');
  } catch {
    return '';
  }
}

const psLine = /^\s*(\d+)\s+(\d+)\s+(\d+)\s+(\S+)\s+(\w{3} \w{3} [ \d]\d \d\d:\d\d:\d\d \d{4})\s(.*)$/;

function psRow(line: string): ProcessRow | undefined {
  const [, pid, parent, group, state = 'Z', started = '', command = ''] = psLine.exec(line) ?? [];
  if (state.startsWith('Z')) return undefined;
  return {
    pid: Number(pid),
    parent: Number(parent),
    group: Number(group),
    session: Number(group),
    start: Date.parse(started) / 1000,
    carries: (text) => command.includes(text),
  };
}

/** True for a zombie too. */
function exists(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
