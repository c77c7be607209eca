import { execFileSync } from 'node:child_process';
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
  const proposed = await proposedCommit(record);
  const { commit, ...made } = await commitReview(record, {});
  expect({
    proposed,
    made,
    head: git('log', '-1', '--format=%H %an <%ae>').trim() === `${commit} Ada <ada@example.org>`,
    changes: git('show', '--format=', '--name-status', 'HEAD').trim().split('\n'),
    text: git('show', 'HEAD:a.txt'),
    status: git('status', '--porcelain').trimEnd().split('\n'),
    again: await proposedCommit(record),
    open: (await record.changes()).map(({ path, hunks }) => `${path} ${hunks.length}`),
  }).toEqual({
    proposed: { message: 'change files', files: ['a.txt', 'gone.txt', 'new.txt'] },
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

test('outside of a repository nothing is committed or proposed', async () => {
  await rm(join(project, '.git'), { recursive: true });
  await turn(() => write('a.txt', 'one\n'));
  expect(await proposedCommit(record)).toBeUndefined();
  await expect(commitReview(record, { isWhole: true })).rejects.toThrow('is not in a git repository');
});
