import { mkdir, readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { systemFailure } from '../src/index.ts';

test('an error of the file system becomes a sentence with the path, the action and the reason', async () => {
  const below = `${process.execPath}/below`;
  const error: unknown = await mkdir(below).catch((reason: unknown) => reason);
  expect(systemFailure(error)).toBe(`${below} cannot be made: a part of the path is a file, not a folder.`);
  const missing: unknown = await readFile('/nowhere/at-all').catch((reason: unknown) => reason);
  expect(systemFailure(missing)).toBe('/nowhere/at-all cannot be opened: there is no such file or folder.');
  const full = Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC', syscall: 'write' });
  expect(systemFailure(full)).toBe('a file cannot be written: no space is left on the disk (ENOSPC). Free some space.');
});

test('other errors do not count as errors of the file system', () => {
  expect([systemFailure(new Error('no')), systemFailure('no'), systemFailure(undefined)]).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
});
