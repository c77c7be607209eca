import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { setTimeout as delay } from 'node:timers/promises';

const grace = 2000;
const running = new Set<ChildProcess>();

// The last thing this process does: nothing it started outlives it.
process.on('exit', () => {
  for (const child of running) signalTree(child, 'SIGKILL');
});

/** Watches over a child that leads its own process group: its tree is stopped when this process exits before it. */
export function ownTree(child: ChildProcess): void {
  running.add(child);
  for (const end of ['close', 'error']) child.once(end, () => running.delete(child));
}

/** Asks the whole tree to end and, after two seconds, ends it. Resolves when the leader is gone. */
export async function stopTree(child: ChildProcess): Promise<void> {
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  if (child.exitCode === null && child.signalCode === null) {
    signalTree(child, 'SIGTERM');
    const patience = new AbortController();
    await Promise.race([ended, delay(grace, undefined, { signal: patience.signal }).catch(() => undefined)]);
    patience.abort();
  }
  signalTree(child, 'SIGKILL');
}

function signalTree(child: ChildProcess, signal: NodeJS.Signals): void {
  if (child.pid === undefined) return;
  if (process.platform === 'win32') spawn('taskkill', ['/pid', String(child.pid), '/t', '/f'], { stdio: 'ignore' });
  else killGroup(child.pid, signal);
}

function killGroup(leader: number, signal: NodeJS.Signals): void {
  try {
    process.kill(-leader, signal);
  } catch {
    // The group is gone already.
  }
}
