import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { commandShell, shellAt } from '../src/index.ts';

test.skipIf(process.platform === 'win32')('the shell for command lines parses lines as it claims', () => {
  const { path, reads } = commandShell();
  const version = execFileSync(path, ['-c', 'echo "${BASH_VERSINFO[0]-0}" 2>/dev/null || echo 0'], {
    encoding: 'utf8',
  });
  expect([path.startsWith('/'), reads === 'bash']).toEqual([true, Number(version) >= 4]);
});

test.skipIf(process.platform !== 'linux')('only a program named bash counts as Bash', () => {
  expect(
    ['/bin/bash', '/opt/x/bash', '/bin/sh', '/bin/dash', '/bin/rbash', '/usr/bin/zsh'].map(
      (path) => shellAt(path).reads,
    ),
  ).toEqual(['bash', 'bash', 'posix', 'posix', 'posix', 'posix']);
});
