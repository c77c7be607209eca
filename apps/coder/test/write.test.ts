import { execFile } from 'node:child_process';
import { chmod, chown, link, mkdir, readdir, readFile, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { holdingHere } from '@turnwire/machine';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { unprivileged } from '../../../packages/transports/test/unprivileged.ts';
import { heldByPath } from '../../../packages/machine/src/holding/held-by-path.ts';
import { readTextFile, replaceTextFile } from '../src/workspace/text-file.ts';
import { Editor } from './editor.ts';
import { ToolFixture } from './tool-fixture.ts';

let fixture: ToolFixture;
let file = '';

beforeEach(async () => {
  fixture = await ToolFixture.open();
  file = join(fixture.folder, 'a.txt');
});

afterEach(() => fixture[Symbol.asyncDispose]());

const write = (content: string, path = 'a.txt'): Promise<unknown> => fixture.use('write', { path, content });

test('a new file is shown before it is written, with the folders it needs', async () => {
  const prepared = await fixture.prepare('write', { path: 'b/c/a.txt', content: 'one\ntwo' });
  const path = join(fixture.folder, 'b/c/a.txt');
  expect([prepared.title, prepared.preview, await readdir(fixture.folder)]).toEqual([
    'Create b/c/a.txt',
    [{ type: 'diff', path, oldText: null, newText: 'one\ntwo' }],
    [],
  ]);
  expect(await write('one\ntwo', 'b/c/a.txt')).toEqual({ text: 'Created b/c/a.txt (2 lines).', content: [] });
  expect(await readFile(path, 'utf8')).toBe('one\ntwo');
});

test('missing folders are created before a client writes', async () => {
  await fixture[Symbol.asyncDispose]();
  fixture = await ToolFixture.open(new Editor({ reads: true, writes: true }));
  await write('one', 'b/c/a.txt');
  expect(await readFile(join(fixture.folder, 'b/c/a.txt'), 'utf8')).toBe('one');
});

test('a replaced file keeps its line endings', async () => {
  await writeFile(file, 'one\r\ntwo\nthree\r\n');
  await fixture.use('read', { path: 'a.txt' });
  expect(await write('one\ntwo\nthree\nfour\n')).toEqual({ text: 'Replaced a.txt (4 lines).', content: [] });
  expect(await readFile(file, 'utf8')).toBe('one\r\ntwo\nthree\r\nfour\r\n');
});

test('identical content is not written', async () => {
  await writeFile(file, 'one\r\n');
  await fixture.use('read', { path: 'a.txt' });
  await expect(write('one\n')).rejects.toThrow('a.txt has exactly this content already; nothing was written.');
});

test('folders and pipes are not written to', async () => {
  await mkdir(join(fixture.folder, 'folder'));
  await promisify(execFile)('mkfifo', [join(fixture.folder, 'pipe')]);
  await expect(write('one', 'folder')).rejects.toThrow('folder is a folder, not a file.');
  await expect(write('one', 'pipe')).rejects.toThrow('pipe is a named pipe, not a regular file.');
  await writeFile(file, '');
  await expect(write('one', 'a.txt/b.txt')).rejects.toThrow(
    'a.txt/b.txt cannot be written: a part of the path is a file, not a folder. Nothing was written',
  );
});

test('a write follows a link, which stays', async () => {
  await writeFile(file, 'one');
  await symlink('a.txt', join(fixture.folder, 'link'));
  await fixture.use('read', { path: 'link' });
  await write('two', 'link');
  expect([
    await readFile(file, 'utf8'),
    (await readdir(fixture.folder, { withFileTypes: true })).map((each) => each.isSymbolicLink()),
  ]).toEqual(['two', [false, true]]);
});

test('another hard link to the file keeps the old content', async () => {
  await writeFile(file, 'one');
  await link(file, join(fixture.folder, 'b.txt'));
  await fixture.use('read', { path: 'a.txt' });
  await write('two');
  expect(await readFile(join(fixture.folder, 'b.txt'), 'utf8')).toBe('one');
});

test.runIf(process.geteuid?.() === 0)('a file keeps its owner if the system allows it', async () => {
  await writeFile(file, 'one');
  await chown(file, 1234, 2345);
  await fixture.use('read', { path: 'a.txt' });
  await write('two');
  const { uid, gid } = await stat(file);
  expect({ uid, gid }).toEqual({ uid: 1234, gid: 2345 });
});

/** Writes as a user who owns neither file nor folder. */
async function writeAsAnybody(): Promise<unknown> {
  return unprivileged(() =>
    replaceTextFile(
      { real: file, shown: 'a.txt' },
      { expected: { text: 'one', encoding: { name: 'utf-8', mark: false } }, text: 'two' },
    ),
  );
}

test('a read-only file stays intact', async () => {
  await chmod(fixture.folder, 0o777);
  await writeFile(file, 'one');
  await chmod(file, 0o444);
  await expect(writeAsAnybody()).rejects.toThrow(
    'a.txt cannot be written: permission denied (EACCES). Check the permissions of the file and its folder. Nothing was written; the file is unchanged.',
  );
  expect([await readFile(file, 'utf8'), await readdir(fixture.folder)]).toEqual(['one', ['a.txt']]);
});

test('a file in a folder without write permission is written in place', async () => {
  await writeFile(file, 'one');
  await chmod(file, 0o666);
  await chmod(fixture.folder, 0o555);
  await writeAsAnybody();
  expect([await readFile(file, 'utf8'), await readdir(fixture.folder)]).toEqual(['two', ['a.txt']]);
});

const canMount = process.platform === 'linux' && process.geteuid?.() === 0;

/** A disk of 64 KiB in the workspace; undefined where that is not allowed. */
async function smallDisk(options: string): Promise<AsyncDisposable | undefined> {
  const at = join(fixture.folder, 'disk');
  const run = promisify(execFile);
  await mkdir(at);
  const mounted = await run('mount', ['-t', 'tmpfs', '-o', options, 'tmpfs', at]).then(
    () => true,
    () => false,
  );
  return mounted ? { [Symbol.asyncDispose]: async () => void (await run('umount', [at])) } : undefined;
}

test.runIf(canMount)('a file stays intact when the disk is full', async ({ skip }) => {
  await using disk = await smallDisk('size=64k');
  if (!disk) return skip('nothing may be mounted here');
  await write('one', 'disk/a.txt');
  await expect(write('x'.repeat(100_000), 'disk/a.txt')).rejects.toThrow(
    'disk/a.txt cannot be written: no space is left on the disk (ENOSPC). Free some space. Nothing was written; the file is unchanged.',
  );
  const left = await readdir(join(fixture.folder, 'disk'));
  expect([await readFile(join(fixture.folder, 'disk/a.txt'), 'utf8'), left]).toEqual(['one', ['a.txt']]);
});

test.runIf(canMount)('a read-only file system is reported as the reason', async ({ skip }) => {
  await using disk = await smallDisk('ro');
  if (!disk) return skip('nothing may be mounted here');
  await expect(write('one', 'disk/a.txt')).rejects.toThrow(
    'disk/a.txt cannot be written: the file system is read-only (EROFS). Nothing was written; the file is unchanged.',
  );
});

test.each([
  ['as this system allows', await holdingHere()],
  ['by path', heldByPath],
])('a path that became a link is not opened (%s)', async (_way, holding) => {
  await mkdir(join(fixture.folder, 'real'));
  await writeFile(join(fixture.folder, 'real/a.txt'), 'one');
  await symlink('real', join(fixture.folder, 'link'));
  const at = (name: string) => ({ real: join(fixture.folder, 'link', name), shown: `link/${name}` });
  const message = (name: string): string => `link/${name} was moved or replaced in the meantime; nothing was done.`;
  await expect(readTextFile(at('a.txt'), holding)).rejects.toThrow(message('a.txt'));
  const change = { expected: undefined, text: 'two', holding };
  await expect(replaceTextFile(at('b.txt'), change)).rejects.toThrow(message('b.txt'));
  expect(await readdir(join(fixture.folder, 'real'))).toEqual(['a.txt']);
});
