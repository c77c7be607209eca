import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { promisify } from 'node:util';
import { codeOf } from './system-reason.ts';

/** Identifies a process. A number alone is not enough: numbers are reused. */
export interface ProcessIdentity {
  readonly pid: number;
  /** The machine it runs on. */
  readonly host: string;
  /** When it started, as the system writes it; absent where the system does not report it. */
  readonly begun?: string;
}

let own: Promise<ProcessIdentity> | undefined;

/** The identity of this process. */
export function ownIdentity(): Promise<ProcessIdentity> {
  own ??= startTimeOf(process.pid).then((begun) => ({
    pid: process.pid,
    host: hostname(),
    ...(begun !== undefined && { begun }),
  }));
  return own;
}

/**
 * Whether exactly this process still runs; if uncertain, true.
 * @returns undefined for a process of another machine, which cannot be checked from here
 */
export async function isRunning({ pid, host, begun }: ProcessIdentity): Promise<boolean | undefined> {
  if (host !== hostname()) return undefined;
  if (!exists(pid)) return false;
  const now = await startTimeOf(pid);
  if (now === undefined) return exists(pid);
  return now !== ended && (begun === undefined || now === begun);
}

/** The identity in a value read from a file; undefined for any other value. */
export function identityIn(value: unknown): ProcessIdentity | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const { pid, host = hostname(), begun } = value as Partial<Record<keyof ProcessIdentity, unknown>>;
  // 0 and negative numbers name process groups, which always exist.
  if (typeof pid !== 'number' || !Number.isSafeInteger(pid) || pid <= 0 || typeof host !== 'string') return undefined;
  return { pid, host, ...(typeof begun === 'string' && { begun }) };
}

function exists(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    // A process of another user exists but cannot be signalled.
    return codeOf(error) === 'EPERM';
  }
}

/**
 * Used as the start time of a zombie: a process that has ended, but whose parent has not read its exit status. Some parents never do, as in many
 * containers.
 */
const ended = 'ended';

async function startTimeOf(pid: number): Promise<string | undefined> {
  try {
    if (process.platform === 'linux') {
      // Clock ticks since boot, and the id of that boot.
      const [stat, boot] = await Promise.all([
        readFile(`/proc/${pid}/stat`, 'utf8'),
        readFile('/proc/sys/kernel/random/boot_id', 'utf8'),
      ]);
      // The second field is the name in parentheses, which may itself contain spaces and parentheses.
      const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
      return fields[0] === 'Z' || fields[0] === 'X' ? ended : `${fields[19]}@${boot.trim()}`;
    }
    if (process.platform === 'win32') return undefined;
    const env = { ...process.env, LC_ALL: 'C' };
    const { stdout } = await promisify(execFile)('/bin/ps', ['-o', 'stat=,lstart=', '-p', String(pid)], { env });
    const [, state = '', begun] = /^(\S+)\s+(.+)$/.exec(stdout.trim()) ?? [];
    return state.startsWith('Z') ? ended : begun;
  } catch {
    return undefined;
  }
}
