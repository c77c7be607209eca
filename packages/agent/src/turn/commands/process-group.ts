import { type ChildProcess, spawn } from 'node:child_process';
import { win32 } from 'node:path';
import { CommandWatchdog } from './command-watchdog.ts';

/** Milliseconds between asking a group to end and ending it. */
const grace = 2_000;

const running = new Set<ChildProcess>();
const watchdog = new CommandWatchdog();
let isWatching = false;

/** A child process and whatever it starts. */
export interface ProcessGroup {
  /** Asks all of it to end (SIGTERM), and ends it two seconds later (SIGKILL). Resolves when the child is gone. */
  stop(): Promise<void>;
}

/** Starts what ends groups, so that a group whose agent is killed at that very moment waits for a write and not for a start. */
export function expectGroup(): void {
  watchExit();
  tellWatchdog();
}

/**
 * Sees to it that a child's process group ends with the child, and with this process, even one that is killed where there is a `/bin/sh`.
 * What made a process group of its own is not found. On Windows it is the tree of the child's processes.
 * @param leader just started with `detached: true`, so that it leads a group of its own; not `detached` on Windows
 */
export function ownGroup(leader: ChildProcess): ProcessGroup {
  watchExit();
  running.add(leader);
  tellWatchdog();
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
  tellWatchdog();
}

function tellWatchdog(): void {
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

/** By its path: Windows looks for a name in the working folder first, and what is there may be anybody's. */
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
