import { type ChildProcess, spawn } from 'node:child_process';

/**
 * A shell that holds the other end of a pipe. When the pipe closes, this process is gone, even by SIGKILL, and the shell ends the
 * process groups it was told of last: with SIGTERM, a second later with SIGKILL. About 1 MB and 1 ms, once. There is none on
 * Windows, nor without `/bin/sh`; we are then as well off as before.
 */
export class CommandWatchdog {
  #child: ChildProcess | undefined;

  /** These process groups are to be ended from now on, and no others. */
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
    // Away from the terminal's signals, in a folder nobody wants to remove.
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
