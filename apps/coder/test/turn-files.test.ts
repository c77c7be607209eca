import { execFileSync } from 'node:child_process';
import {
  chmod,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  realpath,
  rm,
  stat,
  symlink,
  truncate,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { FolderRecord } from '@turnwire/machine/folder-record';
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { type RecordedFiles, withEntry } from '../src/conversation/recorded-files.ts';
import { TurnFiles } from '../src/undo/turn-files.ts';

let base: string;
let cwd: string;
let turnFiles: TurnFiles;
let recorded: RecordedFiles | undefined;

beforeEach(async () => {
  base = await realpath(await mkdtemp(join(tmpdir(), 'turn-files-')));
  cwd = join(base, 'project');
  await mkdir(cwd);
  turnFiles = opened([cwd]);
});
afterEach(async () => {
  await turnFiles.close();
  await rm(base, { recursive: true, force: true, maxRetries: 5 });
});

function opened(roots: readonly string[]): TurnFiles {
  return new TurnFiles({ sessionId: 'own', roots, records: join(base, 'records') });
}

const at = (path: string): string => join(cwd, path);
const read = (path: string): Promise<string> => readFile(at(path), 'utf8');
async function put(path: string, content: string): Promise<void> {
  await mkdir(dirname(at(path)), { recursive: true });
  await writeFile(at(path), content);
}
const git = (...words: readonly string[]): string => execFileSync('git', words, { cwd, encoding: 'utf8' });

function begin(recordedTurn?: string): void {
  recorded = undefined;
  turnFiles.begin({ recordedTurn, prompt: 'work', keep: (entry) => (recorded = withEntry(recorded, entry)) });
}

/** A turn that changes paths, as a tool does. */
async function turn(change: () => Promise<unknown>, ...paths: readonly string[]): Promise<readonly unknown[]> {
  begin();
  await turnFiles.record();
  const why: unknown[] = [];
  for (const path of paths) why.push(await turnFiles.recordPath(at(path)));
  await change();
  await turnFiles.end();
  return why;
}

test('a turn that edited, made, moved and deleted files is undone', async () => {
  await put('edited.txt', 'one\n');
  await put('moved/a.txt', 'a\n');
  await put('deleted/b.txt', 'b\n');
  await symlink('edited.txt', at('link'));
  await turn(async () => {
    await put('edited.txt', 'two\n');
    await put('made/deep/c.txt', 'c\n');
    await rm(at('deleted'), { recursive: true });
    await rm(at('link'));
    await put('elsewhere/a.txt', 'a\n');
    await rm(at('moved'), { recursive: true });
  });
  const { undone, conflicts, unkept } = await turnFiles.takeBack(recorded);
  expect({
    undone: undone.map(({ kind, path }) => `${kind} ${path.slice(cwd.length + 1)}`),
    left: [conflicts, unkept],
    names: (await readdir(cwd, { recursive: true })).toSorted(),
    edited: await read('edited.txt'),
  }).toEqual({
    undone: [
      'removed elsewhere/a.txt',
      'removed made/deep/c.txt',
      'restored deleted/b.txt',
      'restored edited.txt',
      'restored link',
      'restored moved/a.txt',
    ],
    left: [[], []],
    names: ['deleted', 'deleted/b.txt', 'edited.txt', 'link', 'moved', 'moved/a.txt'],
    edited: 'one\n',
  });
});

test('a file that is ignored is undone too, if a tool changed it', async () => {
  git('init', '--quiet');
  await put('.gitignore', '.env\nout/\n');
  await put('.env', 'KEY=1\n');
  await chmod(at('.env'), 0o600);
  await put('out/a.js', 'a\n');
  const why = await turn(
    async () => {
      await put('.env', 'KEY=2\n');
      await chmod(at('.env'), 0o600);
      await rm(at('out'), { recursive: true });
      await put('out/new.js', 'new\n');
    },
    ...['.env', 'out', 'out/new.js'],
  );
  const report = await turnFiles.takeBack(recorded);
  expect({
    why,
    left: [report.conflicts, report.unkept],
    env: [await read('.env'), (await stat(at('.env'))).mode & 0o777],
    out: await readdir(at('out')),
  }).toEqual({
    why: [undefined, undefined, undefined],
    left: [[], []],
    env: ['KEY=1\n', 0o600],
    out: ['a.js'],
  });
});

test('a change of the user in the same lines is kept with a message, one of other lines is kept silently', async () => {
  const lines = (first: string, last: string): string => [first, '1', '2', '3', '4', '5', '6', last, ''].join('\n');
  await put('same.txt', 'one\n');
  await put('other.txt', lines('a', 'b'));
  await put('gone.txt', 'gone\n');
  await turn(async () => {
    await put('same.txt', 'two\n');
    await put('other.txt', lines('A', 'b'));
    await put('gone.txt', 'changed\n');
  });
  await put('same.txt', 'mine\n');
  await put('other.txt', lines('A', 'mine'));
  await rm(at('gone.txt'));
  const { conflicts } = await turnFiles.takeBack(recorded);
  expect([conflicts, await read('same.txt'), await read('other.txt'), await readdir(cwd)]).toEqual([
    [
      { path: at('gone.txt'), why: 'it was removed since' },
      { path: at('same.txt'), why: 'it was changed since' },
    ],
    'mine\n',
    lines('a', 'mine'),
    ['other.txt', 'same.txt'],
  ]);
});

test('files of a nested repository and of another folder of the session are undone', async () => {
  const other = join(base, 'other');
  await mkdir(join(other, 'deep'), { recursive: true });
  await writeFile(join(other, 'deep', 'x.txt'), 'x\n');
  git('init', '--quiet', 'nested');
  await put('nested/n.txt', 'n\n');
  turnFiles = opened([cwd, other]);
  const why = await turn(
    async () => {
      await put('nested/n.txt', 'N\n');
      await writeFile(join(other, 'deep', 'x.txt'), 'X\n');
    },
    ...['nested/n.txt', '../other/deep/x.txt'],
  );
  const again = opened([cwd, other]);
  const report = await again.takeBack(recorded);
  expect([
    why,
    report.conflicts,
    await read('nested/n.txt'),
    await readFile(join(other, 'deep', 'x.txt'), 'utf8'),
  ]).toEqual([[undefined, undefined], [], 'n\n', 'x\n']);
});

test('an ignored file that is too large is reported before the change and by the undo', async () => {
  git('init', '--quiet');
  await put('.gitignore', 'big\n');
  await put('big', '');
  await truncate(at('big'), 65 * 1024 * 1024);
  const [why] = await turn(() => rm(at('big')), 'big');
  const { unkept } = await turnFiles.takeBack(recorded);
  expect([why, unkept]).toEqual([expect.stringContaining('up to 64 MiB'), [{ path: at('big'), why }]]);
});

test('in the home folder only the files that a tool changed are undone', async () => {
  vi.stubEnv('HOME', cwd);
  await put('.profile', 'one\n');
  await put('private.txt', 'one\n');
  await turn(async () => {
    await put('.profile', 'two\n');
    await put('private.txt', 'two\n');
  }, '.profile');
  const report = await turnFiles.takeBack(recorded);
  expect([report.undone, await read('.profile'), await read('private.txt')]).toEqual([
    [{ kind: 'restored', path: at('.profile') }],
    'one\n',
    'two\n',
  ]);
});

test('without git, nothing can be undone, and a tool says so', async () => {
  const path = process.env['PATH'];
  onTestFinished(() => void (process.env['PATH'] = path));
  process.env['PATH'] = '';
  await put('a.txt', 'one\n');
  const [why] = await turn(() => rm(at('a.txt')), 'a.txt');
  expect([why, (await turnFiles.takeBack(recorded)).unkept[0]]).toEqual([
    'git is not installed',
    { path: cwd, why: 'git is not installed' },
  ]);
});

test('the turn that the client records is used, and ended by the client', async () => {
  await put('a.txt', 'one\n');
  const record = new FolderRecord(cwd, join(base, 'records'));
  const theirs = await record.begin({ id: 'theirs', sessionId: 'client', agent: 'coder', prompt: 'work' });
  begin('theirs');
  await turnFiles.recordPath(at('a.txt'));
  await put('a.txt', 'two\n');
  await turnFiles.end();
  const open = (await record.turns()).map(({ id, after }) => [id, after]);
  await record.end(theirs);
  await turnFiles.takeBack(recorded);
  expect([open, (await record.turns()).length, await read('a.txt')]).toEqual([[['theirs', undefined]], 1, 'one\n']);
});

test('files of a turn whose record was removed are reported', async () => {
  await put('a.txt', 'one\n');
  await turn(() => put('a.txt', 'two\n'));
  await rm(join(base, 'records'), { recursive: true });
  expect(await turnFiles.takeBack(recorded)).toEqual({
    undone: [],
    conflicts: [],
    unkept: [{ path: cwd, why: 'there is no record of its files' }],
  });
});

test('both parts of a turn that was continued under the same id are undone', async () => {
  await put('a.txt', 'one\n');
  for (const text of ['two\n', 'three\n']) {
    begin('continued');
    await turnFiles.record();
    await put('a.txt', text);
    await turnFiles.end();
  }
  await turnFiles.takeBack(recorded);
  expect(await read('a.txt')).toBe('one\n');
});
