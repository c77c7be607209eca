import { type ChildProcess, spawn } from 'node:child_process';
import { win32 } from 'node:path';
import { CommandWatchdog } from './command-watchdog.ts';

/** Milliseconds between SIGTERM and SIGKILL. */
const grace = 2_000;

const running = new Set<ChildProcess>();
const watchdog = new CommandWatchdog();
let isWatching = false;

/** A child process and all processes it starts. */
export interface ProcessGroup {
  /** Sends SIGTERM to the group, and SIGKILL two seconds later. Resolves when the child has ended. */
  stop(): Promise<void>;
}

/**
 * Starts the watchdog in advance, so that a group whose agent is killed right after the start is only one write away from being watched.
 */
export function expectGroup(): void {
  watchExit();
  updateWatchdog();
}

/**
 * Ensures that a child's process group ends with the child, and with this process, even if this process is killed, where there is a
 * `/bin/sh`. Processes that created their own group are not found. On Windows it is the tree of the child's processes.
 * @param leader just started with `detached: true`, so that it leads its own group; not `detached` on Windows
 */
export function ownGroup(leader: ChildProcess): ProcessGroup {
  watchExit();
  running.add(leader);
  updateWatchdog();
  leader.once('exit', () => {
    signalGroup(leader, 'SIGKILL');
    disown(leader);
  });
  leader.once('error', () => {
    if (leader.pid === undefined) disown(leader);
  });
  return { stop: () => stop(leader) };
}

function watchExit(): void {
  if (isWatching) return;
  isWatching = true;
  process.on('exit', () => {
    for (const left of running) signalGroup(left, 'SIGKILL');
  });
}

function disown(leader: ChildProcess): void {
  running.delete(leader);
  updateWatchdog();
}

function updateWatchdog(): void {
  watchdog.watch([...running].flatMap(({ pid }) => pid ?? []));
}

async function stop(leader: ChildProcess): Promise<void> {
  if (leader.pid === undefined || leader.exitCode !== null || leader.signalCode !== null) return;
  const exited = new Promise<void>((resolve) => leader.once('exit', () => resolve()));
  signalGroup(leader, 'SIGTERM');
  const harder = setTimeout(() => signalGroup(leader, 'SIGKILL'), grace);
  await exited;
  clearTimeout(harder);
}

/** By its path: Windows searches for a name in the working folder first, where anyone may have put a file. */
const taskkill = win32.join(process.env['SystemRoot'] ?? 'C:\\Windows', 'System32', 'taskkill.exe');

function signalGroup(leader: ChildProcess, signal: NodeJS.Signals): void {
  if (leader.pid === undefined) return;
  if (process.platform === 'win32')
    spawn(taskkill, ['/pid', String(leader.pid), '/t', '/f'], { stdio: 'ignore', windowsHide: true });
  else killGroup(leader.pid, signal);
}

function killGroup(leader: number, signal: NodeJS.Signals): void {
  try {
    process.kill(-leader, signal);
  } catch {
    // The group is gone already.
  }
}
