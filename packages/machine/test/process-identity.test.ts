import { spawn } from 'node:child_process';
import { pbkdf2 } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { expect, test } from 'vitest';
import { isRunning } from '../src/index.ts';

const onLinux = process.platform === 'linux';

test.runIf(onLinux)('a process that ends while its state is read does not count as running', async () => {
  const child = spawn('true');
  const ended = once(child, 'exit');
  const { pid = 0 } = child;
  // It has ended, but this process notices that only after the current work.
  while (!readFileSync(`/proc/${pid}/stat`, 'utf8').includes(') Z ')) continue;
  // File reads run other work first.
  for (let thread = 0; thread < 16; thread++) pbkdf2('', '', 20_000, 32, 'sha256', () => undefined);
  const runs = isRunning({ pid, host: hostname(), begun: 'some time ago' });
  await ended;
  expect(await runs).toBe(false);
});
