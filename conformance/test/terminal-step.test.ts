import { expect, test } from 'vitest';
import { within } from '../../tools/pace.ts';
import { startTerminalStep } from '../src/client/drive/terminal-step.ts';

test('the output of a client in a terminal is complete, also if it ended before any of it was read', async () => {
  // More than one read receives, and less than the system buffers: the client ends although its output was not read.
  const text = `${'x'.repeat(6_000)}end`;
  const program = `require('node:fs').writeSync(1, '${text}')`;
  const command = { argv: [process.execPath, '-e', program], cwd: process.cwd(), env: {} };
  const step = await startTerminalStep(command, []);
  // Nothing else runs in this process until the client has ended. No time limit of a test could end this loop.
  const latest = Date.now() + within(10_000);
  while (isRunning(step.pid ?? 0) && Date.now() < latest)
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 10);
  expect([await step.exited, step.stdout()]).toEqual([{ code: 0, signal: null }, text]);
});

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
