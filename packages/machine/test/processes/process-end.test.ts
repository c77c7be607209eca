import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import type { Readable } from 'node:stream';
import { describe, expect, test } from 'vitest';
import { endOf, OutputTail } from '../../src/index.ts';

type Command = ChildProcessByStdio<null, Readable, null>;

const started = (line: string): Command => spawn('/bin/sh', ['-c', line], { stdio: ['ignore', 'pipe', 'ignore'] });

/** The end of a command, and its output at that moment. */
async function ended(command: Command): Promise<unknown> {
  const tail = new OutputTail(1_000);
  command.stdout.on('data', tail.input());
  return { ...(await endOf(command, 50)), output: tail.text() };
}

describe.skipIf(process.platform === 'win32')('the end of a process', () => {
  test('is its exit code or signal, with all of its output', async () => {
    expect([await ended(started('echo said; exit 3')), await ended(started('echo said; kill -9 $$'))]).toEqual([
      { code: 3, signal: null, output: 'said\n' },
      { code: null, signal: 'SIGKILL', output: 'said\n' },
    ]);
  });

  test('is reported although another process keeps the output open', async () => {
    const command = started('echo said; sleep 5 & exit 3');
    const end = await ended(command);
    command.stdout.destroy();
    expect(end).toEqual({ code: 3, signal: null, output: 'said\n' });
  });

  // The order of events with busy processes: while data of one command is read, the other writes and exits; its exit is noticed in the same turn of
  // the event loop, before its data, and the rest of that turn takes longer than any timeout.
  test.runIf(process.platform === 'linux')('includes all of its output even if this process is delayed', async () => {
    const command = started('sleep 0.1; printf said');
    const end = ended(command);
    const other = started('printf x');
    other.stdout.once('data', () => holdUp(() => isDead(command.pid)));
    other.once('exit', () => {
      const due = performance.now() + 100;
      holdUp(() => performance.now() > due);
    });
    holdUp(() => isDead(other.pid));
    expect(await end).toEqual({ code: 0, signal: null, output: 'said' });
  });
});

function holdUp(until: () => boolean): void {
  while (!until());
}

/** True for a process that has exited, before its exit was noticed. */
function isDead(pid: number | undefined): boolean {
  return readFileSync(`/proc/${pid}/stat`, 'utf8').includes(') Z ');
}
