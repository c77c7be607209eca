import { writeFileSync } from 'node:fs';
import {
  chmod,
  lstat,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { moveEntry } from '../src/workspace/move-entry.ts';
import { ToolFixture } from './tool-fixture.ts';

let fixture: ToolFixture;

beforeEach(async () => {
  fixture = await ToolFixture.open();
});

afterEach(() => fixture[Symbol.asyncDispose]());

const at = (path: string): string => join(fixture.folder, path);

async function put(files: Readonly<Record<string, string>>): Promise<void> {
  for (const [path, content] of Object.entries(files)) {
    await mkdir(dirname(at(path)), { recursive: true });
    await writeFile(at(path), content);
  }
}

const files = async (): Promise<readonly string[]> => (await readdir(fixture.folder, { recursive: true })).toSorted();

test('the content of a text file is shown before it is deleted', async () => {
  await put({ 'a.txt': 'alpha\n', 'b.bin': '\0' });
  const { title, preview, facts } = await fixture.prepare('delete', { path: 'a.txt' });
  expect({ title, preview, facts }).toEqual({
    title: 'Delete a.txt',
    preview: [{ type: 'diff', path: at('a.txt'), oldText: 'alpha\n', newText: '' }],
    facts: { paths: [at('a.txt')] },
  });
  expect((await fixture.prepare('delete', { path: 'b.bin' })).preview).toEqual([]);
  expect((await fixture.use('delete', { path: 'a.txt' })).text).toMatch(/^Deleted a\.txt\./);
  expect(await files()).toEqual(['b.bin']);
});

test('a folder is deleted only with recursive, its content is listed first, and links in it are not followed', async () => {
  await put({ 'old/a.txt': 'alpha', 'old/deep/b.txt': 'beta', 'kept/c.txt': 'gamma' });
  await symlink(at('kept'), at('old/link'));
  await expect(fixture.use('delete', { path: 'old' })).rejects.toThrow(
    'old is a folder; it is deleted only with recursive, with everything in it. Nothing was deleted.',
  );
  const { title, preview, facts } = await fixture.prepare('delete', { path: 'old', recursive: true });
  const text = `Deletes the folder with 3 files and 1 folder in it, ${9 + at('kept').length} bytes.\na.txt\ndeep\ndeep/b.txt\nlink`;
  expect({ title, preview, facts }).toEqual({
    title: 'Delete folder old',
    preview: [{ type: 'content', content: { type: 'text', text } }],
    facts: { paths: ['old', 'old/a.txt', 'old/deep', 'old/deep/b.txt', 'old/link'].map(at) },
  });
  await fixture.use('delete', { path: 'old', recursive: true });
  expect(await files()).toEqual(['kept', 'kept/c.txt']);
});

test('neither the workspace nor anything outside is deleted or moved', async () => {
  await put({ 'a.txt': '' });
  const outside = await mkdtemp(join(tmpdir(), 'outside-'));
  await writeFile(join(outside, 'x.txt'), '');
  await symlink(outside, at('out'));
  await expect(fixture.use('delete', { path: '.', recursive: true })).rejects.toThrow('is the workspace itself');
  await expect(fixture.use('move', { from: '.', to: 'b' })).rejects.toThrow('is the workspace itself');
  await expect(fixture.use('delete', { path: 'out/x.txt' })).rejects.toThrow('is outside the workspace');
  await fixture.use('delete', { path: 'out' });
  expect([await files(), await readdir(outside)]).toEqual([['a.txt'], ['x.txt']]);
  await rm(outside, { recursive: true });
});

test('a file that vanished or changed since it was shown is not deleted', async () => {
  await put({ 'a.txt': 'alpha', 'b.txt': 'beta' });
  const gone = await fixture.prepare('delete', { path: 'a.txt' });
  const changed = await fixture.prepare('delete', { path: 'b.txt' });
  await rm(at('a.txt'));
  await writeFile(at('b.txt'), 'something else');
  const report = undefined as never;
  await expect(gone.run(report)).rejects.toThrow('a.txt was removed in the meantime; nothing was deleted.');
  await expect(changed.run(report)).rejects.toThrow('b.txt changed since it was shown; nothing was deleted.');
  expect(await files()).toEqual(['b.txt']);
});

test('a write-protected file is reported as such', async () => {
  await put({ 'a.txt': '' });
  await chmod(at('a.txt'), 0o444);
  expect((await fixture.prepare('delete', { path: 'a.txt' })).title).toBe('Delete write-protected a.txt');
});

test('files, folders and links are moved, and missing parent folders are created', async () => {
  await put({ 'a.txt': 'alpha', 'old/b.txt': 'beta' });
  await symlink('nowhere', at('link'));
  const { locations, facts } = await fixture.prepare('move', { from: 'old', to: 'x/new' });
  expect({ locations, facts }).toEqual({
    locations: [{ path: at('old') }, { path: at('x/new') }],
    facts: { paths: ['old', 'x/new', 'old/b.txt'].map(at) },
  });
  await fixture.use('move', { from: 'old', to: 'x/new' });
  await fixture.use('move', { from: 'a.txt', to: 'x/A.txt' });
  await fixture.use('move', { from: 'link', to: 'x/link' });
  expect(await files()).toEqual(['x', 'x/A.txt', 'x/link', 'x/new', 'x/new/b.txt']);
  expect((await lstat(at('x/link'))).isSymbolicLink()).toBe(true);
});

test('a file that appears at the target meanwhile is not overwritten', async () => {
  await put({ 'a.txt': 'alpha', 'old/x.txt': '' });
  const file = await fixture.prepare('move', { from: 'a.txt', to: 'b.txt' });
  const folder = await fixture.prepare('move', { from: 'old', to: 'new' });
  await put({ 'b.txt': 'mine' });
  await mkdir(at('new'));
  const report = undefined as never;
  const words = 'exists already; nothing was moved. Delete it first or choose another name.';
  await expect(file.run(report)).rejects.toThrow(`b.txt ${words}`);
  await expect(folder.run(report)).rejects.toThrow(`new ${words}`);
  // Nor when it appears after the last look.
  await expect(moveEntry(at('a.txt'), at('b.txt'))).rejects.toMatchObject({ code: 'EEXIST' });
  await expect(moveEntry(at('old'), at('new'))).rejects.toMatchObject({ code: 'EEXIST' });
  await symlink('a.txt', at('link'));
  await expect(moveEntry(at('link'), at('b.txt'))).rejects.toMatchObject({ code: 'EEXIST' });
  expect([await files(), await readFile(at('b.txt'), 'utf8')]).toEqual([
    ['a.txt', 'b.txt', 'link', 'new', 'old', 'old/x.txt'],
    'mine',
  ]);
});

test('a folder replaced by a link since the permission is not followed', async () => {
  await put({ 'in/a.txt': 'alpha', 'to/x.txt': '' });
  const outside = await mkdtemp(join(tmpdir(), 'outside-'));
  await writeFile(join(outside, 'a.txt'), 'not ours');
  const source = await fixture.prepare('move', { from: 'in/a.txt', to: 'b.txt' });
  const target = await fixture.prepare('move', { from: 'in/a.txt', to: 'to/b.txt' });
  await rename(at('to'), at('to-before'));
  await symlink(outside, at('to'));
  const report = undefined as never;
  const words = 'was moved or replaced in the meantime; nothing was done. Try again.';
  await expect(target.run(report)).rejects.toThrow(`to/b.txt ${words}`);
  await rename(at('in'), at('in-before'));
  await symlink(outside, at('in'));
  await expect(source.run(report)).rejects.toThrow(`in/a.txt ${words}`);
  expect([await readdir(fixture.folder), await readdir(at('in-before')), await readdir(outside)]).toEqual([
    ['in', 'in-before', 'to', 'to-before'],
    ['a.txt'],
    ['a.txt'],
  ]);
  await rm(outside, { recursive: true });
});

test('nothing is moved below a path that is not a folder', async () => {
  await put({ 'a.txt': 'alpha', 'b.txt': '' });
  await expect(fixture.use('move', { from: 'a.txt', to: 'b.txt/a.txt' })).rejects.toThrow(
    'b.txt/a.txt cannot be reached: a part of the path is a file, not a folder.',
  );
  expect(await files()).toEqual(['a.txt', 'b.txt']);
});

test('rules apply to every file in a moved folder, however large it is', async () => {
  await mkdir(at('many'));
  for (let count = 0; count < 10_050; count++) writeFileSync(at(`many/${count}.txt`), '');
  const { facts } = await fixture.prepare('move', { from: 'many', to: 'more' });
  expect(facts.paths?.length).toBe(10_052);
});

test.runIf(process.getuid?.() !== 0)(
  'an unreadable subfolder does not exempt the rest of a moved folder from rules',
  async () => {
    await put({ 'in/locked/a.txt': '', 'in/open.txt': '' });
    await chmod(at('in/locked'), 0o000);
    const { facts } = await fixture.prepare('move', { from: 'in', to: 'out' });
    await chmod(at('in/locked'), 0o700);
    expect(facts).toEqual({ paths: ['in', 'out', 'in/locked', 'in/open.txt'].map(at) });
  },
);

test('a folder is not moved into itself', async () => {
  await put({ 'old/x.txt': '' });
  await expect(fixture.use('move', { from: 'old', to: 'old/deeper' })).rejects.toThrow('cannot be moved into itself');
  await expect(fixture.use('move', { from: 'old', to: 'old' })).rejects.toThrow(
    'old is there already; nothing was moved.',
  );
});

test('a rename that only changes the case of letters works', async () => {
  await put({ 'readme.md': 'text' });
  await fixture.use('move', { from: 'readme.md', to: 'README.md' });
  expect(await files()).toEqual(['README.md']);
});

/** A folder on another device, if this machine has one to write to. */
async function otherDevice(): Promise<string | undefined> {
  for (const folder of ['/dev/shm', '/run', process.cwd()]) {
    const [here, there] = await Promise.all([stat(fixture.folder), stat(folder).catch(() => undefined)]);
    const made = there?.dev === here.dev ? undefined : await mkdtemp(join(folder, 'turnwire-')).catch(() => undefined);
    if (made !== undefined) return made;
  }
  return undefined;
}

test('files and folders are moved across devices', async (context) => {
  const there = await otherDevice();
  if (there === undefined) return context.skip();
  await put({ 'a.txt': 'alpha', 'old/deep/b.txt': 'beta' });
  await chmod(at('a.txt'), 0o750);
  await symlink('b.txt', at('old/deep/link'));
  await moveEntry(at('a.txt'), join(there, 'a.txt'));
  await moveEntry(at('old'), join(there, 'new'));
  expect([await files(), (await readdir(there, { recursive: true })).toSorted()]).toEqual([
    [],
    ['a.txt', 'new', 'new/deep', 'new/deep/b.txt', 'new/deep/link'],
  ]);
  expect((await stat(join(there, 'a.txt'))).mode & 0o777).toBe(0o750);
  await rm(there, { recursive: true });
});
