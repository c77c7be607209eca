import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { replaceFile } from '../src/index.ts';

async function file(): Promise<{ readonly folder: string; readonly path: string }> {
  const folder = await mkdtemp(join(tmpdir(), 'turnwire-replace-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const path = join(folder, 'file');
  await writeFile(path, 'before');
  return { folder, path };
}

test('a file is replaced as a whole, with access for the user only', async () => {
  const { folder, path } = await file();
  async function* pieces(): AsyncGenerator<string, void> {
    yield 'in ';
    yield await readFile(path, 'utf8');
  }
  await replaceFile(path, pieces());
  expect([await readFile(path, 'utf8'), await readdir(folder)]).toEqual(['in before', ['file']]);
});

test.skipIf(process.platform === 'win32')('other users may read it only with a mode that allows it', async () => {
  const { folder, path } = await file();
  const modeOf = async (each: string): Promise<number> => (await stat(each)).mode & 0o777;
  await replaceFile(path, 'after');
  await replaceFile(join(folder, 'open'), 'after', 0o444);
  expect([await modeOf(path), await modeOf(join(folder, 'open'))]).toEqual([0o600, 0o444]);
});

test('a failure keeps the old content and leaves no other file', async () => {
  const { folder, path } = await file();
  // oxlint-disable-next-line require-yield -- it fails before
  async function* broken(): AsyncGenerator<string, void> {
    throw new Error('no more');
  }
  await expect(replaceFile(path, broken())).rejects.toThrow('no more');
  expect([await readFile(path, 'utf8'), await readdir(folder)]).toEqual(['before', ['file']]);
});
