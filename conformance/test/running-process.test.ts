import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { isGoneWithin, isRunning } from '../src/agent/fixtures/running-process.ts';

describe('a process', () => {
  test('that runs is not reported as gone', async () => {
    const child = spawn('sleep', ['60'], { stdio: 'ignore' });
    await once(child, 'spawn');
    expect([await isRunning(child.pid ?? 0), await isGoneWithin(child.pid ?? 0, 1)]).toEqual([true, false]);
    child.kill('SIGKILL');
    await once(child, 'exit');
    expect([await isRunning(child.pid ?? 0), await isGoneWithin(child.pid ?? 0, 0)]).toEqual([false, true]);
  });

  test.runIf(process.platform === 'linux')('that is reaped while it is examined is reported as gone', async () => {
    const child = spawn('sleep', ['60'], { stdio: 'ignore' });
    await once(child, 'spawn');
    const { pid = 0 } = child;
    child.kill('SIGKILL');
    // While this loop blocks, Node.js cannot reap the child.
    while (!readFileSync(`/proc/${pid}/stat`, 'utf8').includes(') Z ')) continue;
    expect(await isRunning(pid)).toBe(false);
  });
});
