import { mkdir, mkdtemp, realpath, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { holdingHere, MovedError } from '../src/index.ts';
import { expect, onTestFinished, test } from 'vitest';
import { heldByPath } from '../src/holding/held-by-path.ts';

test.each([
  ['the best method of this machine', await holdingHere()],
  ['path', heldByPath],
])('the replacement of a held folder is detected by %s', async (_way, holding) => {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'turnwire-holding-')));
  onTestFinished(() => rm(folder, { recursive: true }));
  await mkdir(join(folder, 'held'));
  await using held = await holding.folder(join(folder, 'held'));
  await held.confirm();
  await rename(join(folder, 'held'), join(folder, 'moved'));
  await mkdir(join(folder, 'held'));
  await expect(held.confirm()).rejects.toThrow(MovedError);
});
