import { execFileSync, spawnSync } from 'node:child_process';
import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FolderRecord } from '@turnwire/machine/folder-record';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { commitReview, proposedCommit } from '../../src/review/index.ts';

let base = '';
let project = '';
let record: FolderRecord;
beforeEach(async () => {
  base = await mkdtemp(join(tmpdir(), 'turnwire-commit-'));
  project = join(base, 'project');
  await mkdir(project);
  git('init', '--quiet', '--initial-branch', 'main');
  git('config', 'user.name', 'Ada');
  git('config', 'user.email', 'ada@example.org');
  record = new FolderRecord(project, join(base, 'records'));
});
afterEach(() => rm(base, { recursive: true, force: true, maxRetries: 3 }));

const git = (...words: readonly string[]): string => execFileSync('git', words, { cwd: project, encoding: 'utf8' });
const write = (name: string, text: string): Promise<void> => writeFile(join(project, name), text);
const lines = (first: string, last: string): string =>
  [first, ...Array.from({ length: 12 }, (_, at) => `line ${at}`), last].map((line) => `${line}\n`).join('');

/** Commits files of the user. */
async function committed(files: Readonly<Record<string, string>>): Promise<void> {
  for (const [name, text] of Object.entries(files)) await write(name, text);
  git('add', '--all');
  git('commit', '--quiet', '-m', 'of the user');
}

async function turn(work: () => Promise<void>, prompt = 'change files\nin two lines'): Promise<void> {
  const begun = await record.begin({ id: 't', sessionId: 's', agent: 'coder', prompt });
  await work();
  await record.end(begun);
}

async function accept(path: string, hunk?: number): Promise<void> {
  const [file] = await record.changes([path]);
  if (!file) throw new Error(`${path} has not changed`);
  const chosen = file.hunks.slice(hunk, hunk === undefined ? undefined : hunk + 1);
  await record.accept([hunk === undefined ? { file } : { file, hunks: new Set(chosen) }]);
}

test('a commit has the accepted hunks and files, and nothing else of the user or the agent', async () => {
  await committed({ 'a.txt': lines('first', 'last'), 'gone.txt': 'gone\n', 'own.txt': 'own\n', 'staged.txt': 'old\n' });
  await write('own.txt', 'edited by the user\n');
  await write('staged.txt', 'staged by the user\n');
  git('add', 'staged.txt');
  await turn(async () => {
    await write('a.txt', lines('FIRST', 'LAST'));
    await write('new.txt', 'new\n');
    await write('open.txt', 'open\n');
    await rm(join(project, 'gone.txt'));
  });
  await accept('a.txt', 0);
  await accept('new.txt');
  await accept('gone.txt');
  const objects = git('count-objects');
  const proposed = await proposedCommit(record);
  const written = git('count-objects') === objects ? 'nothing' : git('count-objects');
  const { commit, ...made } = await commitReview(record, {});
  expect({
    proposed,
    written,
    made,
    head: git('log', '-1', '--format=%H %an <%ae>').trim() === `${commit} Ada <ada@example.org>`,
    changes: git('show', '--format=', '--name-status', 'HEAD').trim().split('\n'),
    text: git('show', 'HEAD:a.txt'),
    status: git('status', '--porcelain').trimEnd().split('\n'),
    again: await proposedCommit(record),
    open: (await record.changes()).map(({ path, hunks }) => `${path} ${hunks.length}`),
  }).toEqual({
    proposed: { message: 'change files', files: ['a.txt', 'gone.txt', 'new.txt'] },
    written: 'nothing',
    made: { message: 'change files', files: ['a.txt', 'gone.txt', 'new.txt'], skippedHooks: false },
    head: true,
    changes: ['M\ta.txt', 'D\tgone.txt', 'A\tnew.txt'],
    text: lines('FIRST', 'last'),
    status: [' M a.txt', ' M own.txt', 'M  staged.txt', '?? open.txt'],
    again: undefined,
    open: ['a.txt 1', 'open.txt 1'],
  });
  await expect(commitReview(record, {})).rejects.toThrow('nothing that was accepted is uncommitted');
});

test('without an acceptance nothing is proposed, not even changes that the user made before a turn', async () => {
  await write('a.txt', 'of the user\n');
  await turn(() => write('a.txt', 'one\n'));
  const before = await proposedCommit(record);
  await accept('a.txt');
  const accepted = await proposedCommit(record);
  await commitReview(record, {});
  await write('a.txt', 'of the user again\n');
  await turn(() => write('a.txt', 'two\n'));
  expect([before, accepted?.files, await proposedCommit(record)]).toEqual([undefined, ['a.txt'], undefined]);
});

test('the first commit of a repository takes everything that agents changed, if the user wants it', async () => {
  await write('own.txt', 'own\n');
  await turn(() => write('a.txt', 'one\n'));
  const { files } = await commitReview(record, { message: 'all of it', isWhole: true });
  expect([
    files,
    git('log', '--format=%s').trim(),
    git('status', '--porcelain').trim(),
    await record.changes(),
  ]).toEqual([['a.txt'], 'all of it', '?? own.txt', []]);
});

test('hooks run only if the user wants it, and a commit that a hook refuses changes nothing', async () => {
  await committed({ 'a.txt': 'one\n' });
  await write('.git/hooks/pre-commit', '#!/bin/sh\necho no such luck >&2\nexit 1\n');
  await chmod(join(project, '.git/hooks/pre-commit'), 0o755);
  await turn(() => write('a.txt', 'two\n'));
  await accept('a.txt');
  const refused = await commitReview(record, { runsHooks: true }).catch((error: unknown) => String(error));
  const status = git('status', '--porcelain').trimEnd();
  const { skippedHooks } = await commitReview(record, {});
  expect([refused, status, skippedHooks, git('log', '-1', '--format=%s').trim()]).toEqual([
    expect.stringContaining('no such luck'),
    ' M a.txt',
    true,
    'change files',
  ]);
});

test('in a linked working tree, the hooks of the repository count as skipped', async () => {
  await committed({ 'a.txt': 'one\n' });
  await write('.git/hooks/pre-commit', '#!/bin/sh\nexit 1\n');
  const linked = join(base, 'linked');
  git('worktree', 'add', '--quiet', linked);
  record = new FolderRecord(linked, join(base, 'records'));
  await turn(() => writeFile(join(linked, 'a.txt'), 'two\n'));
  await accept('a.txt');
  expect((await commitReview(record, {})).skippedHooks).toBe(true);
});

test('outside of a repository nothing is committed or proposed', async () => {
  await rm(join(project, '.git'), { recursive: true });
  await turn(() => write('a.txt', 'one\n'));
  expect(await proposedCommit(record)).toBeUndefined();
  await expect(commitReview(record, { isWhole: true })).rejects.toThrow('is not in a git repository');
});

const reason = (error: unknown): string => (error instanceof Error ? error.message : String(error));

test('a commit is refused in the middle of a merge, a cherry-pick and a rebase, which stay as they are', async () => {
  await committed({ 'a.txt': 'one\n', 'b.txt': 'one\n' });
  git('checkout', '--quiet', '-b', 'side');
  await committed({ 'b.txt': 'side\n' });
  git('checkout', '--quiet', 'main');
  await committed({ 'b.txt': 'main\n' });
  await turn(() => write('new.txt', 'new\n'));
  await accept('new.txt');
  const refused: string[] = [];
  for (const [word, name] of [
    ['merge', 'MERGE_HEAD'],
    ['cherry-pick', 'CHERRY_PICK_HEAD'],
    ['rebase', 'REBASE_HEAD'],
  ] as const) {
    const conflict = spawnSync('git', [word, 'side'], { cwd: project });
    const before = git('log', '-1', '--format=%s %H');
    refused.push(`${conflict.status} ${await commitReview(record, {}).then(() => 'committed', reason)}`);
    expect([git('log', '-1', '--format=%s %H'), git('rev-parse', name).length > 0]).toEqual([before, true]);
    git(word, '--abort');
  }
  const { files } = await commitReview(record, {});
  const middle = (what: string): string =>
    `1 ${record.folder} is in the middle of a ${what}: finish or abort it, then commit`;
  expect([refused, files]).toEqual([['merge', 'cherry-pick', 'rebase'].map(middle), ['new.txt']]);
});

test('while another program writes the index, nothing is committed; if it begins during the commit, the error names the commit', async () => {
  await committed({ 'a.txt': 'one\n' });
  await turn(() => write('a.txt', 'two\n'));
  await accept('a.txt');
  const lock = join(project, '.git/index.lock');
  await writeFile(lock, '');
  const before = await commitReview(record, {}).catch(reason);
  await rm(lock);
  const commits = git('log', '--format=%s').trim();
  await write('.git/hooks/post-commit', `#!/bin/sh\n: > '${lock}'\n`);
  await chmod(join(project, '.git/hooks/post-commit'), 0o755);
  const during = await commitReview(record, { runsHooks: true }).catch(reason);
  expect([before, commits, during]).toEqual([
    expect.stringContaining('another git works in'),
    'of the user',
    expect.stringContaining(`${git('rev-parse', 'HEAD').trim()} was committed, but its files are not in the index`),
  ]);
});

test('a commit that the user makes meanwhile is not taken back', async () => {
  await committed({ 'a.txt': 'one\n', 'own.txt': 'one\n' });
  await turn(() => write('a.txt', 'two\n'));
  await accept('a.txt');
  const blob = record.blob.bind(record);
  record.blob = async (entry) => {
    await write('own.txt', 'two\n');
    git('commit', '--quiet', '-m', 'meanwhile', 'own.txt');
    record.blob = blob;
    return blob(entry);
  };
  const refused = await commitReview(record, {}).catch(reason);
  const { files } = await commitReview(record, {});
  expect([refused, files, git('show', 'HEAD:own.txt')]).toEqual([
    'another commit was made meanwhile; commit again',
    ['a.txt'],
    'two\n',
  ]);
});
