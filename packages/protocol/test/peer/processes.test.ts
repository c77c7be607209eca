import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { bundleProgram } from '../../../../tools/bundle-program.mjs';

/** Runs a fixture by itself, where an unhandled rejection is fatal and a warning can be seen. */
async function run(fixture: string): Promise<unknown> {
  const path = fileURLToPath(new URL(`fixtures/${fixture}`, import.meta.url));
  const { stdout, stderr } = await promisify(execFile)(process.execPath, [
    '--unhandled-rejections=strict',
    bundleProgram(path),
  ]);
  return { stdout: JSON.parse(stdout) as unknown, stderr };
}

test('a broken pipe fails every call and leaves no rejection unhandled', async () => {
  expect(await run('broken-pipe.mjs')).toEqual({ stdout: { resolved: 0, rejectedAll: true }, stderr: '' });
});

test('1,000 sessions and their requests may share one signal without a warning', async () => {
  expect(await run('crowd.mjs')).toEqual({
    stdout: { sessions: 1_000, updated: 1_000, reasons: ['cancelled'] },
    stderr: '',
  });
});
