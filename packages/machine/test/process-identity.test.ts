import { spawn } from 'node:child_process';
import { pbkdf2 } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { expect, test } from 'vitest';
import { isRunning } from '../src/index.ts';

const onLinux = process.platform === 'linux';

test.runIf(onLinux)('a process whose end is read from the system while it is looked at does not run', async () => {
  const child = spawn('true');
  const ended = once(child, 'exit');
  const { pid = 0 } = child;
  // It has ended, and this process learns of that after what it does now.
  while (!readFileSync(`/proc/${pid}/stat`, 'utf8').includes(') Z ')) continue;
  // What reads files has other things to do first.
  for (let thread = 0; thread < 16; thread++) pbkdf2('', '', 20_000, 32, 'sha256', () => undefined);
  const runs = isRunning({ pid, host: hostname(), begun: 'some time ago' });
  await ended;
  expect(await runs).toBe(false);
});
