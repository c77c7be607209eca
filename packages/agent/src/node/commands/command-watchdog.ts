import { type ChildProcess, spawn } from 'node:child_process';

/**
 * A shell that holds the other end of a pipe. When the pipe closes, this process has ended, even by SIGKILL, and the shell ends the process
 * groups that were sent last: with SIGTERM, a second later with SIGKILL. It costs about 1 MB and 1 ms, once. There is none on Windows or
 * without `/bin/sh`; commands then outlive a killed process.
 */
export class CommandWatchdog {
  #child: ChildProcess | undefined;

  /** Replaces the process groups that are to be ended. */
  watch(leaders: readonly number[]): void {
    if (process.platform === 'win32') return;
    if (!isAlive(this.#child)) this.#child = start();
    this.#child?.stdin?.write(`${leaders.map((leader) => `-${leader}`).join(' ')}\n`);
  }
}

const script = `
trap '' HUP INT TERM
groups=
while IFS= read -r line; do groups=$line; done
[ -n "$groups" ] || exit 0
kill -s TERM -- $groups
sleep 1
kill -s KILL -- $groups`;

function start(): ChildProcess {
  const child = spawn('/bin/sh', ['-c', script, 'turnwire-commands'], {
    // Detached from the terminal's signals, in a folder that is never removed.
    detached: true,
    cwd: '/',
    env: { PATH: `/usr/bin:/bin:${process.env['PATH'] ?? ''}` },
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  child.on('error', ignore);
  child.stdin.on('error', ignore);
  // It must not keep this process from ending.
  child.unref();
  (child.stdin as typeof child.stdin & { unref?: () => void }).unref?.();
  return child;
}

function isAlive(child: ChildProcess | undefined): boolean {
  return child?.pid !== undefined && child.exitCode === null && child.signalCode === null;
}

function ignore(): void {
  // See the class.
}
