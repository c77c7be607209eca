import { type ChildProcess, spawn } from 'node:child_process';
import { CommandGuardian } from './command-guardian.ts';

/** Milliseconds between asking a group to end and ending it. */
const grace = 2_000;

const running = new Set<ChildProcess>();
const guardian = new CommandGuardian();
let isWatching = false;

/** Sees to it that a child and its process group end with this process. Until it has ended, that is; call what this returns then. */
export function ownGroup(child: ChildProcess): () => void {
  if (!isWatching) {
    isWatching = true;
    process.on('exit', () => {
      for (const left of running) signalGroup(left, 'SIGKILL');
    });
  }
  const tell = (): void => guardian.watch([...running].flatMap(({ pid }) => pid ?? []));
  running.add(child);
  tell();
  return () => {
    if (running.delete(child)) tell();
  };
}

/** Asks the leader's group to end, and ends it if its leader is still there two seconds later. */
export function stopGroup(leader: ChildProcess): void {
  signalGroup(leader, 'SIGTERM');
  const harder = setTimeout(() => signalGroup(leader, 'SIGKILL'), grace);
  leader.once('exit', () => clearTimeout(harder));
}

export function signalGroup(leader: ChildProcess, signal: NodeJS.Signals): void {
  if (leader.pid === undefined) return;
  if (process.platform === 'win32')
    spawn('taskkill', ['/pid', String(leader.pid), '/t', '/f'], { stdio: 'ignore', windowsHide: true });
  else killGroup(leader.pid, signal);
}

function killGroup(leader: number, signal: NodeJS.Signals): void {
  try {
    process.kill(-leader, signal);
  } catch {
    // The group is gone already.
  }
}
