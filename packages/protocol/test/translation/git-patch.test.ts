import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { gitPatch } from '../../src/translation/git-patch.ts';

const lines = (...texts: readonly (string | number)[]): string => texts.map((text) => `${text}\n`).join('');

test.each([
  ['a change in the middle', lines(1, 2, 3, 4, 5, 6, 7, 8, 9), lines(1, 2, 3, 4, 'five', 6, 7, 8, 9)],
  ['a new line at the beginning', lines(1, 2), lines(0, 1, 2)],
  ['a removed last line', lines(1, 2), lines(1)],
  ['an added end of the last line', '1\n2', lines(1, 2)],
  ['a removed end of the last line', lines(1, 2), '1\n2'],
  ['a new text of an empty file', '', lines(1)],
  ['all lines removed', lines(1), ''],
  ['a repeated line', lines('a', 'a'), lines('a', 'a', 'a')],
  ['a new file', undefined, lines(1, 2)],
])('Git applies the patch for %s', async (_, before, after) => {
  const folder = await mkdtemp(join(tmpdir(), 'patch-'));
  try {
    if (before !== undefined) await writeFile(join(folder, 'file.txt'), before);
    // Git takes paths in a folder; version 2 wants absolute ones.
    await writeFile(join(folder, 'change.patch'), gitPatch('file.txt', before, after));
    await promisify(execFile)('git', ['apply', '-p0', 'change.patch'], { cwd: folder });
    expect(await readFile(join(folder, 'file.txt'), 'utf8')).toBe(after);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});
