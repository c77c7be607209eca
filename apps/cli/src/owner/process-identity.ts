import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { hostname } from 'node:os';

/** Which process this is. A number alone is not enough: numbers are used again. */
export interface ProcessIdentity {
  readonly pid: number;
  readonly host: string;
  /** When it began, as the system writes it; absent where the system does not say. */
  readonly begun?: string;
}

/** The identity of this process. */
export async function ownIdentity(): Promise<ProcessIdentity> {
  const begun = await beginningOf(process.pid);
  return { pid: process.pid, host: hostname(), ...(begun !== undefined && { begun }) };
}

/** Whether a process of this machine still runs; undefined for one of another machine, which cannot be told from here. */
export async function isRunning({ pid, host, begun }: ProcessIdentity): Promise<boolean | undefined> {
  if (host !== hostname()) return undefined;
  if (!exists(pid)) return false;
  return begun === undefined || (await beginningOf(pid)) === begun;
}

function exists(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

async function beginningOf(pid: number): Promise<string | undefined> {
  if (process.platform === 'linux') return beginningOnLinux(pid);
  if (process.platform === 'win32') return undefined;
  return new Promise((resolve) =>
    execFile('ps', ['-o', 'lstart=', '-p', String(pid)], { env: { ...process.env, LC_ALL: 'C' } }, (error, stdout) =>
      resolve(error ? undefined : stdout.trim()),
    ),
  );
}

/** Ticks since the machine was started, and which start of the machine that was. */
async function beginningOnLinux(pid: number): Promise<string | undefined> {
  try {
    const [stat, boot] = await Promise.all([
      readFile(`/proc/${pid}/stat`, 'utf8'),
      readFile('/proc/sys/kernel/random/boot_id', 'utf8'),
    ]);
    // The second field is the name in brackets, which may hold spaces and brackets of its own.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    // A process that is dead and not yet collected holds nothing.
    return fields[0] === 'Z' ? undefined : `${fields[19]}@${boot.trim()}`;
  } catch {
    return undefined;
  }
}
