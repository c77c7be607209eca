import { mkdir, mkdtemp, realpath, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { requestedPath } from '../src/workspace/requested-path.ts';
import { Workspace } from '../src/workspace/workspace.ts';

let base = '';
let workspace: Workspace;

beforeEach(async () => {
  base = await realpath(await mkdtemp(join(tmpdir(), 'workspace-')));
  await mkdir(join(base, 'inside/deep'), { recursive: true });
  await mkdir(join(base, 'inside-not'));
  await mkdir(join(base, 'extra'));
  await writeFile(join(base, 'inside/a.txt'), '');
  await writeFile(join(base, 'inside-not/secret'), '');
  await symlink(join(base, 'inside-not'), join(base, 'inside/escape'));
  await symlink('deep', join(base, 'inside/link'));
  await symlink(join(base, 'nowhere'), join(base, 'inside/dangling'));
  await symlink('not-yet', join(base, 'inside/early'));
  await symlink('loop', join(base, 'inside/loop'));
  workspace = await Workspace.open(join(base, 'inside'), [join(base, 'extra')]);
});

afterEach(() => rm(base, { recursive: true, force: true }));

test.each([
  ['a.txt', 'inside/a.txt', 'a.txt'],
  ['./deep/../a.txt', 'inside/a.txt', 'a.txt'],
  ['new/folder/b.txt', 'inside/new/folder/b.txt', 'new/folder/b.txt'],
  ['link/b.txt', 'inside/deep/b.txt', 'deep/b.txt'],
  ['early', 'inside/not-yet', 'not-yet'],
  ['..b.txt', 'inside/..b.txt', '..b.txt'],
  ['.', 'inside', '.'],
])('%s is inside', async (path, real, shown) => {
  expect(await workspace.locate(path)).toEqual({ real: join(base, real), shown });
  expect(await workspace.locate(join(base, 'inside', path))).toEqual({ real: join(base, real), shown });
});

test('a file URI is resolved to its path, inside or outside', async () => {
  const real = join(base, 'inside/deep/a b.txt');
  expect(await workspace.locate(pathToFileURL(real).href)).toEqual({ real, shown: 'deep/a b.txt' });
  await expect(workspace.locate('file:///etc/passwd')).rejects.toThrow(
    /^file:\/\/\/etc\/passwd is outside the workspace/,
  );
});

test('a name in different case is another name, unless the file system is case-insensitive', async () => {
  const isTheSame = await stat(join(base, 'inside/A.TXT')).then(
    () => true,
    () => false,
  );
  const outcomes = await Promise.all(
    ['A.TXT', '../INSIDE/a.txt'].map((path) =>
      workspace.locate(path).then(
        ({ real }) => real,
        () => 'refused',
      ),
    ),
  );
  const same = join(base, 'inside/a.txt');
  expect(outcomes).toEqual(isTheSame ? [same, same] : [join(base, 'inside/A.TXT'), 'refused']);
});

test.each([
  ['~', homedir()],
  ['~/a/../b', join(homedir(), 'b')],
  ['~a', '/cwd/~a'],
  ['a/./b/../c', '/cwd/a/c'],
  ['/', '/'],
])('%s is resolved to %s', (asked, path) => {
  expect(requestedPath(asked, '/cwd', 'linux')).toBe(path);
});

test.each([
  ['C:\\Users\\a.txt', 'linux', 'it is a Windows path, and this machine does not run Windows'],
  ['d:/a.txt', 'darwin', 'it is a Windows path, and this machine does not run Windows'],
  ['NUL', 'win32', 'it names a device or a hidden stream, not a file'],
  ['a/com1.txt', 'win32', 'it names a device or a hidden stream, not a file'],
  ['a.txt:hidden', 'win32', 'it names a device or a hidden stream, not a file'],
  ['\\\\.\\PhysicalDrive0', 'win32', 'it names a device or a hidden stream, not a file'],
] as const)('%j on %s cannot be used', (asked, platform, reason) => {
  expect(() => requestedPath(asked, '/cwd', platform)).toThrow(`${JSON.stringify(asked)} cannot be used: ${reason}.`);
});

test('additional folders are inside and shown by their absolute path', async () => {
  const path = join(base, 'extra/b.txt');
  expect(await workspace.locate(path)).toEqual({ real: path, shown: path });
});

test.each([
  '..',
  '../inside-not/secret',
  '/etc/passwd',
  'escape/secret',
  'escape/new.txt',
  'deep/../../inside-not',
  'dangling',
  'dangling/b.txt',
])('%s is outside', async (path) => {
  await expect(workspace.locate(path)).rejects.toThrow(/is outside the workspace/);
});

test.each([
  ['loop', /^loop cannot be reached: it goes through too many symbolic links\.$/],
  ['a\0b', /^"a\\u0000b" cannot be used: the path contains a NUL character\.$/],
  ['x'.repeat(300), /^x{300} cannot be reached: the path, or a name in it, is longer than the file system allows\.$/],
  ['file://elsewhere/a.txt', /^file:\/\/elsewhere\/a\.txt is not the URI of a file of this machine\. Give the path\.$/],
  ['file:///a%00b', /cannot be used: the path contains a NUL character|is not the URI of a file/],
])('%j cannot be checked and is refused', async (path, reason) => {
  await expect(workspace.locate(path)).rejects.toThrow(reason);
});

test('locateEntry returns the link itself, not its target', async () => {
  expect(await workspace.locateEntry('escape')).toEqual({ real: join(base, 'inside/escape'), shown: 'escape' });
  expect(await workspace.locateEntry('dangling')).toEqual({ real: join(base, 'inside/dangling'), shown: 'dangling' });
  await expect(workspace.locateEntry('escape/secret')).rejects.toThrow(/is outside the workspace/);
  await expect(workspace.locateEntry('..')).rejects.toThrow(/is outside the workspace/);
});
