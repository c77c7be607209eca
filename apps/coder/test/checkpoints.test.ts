import {
  chmod,
  lstat,
  lutimes,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  readlink,
  realpath,
  rename,
  rm,
  stat,
  symlink,
  truncate,
  utimes,
  writeFile,
} from 'node:fs/promises';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { bundleProgram } from '../../../tools/bundle-program.mjs';
import { Checkpoints } from '../src/undo/checkpoints.ts';
import { TurnRecords } from '../src/undo/turn-records.ts';
import { moveEntry } from '../src/workspace/move-entry.ts';

let folder: string;
let sessions: string;
let checkpoints: Checkpoints;

beforeEach(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), 'undo-')));
  sessions = await mkdtemp(join(tmpdir(), 'sessions-'));
  checkpoints = new Checkpoints({ sessions, sessionId: 'one' });
  checkpoints.begin();
});

afterEach(async () => {
  await checkpoints.close();
  await rm(folder, { recursive: true, force: true });
  await rm(sessions, { recursive: true, force: true });
});

const at = (path: string): string => join(folder, path);
const write = (path: string, text: string): Promise<void> => writeFile(at(path), text);
const read = (path: string): Promise<string> => readFile(at(path), 'utf8');

/** One change of a turn: noted, made, sealed. */
async function change(path: string, make: () => Promise<unknown>): Promise<string | undefined> {
  const why = await checkpoints.record(at(path));
  await make();
  await checkpoints.seal();
  return why;
}

async function move(from: string, to: string): Promise<void> {
  await checkpoints.recordMove(at(from), at(to));
  await mkdir(join(at(to), '..'), { recursive: true });
  await moveEntry(at(from), at(to));
  await checkpoints.seal();
}

/** What is there, with the content of files and the targets of links. */
async function tree(): Promise<Readonly<Record<string, string>>> {
  const names = (await readdir(folder, { recursive: true })).toSorted();
  const entries = names.map(async (name): Promise<[string, string]> => {
    const found = await lstat(at(name));
    if (found.isSymbolicLink()) return [name, `-> ${await readlink(at(name))}`];
    return [name, found.isDirectory() ? '/' : await read(name)];
  });
  return Object.fromEntries(await Promise.all(entries));
}

test('every kind of change is undone, the last one first', async () => {
  await write('edited.txt', 'one');
  await write('deleted.txt', 'two');
  await chmod(at('deleted.txt'), 0o750);
  await mkdir(at('gone/deep'), { recursive: true });
  await write('gone/deep/x.txt', 'three');
  await symlink('edited.txt', at('link'));
  await write('moved.txt', 'four');
  const before = await tree();
  await change('edited.txt', () => write('edited.txt', 'ONE'));
  await change('edited.txt', () => write('edited.txt', 'ONE again'));
  await change('deleted.txt', () => rm(at('deleted.txt')));
  await change('gone', () => rm(at('gone'), { recursive: true }));
  await change('link', () => rm(at('link')));
  await change('new/folder/n.txt', async () => {
    await mkdir(at('new/folder'), { recursive: true });
    await write('new/folder/n.txt', 'new');
  });
  await move('moved.txt', 'elsewhere/m.txt');
  await change('elsewhere/m.txt', () => write('elsewhere/m.txt', 'FOUR'));
  await change('moved.txt', () => write('moved.txt', 'something new'));
  expect(await checkpoints.undoLast()).toEqual({
    turn: 'undone',
    undone: [
      { kind: 'removed', path: at('moved.txt') },
      { kind: 'restored', path: at('elsewhere/m.txt') },
      { kind: 'moved back', path: at('moved.txt'), from: at('elsewhere/m.txt') },
      { kind: 'removed', path: at('new/folder/n.txt') },
      { kind: 'restored', path: at('link') },
      { kind: 'restored', path: at('gone') },
      { kind: 'restored', path: at('deleted.txt') },
      { kind: 'restored', path: at('edited.txt') },
    ],
    conflicts: [],
    unkept: [],
  });
  expect(await tree()).toEqual(before);
  expect((await stat(at('deleted.txt'))).mode & 0o777).toBe(0o750);
});

test('a file that others changed since is left alone, and its earlier content is kept', async () => {
  await write('a.txt', 'one');
  await write('b.txt', 'two');
  await change('a.txt', () => write('a.txt', 'ONE'));
  await change('b.txt', () => write('b.txt', 'TWO'));
  await change('c.txt', () => write('c.txt', 'new'));
  await move('b.txt', 'd.txt');
  await write('a.txt', 'mine');
  await write('b.txt', 'mine too');
  await write('c.txt', 'mine as well');
  const { keptIn = '', ...report } = await checkpoints.undoLast();
  expect(report).toEqual({
    turn: 'undone',
    undone: [],
    conflicts: [
      { path: at('d.txt'), why: `it cannot go back to ${at('b.txt')}, because that path is in use now` },
      { path: at('c.txt'), why: 'it was changed since' },
      { path: at('b.txt'), why: 'it was changed since' },
      { path: at('a.txt'), why: 'it was changed since' },
    ],
    unkept: [],
  });
  expect(await tree()).toEqual({ 'a.txt': 'mine', 'b.txt': 'mine too', 'c.txt': 'mine as well', 'd.txt': 'TWO' });
  expect(await readFile(join(keptIn, '1'), 'utf8')).toBe('one');
});

test('a folder that the turn created stays if others put something into it', async () => {
  await change('new/a.txt', async () => {
    await mkdir(at('new'));
    await write('new/a.txt', 'a');
  });
  await write('new/mine.txt', 'mine');
  await checkpoints.undoLast();
  expect(await tree()).toEqual({ new: '/', 'new/mine.txt': 'mine' });
});

test('turns are undone one by one, including those that changed nothing', async () => {
  await change('a.txt', () => write('a.txt', '1'));
  checkpoints.begin();
  checkpoints.begin();
  await change('a.txt', () => write('a.txt', '2'));
  const texts: unknown[] = [];
  for (let turn = 0; turn < 4; turn++) {
    const { turn: what } = await checkpoints.undoLast();
    texts.push([what, (await tree())['a.txt']]);
  }
  expect(texts).toEqual([
    ['undone', '1'],
    ['undone', '1'],
    ['undone', undefined],
    ['none', undefined],
  ]);
});

test('another process can undo the changes of a process that was killed in the middle of one', async () => {
  await write('a.txt', 'one');
  await write('b.txt', 'two');
  await change('a.txt', () => write('a.txt', 'ONE'));
  await checkpoints.record(at('b.txt'));
  await write('b.txt', 'half');
  const journal = join(sessions, 'undo/one/00000001/journal.jsonl');
  await writeFile(journal, `${await readFile(journal, 'utf8')}{"type":"recorded","id":3,"pa`);
  const later = new Checkpoints({ sessions, sessionId: 'one' });
  const report = await later.undoLast();
  expect([report.undone, await tree()]).toEqual([
    [
      { kind: 'restored', path: at('b.txt') },
      { kind: 'restored', path: at('a.txt') },
    ],
    { 'a.txt': 'one', 'b.txt': 'two' },
  ]);
  expect(await readFile(join(sessions, 'undo/one/00000001.undone/present-2'), 'utf8')).toBe('half');
});

test('a move that never happened is not undone', async () => {
  await write('a.txt', 'one');
  await checkpoints.recordMove(at('a.txt'), at('b.txt'));
  const later = new Checkpoints({ sessions, sessionId: 'one' });
  expect(await later.undoLast()).toEqual({ turn: 'undone', undone: [], conflicts: [], unkept: [] });
  expect(await tree()).toEqual({ 'a.txt': 'one' });
});

test('a file too large to be stored is reported before the change and on undo', async () => {
  await write('big', '');
  await truncate(at('big'), 33 * 1024 * 1024);
  const why = 'the file is too large: it has 34603008 bytes, and at most 32 MiB are stored';
  expect(await change('big', () => rm(at('big')))).toBe(why);
  expect(await checkpoints.undoLast()).toEqual({
    turn: 'undone',
    undone: [],
    conflicts: [],
    unkept: [{ path: at('big'), why }],
  });
});

test('records are private, cover the last 20 turns, and are removed with a session that is not stored', async () => {
  await write('a.txt', 'secret');
  for (let turn = 0; turn < 25; turn++) {
    checkpoints.begin();
    await change('a.txt', () => write('a.txt', `${turn}`));
  }
  const kept = join(sessions, 'undo/one');
  const names = await readdir(kept);
  expect([names.length, names.at(-1)]).toEqual([20, '00000026']);
  const modes = ['', '00000026', '00000026/1', '00000026/journal.jsonl'].map(
    async (path) => (await stat(join(kept, path))).mode & 0o777,
  );
  expect(await Promise.all(modes)).toEqual([0o700, 0o700, 0o600, 0o600]);
});

test('hundreds of files are restored', async () => {
  // The record takes more than one read: long names stand in for many files.
  const names = Array.from({ length: 300 }, (_, index) => `${'x'.repeat(200)}${index}.txt`);
  for (const name of names) await write(name, name);
  for (const name of names) await change(name, () => write(name, 'changed'));
  expect((await checkpoints.undoLast()).undone.length).toBe(300);
  expect(await tree()).toEqual(Object.fromEntries(names.map((name) => [name, name])));
});

test('a record that cannot be written is reported, and leaves nothing to undo', async () => {
  await rm(sessions, { recursive: true });
  await writeFile(sessions, 'in the way');
  const blocked = new Checkpoints({ sessions, sessionId: 'one' });
  blocked.begin();
  expect(await blocked.record(at('a.txt'))).toMatch(/not a directory/);
  expect((await blocked.undoLast()).turn).toBe('none');
});

test('a file mode that others changed since is kept', async () => {
  await write('run.sh', 'one');
  await change('run.sh', () => write('run.sh', 'two'));
  await chmod(at('run.sh'), 0o755);
  await checkpoints.undoLast();
  expect([await read('run.sh'), (await stat(at('run.sh'))).mode & 0o777]).toEqual(['one', 0o755]);
});

test('a moved folder is moved back with the files that others put into it', async () => {
  await mkdir(at('old'));
  await write('old/a.txt', 'a');
  await move('old', 'new');
  await write('new/mine.txt', 'mine');
  await rename(at('new/a.txt'), at('new/b.txt'));
  await checkpoints.undoLast();
  expect(await tree()).toEqual({ old: '/', 'old/b.txt': 'a', 'old/mine.txt': 'mine' });
});

test('records beyond the size limit are deleted oldest first, without gaps', async () => {
  for (const size of [10, 400, 10, 10]) {
    await write('a.txt', 'x'.repeat(size));
    await change('a.txt', () => write('a.txt', ''));
    checkpoints.begin();
  }
  const records = new TurnRecords({ sessions, sessionId: 'one' });
  const fixture = await records.prune({ turns: 20, bytes: 500 });
  expect([fixture, await readdir(join(sessions, 'undo/one'))]).toEqual([480, ['00000003', '00000004', '00000005']]);
});

test('records of deleted sessions are removed when a session closes', async () => {
  for (const id of ['gone', 'stored', 'young']) await mkdir(join(sessions, 'undo', id), { recursive: true });
  await writeFile(join(sessions, 'stored.jsonl'), '');
  const longAgo = new Date(Date.now() - 2 * 60 * 60 * 1000);
  for (const id of ['gone', 'stored']) await utimes(join(sessions, 'undo', id), longAgo, longAgo);
  await checkpoints.close();
  expect((await readdir(join(sessions, 'undo'))).toSorted()).toEqual(['one', 'stored', 'young']);
});

test('no session id and no name in a record leads out of the folder', async () => {
  expect(() => new Checkpoints({ sessions, sessionId: '../../victim' })).toThrow('cannot name an entry of');
  await write('a.txt', 'one');
  await write('secret.txt', 'secret');
  await change('a.txt', () => write('a.txt', 'two'));
  const journal = join(sessions, 'undo', 'one', '00000001', 'journal.jsonl');
  const lines = await readFile(journal, 'utf8');
  await writeFile(journal, lines.replace('"blob":"1"', `"blob":"../../../../${basename(folder)}/secret.txt"`));
  const { conflicts } = await checkpoints.undoLast();
  expect([conflicts.map(({ path }) => path), await read('a.txt')]).toEqual([[at('a.txt')], 'two']);
});

test('pruning records does not follow a link in place of their folder', async () => {
  await mkdir(at('victim/00000001'), { recursive: true });
  await mkdir(at('victim/00000002'));
  await symlink(at('victim'), join(sessions, 'undo', 'two'));
  const records = new TurnRecords({ sessions, sessionId: 'two' });
  await expect(records.prune({ turns: 1, bytes: 500 })).rejects.toThrow(
    'is not a folder, so nothing in it was removed',
  );
  const longAgo = new Date(Date.now() - 2 * 60 * 60 * 1000);
  await lutimes(join(sessions, 'undo', 'two'), longAgo, longAgo);
  await checkpoints.close();
  expect([await readdir(join(sessions, 'undo')), await readdir(at('victim'))]).toEqual([
    ['one'],
    ['00000001', '00000002'],
  ]);
});

test('a process that exits leaves no temporary folder behind', async () => {
  const source = bundleProgram(fileURLToPath(new URL('../src/undo/checkpoints.ts', import.meta.url)));
  const script = `
    const { Checkpoints } = await import(${JSON.stringify(source)});
    const checkpoints = new Checkpoints();
    checkpoints.begin();
    await checkpoints.record(${JSON.stringify(folder)});
    process.exit();`;
  const options = ['--input-type=module', '-e', script];
  const { TMPDIR: _, ...env } = process.env;
  const child = spawn(process.execPath, options, { stdio: 'inherit', env: { ...env, TMPDIR: folder } });
  expect([await once(child, 'exit'), (await readdir(folder)).filter((name) => name.includes('undo'))]).toEqual([
    [0, null],
    [],
  ]);
});
