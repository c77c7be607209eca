import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';

/** A process, told apart from a later one that was given the same number. */
export interface ProcessIdentity {
  readonly pid: number;
  /** When it started, in a form only this machine understands; empty if that cannot be known. */
  readonly started: string;
}

let own: Promise<ProcessIdentity> | undefined;

/** This process. */
export function ownIdentity(): Promise<ProcessIdentity> {
  own ??= startOf(process.pid).then((started) => ({ pid: process.pid, started: started ?? '' }));
  return own;
}

/** True if this very process still runs. In doubt it does. */
export async function isAlive({ pid, started }: ProcessIdentity): Promise<boolean> {
  if (!exists(pid)) return false;
  const now = await startOf(pid);
  if (now === ended) return false;
  return started === '' || now === undefined || now === started;
}

function exists(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // Of another user's process we learn only that it is there.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** In place of a beginning: the process has ended, and its parent has not asked how. Some never do, as in many containers. */
const ended = 'ended';

/** When a process started; undefined if that cannot be known. */
async function startOf(pid: number): Promise<string | undefined> {
  try {
    if (process.platform === 'linux') return await linuxStart(pid);
    if (process.platform === 'win32') return undefined;
    const { stdout } = await promisify(execFile)('ps', ['-o', 'stat=,lstart=', '-p', String(pid)]);
    const [, state = '', started] = /^(\S+)\s+(.+)$/.exec(stdout.trim()) ?? [];
    return state.startsWith('Z') ? ended : started;
  } catch {
    return undefined;
  }
}

/** Clock ticks since the machine booted, and which boot that was. */
async function linuxStart(pid: number): Promise<string> {
  const [stat, boot] = await Promise.all([
    readFile(`/proc/${pid}/stat`, 'utf8'),
    readFile('/proc/sys/kernel/random/boot_id', 'utf8'),
  ]);
  // The program's name comes second, in parentheses, and may hold anything.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return fields[0] === 'Z' || fields[0] === 'X' ? ended : `${boot.trim()} ${fields[19]}`;
}
