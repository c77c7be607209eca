import { execFileSync } from 'node:child_process';
import { chmod, mkdir, mkdtemp, open, readdir, readFile, readlink, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type ChangedFile, FolderRecord, UnfinishedTurn } from '../../src/folder-record/index.ts';

const turn = { id: 't', sessionId: 's', agent: 'a', prompt: 'work' };
let base = '';
let folder = '';
let record: FolderRecord;

beforeEach(async () => {
  base = await mkdtemp(join(tmpdir(), 'turnwire-review-'));
  folder = join(base, 'project');
  await mkdir(folder);
  record = new FolderRecord(folder, join(base, 'records'));
});
afterEach(() => rm(base, { recursive: true, force: true, maxRetries: 3 }));

async function put(path: string, content: string | Buffer): Promise<void> {
  await mkdir(dirname(join(folder, path)), { recursive: true });
  await writeFile(join(folder, path), content);
}

const read = (path: string): Promise<string> => readFile(join(folder, path), 'utf8');
const brief = (files: readonly ChangedFile[]): readonly unknown[] =>
  files.map(({ path, change, added, removed, hunks }) => [path, change, added, removed, hunks.length]);
const git = (...words: readonly string[]): string => execFileSync('git', words, { cwd: folder, encoding: 'utf8' });
const lines = (...numbers: readonly (number | string)[]): string => numbers.map((each) => `${each}\n`).join('');
const twenty = Array.from({ length: 20 }, (_, at) => at + 1);

test('a turn shows every added, changed and deleted file, no matter which program changed it', async () => {
  await put('changed.txt', 'one\ntwo\n');
  await put('deleted.txt', 'gone\n');
  const begun = await record.begin(turn);
  await put('changed.txt', 'one\n2\n');
  await put('folder/added name.txt', 'new\n');
  await rm(join(folder, 'deleted.txt'));
  await record.end(begun);
  const [recorded] = await record.turns();
  const expected = [
    ['changed.txt', 'changed', 1, 1, 1],
    ['deleted.txt', 'deleted', 0, 1, 1],
    ['folder/added name.txt', 'added', 1, 0, 1],
  ];
  expect([brief(await record.changes()), brief(await record.changesOf(recorded!))]).toEqual([expected, expected]);
});

test('a turn that changed nothing is forgotten', async () => {
  await put('a.txt', 'one\n');
  await record.end(await record.begin(turn));
  expect([await record.turns(), await record.changes()]).toEqual([[], []]);
});

test('accepted hunks are not shown again, and rejected hunks disappear from the file', async () => {
  await put('a.txt', lines(...twenty));
  const begun = await record.begin(turn);
  await put('a.txt', lines('first', 'second', ...twenty.slice(1, 9), 'ten', ...twenty.slice(10, 19), 'last'));
  await record.end(begun);
  const [file] = await record.changes();
  const [first, tenth, last] = file!.hunks;
  await record.accept([{ file: file!, hunks: new Set([first!, last!]) }]);
  const rest = await record.changes();
  const { failures } = await record.takeBack([{ file: file!, hunks: new Set([tenth!]) }]);
  expect({
    ids: [rest[0]?.hunks.map(({ id }) => id), [tenth?.id]],
    failures,
    left: await record.changes(),
    text: await read('a.txt'),
  }).toEqual({
    ids: [[tenth?.id], [tenth?.id]],
    failures: [],
    left: [],
    text: lines('first', 'second', ...twenty.slice(1, 19), 'last'),
  });
});

test('rejecting a hunk between equal blocks changes only its own block', async () => {
  const block = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'];
  const original = [...block, ...block, ...block, ...block];
  await put('a.txt', lines(...original));
  const begun = await record.begin(turn);
  const changed = [...original];
  changed.splice(27, 1, 'X');
  changed.splice(19, 1, 'X');
  changed.splice(3, 1, 'X', 'new', 'lines', 'that', 'move', 'the', 'rest', 'by', 'nine');
  await put('a.txt', lines(...changed));
  await record.end(begun);
  const [file] = await record.changes();
  await record.takeBack([{ file: file!, hunks: new Set(file!.hunks.slice(0, 2)) }]);
  const expected = [...original];
  expected.splice(27, 1, 'X');
  expect([file?.hunks.length, await read('a.txt')]).toEqual([3, lines(...expected)]);
});

test('rejecting leaves a file that has changed since as it is, with the reason, and restores the others', async () => {
  await put('a.txt', lines(...twenty));
  await put('b.txt', 'one\n');
  const begun = await record.begin(turn);
  await put('a.txt', lines('ONE', ...twenty.slice(1)));
  await put('b.txt', 'two\n');
  await record.end(begun);
  const [recorded] = await record.turns();
  const files = await record.changesOf(recorded!);
  await put('a.txt', lines('mine', ...twenty.slice(1)));
  expect([
    (await record.takeBack(files.map((file) => ({ file })))).failures,
    await read('a.txt'),
    await read('b.txt'),
  ]).toEqual([[{ path: 'a.txt', why: 'it was changed since' }], lines('mine', ...twenty.slice(1)), 'one\n']);
});

test('the index, the refs, the stash, the hooks and the settings of the user’s repository stay as they are', async () => {
  git('init', '--quiet');
  await put('.gitignore', 'ignored/\n');
  await put('.gitattributes', '*.txt filter=evil text eol=crlf\n');
  await put('kept.txt', 'one\r\n');
  const ran = join(base, 'ran');
  git('config', 'filter.evil.clean', `touch ${ran}`);
  git('config', 'core.fsmonitor', `touch ${ran}`);
  git('-c', 'filter.evil.clean=cat', '-c', 'core.fsmonitor=false', 'add', '.gitignore', '.gitattributes');
  git('-c', 'user.name=u', '-c', 'user.email=e', '-c', 'core.fsmonitor=false', 'commit', '--quiet', '-m', 'first');
  await rm(ran, { force: true });
  const own = async (): Promise<readonly string[]> => {
    const names = await readdir(join(folder, '.git'), { recursive: true, withFileTypes: true });
    const files = names.filter((each) => each.isFile()).map(({ parentPath, name }) => join(parentPath, name));
    return Promise.all(files.toSorted().map(async (path) => `${path} ${await readFile(path, 'base64')}`));
  };
  const before = await own();
  await put('ignored/secret.txt', 'secret\n');
  const begun = await record.begin(turn);
  await put('kept.txt', 'two\r\n');
  await put('ignored/secret.txt', 'other\n');
  await record.end(begun);
  const files = await record.changes();
  const { failures } = await record.takeBack(files.map((file) => ({ file })));
  expect({
    files: brief(files),
    failures,
    text: await read('kept.txt'),
    own: await own(),
    ran: await readFile(ran).catch(() => 'nothing'),
  }).toEqual({ files: [['kept.txt', 'changed', 1, 1, 1]], failures: [], text: 'one\r\n', own: before, ran: 'nothing' });
});

test('a turn whose process was killed is kept, and shows the changes until now', async () => {
  await put('a.txt', 'one\n');
  await record.begin(turn);
  await put('a.txt', 'two\n');
  const other = new FolderRecord(folder, join(base, 'records'));
  await writeFile(join(base, 'records', (await readdir(join(base, 'records')))[0]!, 'index.lock'), '');
  const [killed] = await other.turns();
  await other.end(await other.begin({ ...turn, id: 'next' }));
  expect([killed?.after, brief(await other.changesOf(killed!)), (await other.turns()).length]).toEqual([
    undefined,
    [['a.txt', 'changed', 1, 1, 1]],
    1,
  ]);
});

test('bytes of every kind, modes and links are recorded and restored', async () => {
  await put('latin.txt', Buffer.from('stra\xdfe\nwei\xdf\n', 'latin1'));
  await put('binary', Buffer.from([0, 1, 2, 255]));
  await put('tool.sh', 'echo\n');
  await symlink('latin.txt', join(folder, 'link'));
  await put('no-newline', 'one');
  const begun = await record.begin(turn);
  await put('latin.txt', Buffer.from('stra\xdfen\nwei\xdf\n', 'latin1'));
  await put('binary', Buffer.from([0, 9, 2, 255]));
  await chmod(join(folder, 'tool.sh'), 0o755);
  await rm(join(folder, 'link'));
  await put('no-newline', 'two\n');
  await record.end(begun);
  const files = await record.changes();
  const { failures } = await record.takeBack(files.map((file) => ({ file })));
  expect({
    paths: files.map(({ path, hunks }) => [path, hunks.length]),
    failures,
    latin: await readFile(join(folder, 'latin.txt'), 'latin1'),
    binary: [...(await readFile(join(folder, 'binary')))],
    link: await readlink(join(folder, 'link')),
    text: await read('no-newline'),
    left: await record.changes(),
  }).toEqual({
    paths: [
      ['binary', 0],
      ['latin.txt', 1],
      ['link', 1],
      ['no-newline', 1],
      ['tool.sh', 0],
    ],
    failures: [],
    latin: 'stra\xdfe\nwei\xdf\n',
    binary: [0, 1, 2, 255],
    link: 'latin.txt',
    text: 'one',
    left: [],
  });
});

test('a nested repository without a commit, and a file that cannot be read, do not stop the record', async () => {
  await put('a.txt', 'one\n');
  await mkdir(join(folder, 'nested'));
  execFileSync('git', ['init', '--quiet', join(folder, 'nested')]);
  await put('nested/file.txt', 'x\n');
  const begun = await record.begin(turn);
  await put('a.txt', 'two\n');
  await record.end(begun);
  expect(brief(await record.changes())).toEqual([['a.txt', 'changed', 1, 1, 1]]);
});

test('the settings of a nested repository run no program', async () => {
  const nested = join(folder, 'nested');
  const ran = join(base, 'ran');
  await put('nested/.gitattributes', '*.txt filter=evil\n');
  await put('nested/file.txt', 'x\n');
  const inNested = (...words: readonly string[]): string =>
    execFileSync('git', ['-c', 'user.name=u', '-c', 'user.email=e', ...words], { cwd: nested, encoding: 'utf8' });
  inNested('init', '--quiet');
  inNested('add', '.');
  inNested('commit', '--quiet', '-m', 'first');
  inNested('config', 'core.fsmonitor', `touch ${ran}`);
  inNested('config', 'filter.evil.clean', `touch ${ran}; cat`);
  const begun = await record.begin(turn);
  await put('nested/file.txt', 'y\n');
  await put('a.txt', 'new\n');
  await record.end(begun);
  const files = await record.changes();
  expect([brief(files), await readFile(ran).catch(() => 'nothing')]).toEqual([
    [['a.txt', 'added', 1, 0, 1]],
    'nothing',
  ]);
});

test('a file of more than 64 MiB is not recorded', async () => {
  await put('a.txt', 'one\n');
  const begun = await record.begin(turn);
  await put('a.txt', 'two\n');
  const large = await open(join(folder, 'large [1].bin'), 'w');
  await large.truncate(64 * 1024 * 1024 + 1);
  await large.close();
  await record.end(begun);
  expect(brief(await record.changes())).toEqual([['a.txt', 'changed', 1, 1, 1]]);
});

test('a record in the folder does not record itself', async () => {
  await put('a.txt', 'one\n');
  const own = new FolderRecord(folder, join(folder, 'state', 'reviews'));
  const begun = await own.begin(turn);
  await put('a.txt', 'two\n');
  await own.end(begun);
  expect(brief(await own.changes())).toEqual([['a.txt', 'changed', 1, 1, 1]]);
});

test('changes between reviewed turns are the user’s own, and are not shown', async () => {
  await put('a.txt', 'one\n');
  const first = await record.begin(turn);
  await put('a.txt', 'two\n');
  await record.end(first);
  await record.acceptAll();
  await put('mine.txt', 'mine\n');
  const second = await record.begin(turn);
  await put('b.txt', 'new\n');
  await record.end(second);
  expect(brief(await record.changes())).toEqual([['b.txt', 'added', 1, 0, 1]]);
});

test('a turn whose process was killed is not undone, because later files may be the user’s', async () => {
  await put('f.txt', 'one\n');
  await record.begin(turn);
  await put('f.txt', 'two\n');
  const other = new FolderRecord(folder, join(base, 'records'));
  await put('mine.txt', 'mine\n');
  await put('f.txt', 'two\nmine\n');
  const [killed] = await other.turns();
  await expect(other.undo(killed!)).rejects.toThrow(UnfinishedTurn);
  expect([await read('f.txt'), await read('mine.txt'), await other.turns()]).toEqual([
    'two\nmine\n',
    'mine\n',
    [killed],
  ]);
});

test('an ignored file that one turn names stays when another turn, which ran at that time, is undone', async () => {
  git('init', '--quiet');
  await put('.gitignore', '.env\n');
  await put('.env', 'KEY=1\n');
  const first = await record.begin(turn);
  const second = await record.begin({ ...turn, id: 'second', sessionId: 'other' });
  await record.include(join(folder, '.env'));
  await put('a.txt', 'a\n');
  await record.end(first);
  await record.end(second);
  const [recorded] = await record.turns();
  const { restored } = await record.undo(recorded!);
  expect([restored.map(({ path }) => path), await read('.env')]).toEqual([['a.txt'], 'KEY=1\n']);
});

test.skipIf(process.platform === 'win32')(
  'a pipe in place of the user’s excluded patterns does not stop the record',
  async () => {
    git('init', '--quiet');
    await rm(join(folder, '.git', 'info', 'exclude'), { force: true });
    await mkdir(join(folder, '.git', 'info'), { recursive: true });
    execFileSync('mkfifo', [join(folder, '.git', 'info', 'exclude')]);
    const begun = await record.begin(turn);
    await put('a.txt', 'one\n');
    await record.end(begun);
    expect(brief(await record.changes())).toEqual([['a.txt', 'added', 1, 0, 1]]);
  },
);

test('undoing a turn removes and makes nothing outside of the folder through a link that replaced a folder', async () => {
  const outside = join(base, 'outside');
  await mkdir(join(outside, 'empty'), { recursive: true });
  await put('a/deep/b.txt', 'one\n');
  await put('c', 'one\n');
  const begun = await record.begin(turn);
  await rm(join(folder, 'a'), { recursive: true });
  await rm(join(folder, 'c'));
  await record.end(begun);
  const [recorded] = await record.turns();
  const { planned } = await record.planTakingBack(await record.changesToUndo(recorded!));
  // After the plan, so that only the restoration can notice it.
  await symlink(outside, join(folder, 'a'));
  await symlink(outside, join(folder, 'c'));
  const why: unknown[] = [];
  for (const each of planned)
    await record.restore(each).catch((error: unknown) => why.push([each.path, (error as Error).message]));
  expect([why, await readdir(outside, { recursive: true })]).toEqual([
    [
      ['a/deep/b.txt', 'a link replaced a folder above it'],
      ['c', 'it exists again'],
    ],
    ['empty'],
  ]);
});

/** A file and a folder of one name never exist at once, but one may replace the other. */
const names = ['a', 'a/b', 'b', 'dir/a', 'dir/b', 'dir/deep/c'];
const text = fc.array(fc.constantFrom('x', 'y', 'z', ''), { maxLength: 8 }).map((each) => each.join('\n'));
const tree = fc.dictionary(fc.constantFrom(...names), text).filter((files) => !('a' in files && 'a/b' in files));
const runs = Number(process.env['TURNWIRE_TREES'] ?? 15);

test(
  'random trees are restored by taking back every change',
  async () => {
    const replace = async (files: Readonly<Record<string, string>>): Promise<void> => {
      await rm(folder, { recursive: true, force: true });
      await mkdir(folder);
      for (const [path, content] of Object.entries(files)) await put(path, content);
    };
    const state = async (): Promise<Readonly<Record<string, string>>> => {
      const found = await Promise.all(names.map(async (path) => [path, await read(path).catch(() => undefined)]));
      return Object.fromEntries(found.filter(([, content]) => content !== undefined));
    };
    await fc.assert(
      fc.asyncProperty(tree, tree, async (one, other) => {
        await replace(one);
        const begun = await record.begin(turn);
        await replace(other);
        await record.end(begun);
        const files = await record.changesOf(begun);
        const { failures } = await record.takeBack(files.map((file) => ({ file })));
        expect([failures, await state()]).toEqual([[], one]);
        await record.acceptAll();
      }),
      { numRuns: runs, seed: 20261128 },
    );
  },
  runs * 4_000,
);
