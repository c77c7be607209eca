import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
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
  await symlink('loop', join(base, 'inside/loop'));
  workspace = await Workspace.open(join(base, 'inside'), [join(base, 'extra')]);
});

afterEach(() => rm(base, { recursive: true, force: true }));

test.each([
  ['a.txt', 'inside/a.txt', 'a.txt'],
  ['./deep/../a.txt', 'inside/a.txt', 'a.txt'],
  ['new/folder/b.txt', 'inside/new/folder/b.txt', 'new/folder/b.txt'],
  ['link/b.txt', 'inside/deep/b.txt', 'deep/b.txt'],
  ['..b.txt', 'inside/..b.txt', '..b.txt'],
  ['.', 'inside', '.'],
])('%s is inside', async (path, real, shown) => {
  expect(await workspace.locate(path)).toEqual({ real: join(base, real), shown });
  expect(await workspace.locate(join(base, 'inside', path))).toEqual({ real: join(base, real), shown });
});

test('further folders are inside, and shown by their whole path', async () => {
  const path = join(base, 'extra/b.txt');
  expect(await workspace.locate(path)).toEqual({ real: path, shown: path });
});

test.each(['..', '../inside-not/secret', '/etc/passwd', 'escape/secret', 'escape/new.txt', 'deep/../../inside-not'])(
  '%s is outside',
  async (path) => {
    await expect(workspace.locate(path)).rejects.toThrow(/is outside the workspace/);
  },
);

test.each([
  ['dangling', /leads nowhere/],
  ['dangling/b.txt', /leads nowhere/],
  ['loop', /cannot be reached \(ELOOP\)/],
  ['a.txt/b.txt', /cannot be reached \(ENOTDIR\)/],
  ['a\0b', /cannot be reached/],
])('%j cannot be checked and is refused', async (path, reason) => {
  await expect(workspace.locate(path)).rejects.toThrow(reason);
});

test('an entry is the link itself, not what it leads to', async () => {
  expect(await workspace.locateEntry('escape')).toEqual({ real: join(base, 'inside/escape'), shown: 'escape' });
  expect(await workspace.locateEntry('dangling')).toEqual({ real: join(base, 'inside/dangling'), shown: 'dangling' });
  await expect(workspace.locateEntry('escape/secret')).rejects.toThrow(/is outside the workspace/);
  await expect(workspace.locateEntry('..')).rejects.toThrow(/is outside the workspace/);
});
