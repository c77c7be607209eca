import { mkdir, mkdtemp, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { entryPath, isEntryName, removeEntry } from '../src/index.ts';

const unsafe = ['', '.', '..', '../victim', 'a/b', 'a\\b', '/etc', 'a\0b', 'a b', 'ä', 'CON', 'com1', 'x'.repeat(129)];

test('an id is a valid name if it has only letters, digits, - and _, and is not a device', () => {
  expect([...unsafe, undefined, 7, {}].filter(isEntryName)).toEqual([]);
  expect(['a', '0b9f6f5c-1111-4222-8333-444455556666', '_', 'x'.repeat(128)].every(isEntryName)).toBe(true);
});

test('a name cannot lead out of the folder of a store', () => {
  const refused = [...unsafe, '.hidden', 'a.', 'nul.jsonl', 'a.b.c.d'].filter((name) => {
    try {
      return entryPath('/store', 'inner', name) === '';
    } catch (error) {
      return (error as Error).message.includes('cannot name an entry of /store');
    }
  });
  expect(refused).toEqual([...unsafe, '.hidden', 'a.', 'nul.jsonl', 'a.b.c.d']);
  expect(entryPath('/store', 'one', 'session.jsonl.lock')).toBe(join('/store', 'one', 'session.jsonl.lock'));
});

async function store(): Promise<{ readonly folder: string; readonly outside: string }> {
  const parent = await mkdtemp(join(tmpdir(), 'turnwire-entries-'));
  onTestFinished(() => rm(parent, { recursive: true }));
  const [folder, outside] = [join(parent, 'store'), join(parent, 'outside')];
  await mkdir(join(folder, 'one', 'deep'), { recursive: true });
  await mkdir(join(outside, 'one'), { recursive: true });
  await writeFile(join(outside, 'one', 'kept.txt'), 'kept');
  return { folder, outside };
}

test('an entry is removed with its contents, and removing a missing entry succeeds', async () => {
  const { folder } = await store();
  await removeEntry(folder, 'one');
  await removeEntry(folder, 'one');
  await removeEntry(folder, 'two', 'three');
  expect(await readdir(folder)).toEqual([]);
});

test('removing a link keeps its target', async () => {
  const { folder, outside } = await store();
  await symlink(outside, join(folder, 'link'));
  await symlink(outside, join(folder, 'one', 'inner'));
  await removeEntry(folder, 'link');
  await removeEntry(folder, 'one');
  expect([await readdir(folder), await readdir(join(outside, 'one'))]).toEqual([[], ['kept.txt']]);
});

test('a link instead of a folder on the path is not followed', async () => {
  const { folder, outside } = await store();
  await symlink(outside, join(folder, 'link'));
  await expect(removeEntry(folder, 'link', 'one')).rejects.toThrow(
    `${join(folder, 'link')} is not a folder, so nothing in it was removed`,
  );
  expect(await readdir(join(outside, 'one'))).toEqual(['kept.txt']);
});

test('removing a name that leads out of the store removes nothing', async () => {
  const { folder, outside } = await store();
  await expect(removeEntry(folder, '../outside')).rejects.toThrow('cannot name an entry');
  expect(await readdir(join(outside, 'one'))).toEqual(['kept.txt']);
});
