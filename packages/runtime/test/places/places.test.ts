import { execFileSync } from 'node:child_process';
import {
  chmod,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  realpath,
  rename,
  rm,
  symlink,
  utimes,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type Place, PlaceError, placeKinds, Places } from '../../src/places/index.ts';
import { UserGit } from '../../src/places/user-git.ts';

let base = '';
let project = '';
let places: Places;

beforeEach(async () => {
  base = await realpath(await mkdtemp(join(tmpdir(), 'turnwire-places-')));
  project = join(base, 'project');
  await mkdir(project);
  places = new Places(join(base, 'records'), join(base, 'places'));
});
afterEach(() => rm(base, { recursive: true, force: true, maxRetries: 5 }));

const git = (folder: string, ...words: readonly string[]): string =>
  execFileSync('git', ['-c', 'user.name=Test', '-c', 'user.email=test@localhost', ...words], {
    cwd: folder,
    encoding: 'utf8',
    stdio: 'pipe',
  });
async function put(folder: string, files: Readonly<Record<string, string>>): Promise<void> {
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), text);
  }
}
const read = (folder: string, path: string): Promise<string> =>
  readFile(join(folder, path), 'utf8').catch(() => 'missing');
const lines = (...all: readonly string[]): string => all.map((line) => `${line}\n`).join('');
const middle = Array.from({ length: 10 }, (_, at) => `line ${at}`);

async function repository(files: Readonly<Record<string, string>> = { 'a.txt': 'one\n' }): Promise<void> {
  git(project, 'init', '-q', '-b', 'main');
  git(project, 'config', 'user.name', 'Test');
  git(project, 'config', 'user.email', 'test@localhost');
  await put(project, files);
  git(project, 'add', '-A');
  git(project, 'commit', '-qm', 'first');
}
/** Everything of a repository that belongs to its user. */
async function userState(): Promise<readonly string[]> {
  const refs = git(project, 'for-each-ref', 'refs/heads/main', 'refs/stash', 'refs/tags');
  const hooks = await readdir(join(project, '.git', 'hooks'));
  const index = (await readFile(join(project, '.git', 'index'))).toString('base64');
  return [refs, git(project, 'stash', 'list'), hooks.join(), index, await read(project, '.git/config')];
}
const commitIn = async ({ folder }: Place, files: Readonly<Record<string, string>>): Promise<void> => {
  await put(folder, files);
  git(folder, 'add', '-A');
  git(folder, 'commit', '-qm', 'work');
};
const failure = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'no error',
    (error: unknown) => (error instanceof PlaceError ? error.message : `not a PlaceError: ${String(error)}`),
  );

for (const kind of placeKinds) {
  test(`a ${kind} has its own branch with the committed files, and goes without a trace`, async () => {
    await repository({ 'a.txt': 'one\n', 'folder/b.txt': 'two\n' });
    const before = await userState();
    const place = await places.make({ kind, cwd: join(project, 'folder'), name: 'fix' });
    const facts = [place.cwd, git(place.folder, 'branch', '--show-current'), await read(place.cwd, 'b.txt')];
    const status = git(place.folder, 'status', '--porcelain');
    await places.remove('fix', false);
    expect({
      facts,
      status,
      left: await readdir(join(base, 'places')),
      records: await readdir(join(base, 'records')),
    }).toEqual({
      facts: [join(base, 'places', 'fix', 'folder'), 'turnwire/fix\n', 'two\n'],
      status: '',
      left: [],
      records: [],
    });
    expect(await userState()).toEqual(before);
  });

  test(`a ${kind} takes uncommitted changes along as uncommitted ones, and leaves the origin as it is`, async () => {
    await repository({ 'a.txt': 'one\n', 'staged.txt': 'one\n', 'deleted.txt': 'gone\n', '.gitignore': 'ignored\n' });
    await put(project, { 'a.txt': 'two\n', 'staged.txt': 'two\n', 'new/file.txt': 'new\n', ignored: 'secret\n' });
    git(project, 'add', 'staged.txt');
    await rm(join(project, 'deleted.txt'));
    const before = [await userState(), git(project, 'status', '--porcelain')];
    const { folder } = await places.make({ kind, cwd: project, name: 'dirty', withChanges: true });
    expect({
      status: git(folder, 'status', '--porcelain', '-uall').split('\n').toSorted(),
      ignored: await read(folder, 'ignored'),
      origin: [await userState(), git(project, 'status', '--porcelain')],
      changes: await places.changes('dirty'),
    }).toEqual({
      status: ['', ' D deleted.txt', ' M a.txt', ' M staged.txt', '?? new/file.txt'],
      ignored: kind === 'copy' ? 'secret\n' : 'missing',
      origin: before,
      changes: [],
    });
  });

  test(`a ${kind} with work is not removed unless that is forced`, async () => {
    await repository();
    const place = await places.make({ kind, cwd: project, name: 'work' });
    await commitIn(place, { 'a.txt': 'two\n' });
    await put(place.folder, { 'new.txt': 'new\n' });
    const refused = await failure(places.remove('work', false));
    const pruned = await places.prune();
    await places.remove('work', true);
    expect({
      refused,
      pruned: pruned.map(({ work, isRemoved }) => [work, isRemoved]),
      left: await readdir(join(base, 'places')),
      branches: git(project, 'branch', '--list', 'turnwire/*'),
    }).toEqual({
      refused: expect.stringContaining('has 1 changed file not committed and 1 commit not merged'),
      pruned: [[{ uncommitted: 1, unmerged: 1 }, false]],
      left: [],
      branches: '',
    });
  });

  test(`the commits of a ${kind} are merged into the branch of the origin, and then prune removes it`, async () => {
    await repository();
    const place = await places.make({ kind, cwd: project, name: 'merged' });
    await commitIn(place, { 'a.txt': 'two\n' });
    await put(place.folder, { 'new.txt': 'new\n' });
    const refused = await failure(places.merge('merged'));
    const merged = await places.merge('merged', 'the rest');
    const pruned = (await places.prune()).map(({ name, isRemoved }) => [name, isRemoved]);
    expect({
      refused,
      merged,
      log: git(project, 'log', '--format=%s').trim().split('\n'),
      files: [await read(project, 'a.txt'), await read(project, 'new.txt')],
      pruned,
      left: await readdir(join(base, 'places')),
    }).toEqual({
      refused:
        '1 changed file in the place merged is not committed: commit first, or give --message TEXT to commit all of them',
      merged: { conflicts: [] },
      log: ['the rest', 'work', 'first'],
      files: ['two\n', 'new\n'],
      pruned: [['merged', true]],
      left: [],
    });
  });

  test(`a merge of a ${kind} with conflicts leaves them to resolve in the origin`, async () => {
    await repository();
    const place = await places.make({ kind, cwd: project, name: 'conflict' });
    await commitIn(place, { 'a.txt': 'theirs\n', 'clean.txt': 'clean\n' });
    await put(project, { 'a.txt': 'ours\n' });
    git(project, 'commit', '-qam', 'ours');
    const merged = await places.merge('conflict');
    const marked = await read(project, 'a.txt');
    await put(project, { 'a.txt': 'both\n' });
    git(project, 'add', 'a.txt');
    git(project, 'commit', '-q', '--no-edit');
    await places.remove('conflict', false);
    expect({ merged, marked, log: git(project, 'log', '--format=%s', '--first-parent').trim().split('\n') }).toEqual({
      merged: { conflicts: ['a.txt'] },
      marked: expect.stringMatching(/^<<<<<<< HEAD\nours\n=======\ntheirs\n>>>>>>> /),
      log: ['Merge the place conflict', 'ours', 'first'],
    });
  });

  test(`the changes of a ${kind} are applied to the files of the origin and merged with its own`, async () => {
    await repository({ 'a.txt': lines('first', ...middle, 'last'), 'deleted.txt': 'gone\n' });
    const before = await userState();
    const place = await places.make({ kind, cwd: project, name: 'applied' });
    await commitIn(place, { 'a.txt': lines('FIRST', ...middle, 'last') });
    await put(place.folder, { 'new.txt': 'new\n' });
    await rm(join(place.folder, 'deleted.txt'));
    await put(project, { 'a.txt': lines('first', ...middle, 'LAST') });
    const applied = await places.apply('applied');
    const [listed] = await places.list();
    const refused = await failure(places.remove('applied', false));
    const state = await userState();
    const status = git(project, 'status', '--porcelain').split('\n');
    const a = await read(project, 'a.txt');
    git(project, 'checkout', '-q', '--', '.');
    const [discarded] = await places.prune();
    expect({
      applied,
      work: listed?.work,
      refused,
      discarded: [discarded?.work?.unmerged, discarded?.isRemoved],
      a,
      state,
      status,
    }).toEqual({
      applied: { conflicts: [] },
      work: { uncommitted: 0, unmerged: 1 },
      refused: expect.stringContaining('the place applied has 1 commit not merged.'),
      discarded: [1, false],
      a: lines('FIRST', ...middle, 'LAST'),
      state: before,
      status: [' M a.txt', ' D deleted.txt', '?? new.txt', ''],
    });
  });

  test(`nothing of a ${kind} is applied if there is a conflict`, async () => {
    await repository({ 'a.txt': 'one\n', 'b.txt': 'one\n' });
    const { folder } = await places.make({ kind, cwd: project, name: 'refused' });
    await put(folder, { 'a.txt': 'theirs\n', 'b.txt': 'theirs\n' });
    await put(project, { 'a.txt': 'ours\n' });
    const applied = await places.apply('refused');
    expect([applied, await read(project, 'a.txt'), await read(project, 'b.txt')]).toEqual([
      { conflicts: ['a.txt'] },
      'ours\n',
      'one\n',
    ]);
  });
}

for (const kind of ['worktree', 'clone'] as const)
  test(`a ${kind} gets the untracked files that .worktreeinclude names, and no others`, async () => {
    await repository({ '.gitignore': '.env*\nbuild/\n', '.worktreeinclude': '.env\n/build/cache/**\n!*.tmp\n' });
    await put(project, {
      '.env': 'key\n',
      '.env.other': 'no\n',
      'build/cache/a': 'a\n',
      'build/cache/b.tmp': 'no\n',
      'build/out': 'no\n',
    });
    await put(project, { 'sub/.env': 'sub\n', 'plain.txt': 'no\n' });
    await chmod(join(project, '.env'), 0o755);
    await symlink('/etc/hostname', join(project, 'build/cache/link'));
    const { folder } = await places.make({ kind, cwd: project });
    const found = execFileSync('git', ['ls-files', '--others'], { cwd: folder, encoding: 'utf8' });
    const mode = execFileSync('stat', ['-c', '%a', join(folder, '.env')], { encoding: 'utf8' });
    expect([found.split('\n'), mode]).toEqual([['.env', 'build/cache/a', 'build/cache/link', 'sub/.env', ''], '755\n']);
  });

test('a clone shares no file of its objects with the origin', async () => {
  await repository();
  const { folder } = await places.make({ kind: 'clone', cwd: project });
  const shared = execFileSync('find', [join(folder, '.git', 'objects'), '-type', 'f', '-links', '+1'], {
    encoding: 'utf8',
  });
  expect([shared, await read(folder, '.git/objects/info/alternates')]).toEqual(['', 'missing']);
});

test('work on other branches of a clone counts as work that would be lost', async () => {
  await repository();
  const place = await places.make({ kind: 'clone', cwd: project, name: 'branches' });
  git(place.folder, 'checkout', '-qb', 'other');
  await commitIn(place, { 'a.txt': 'two\n' });
  git(place.folder, 'checkout', '-q', 'turnwire/branches');
  expect((await places.list()).map(({ work }) => work)).toEqual([{ uncommitted: 0, unmerged: 1 }]);
});

test('a copy of a folder outside of a repository has every file, and its changes are merged with conflict markers', async () => {
  await put(project, { 'a.txt': 'one\n', 'b.txt': 'one\n', 'folder/c.txt': 'one\n' });
  const place = await places.make({ kind: 'copy', cwd: project, name: 'plain' });
  await put(place.folder, { 'a.txt': 'theirs\n', 'b.txt': 'theirs\n' });
  await put(project, { 'a.txt': 'ours\n' });
  const [listed] = await places.list();
  const applied = await places.apply('plain');
  const untouched = await read(project, 'b.txt');
  const merged = await places.merge('plain');
  expect({
    files: (await readdir(place.folder)).toSorted(),
    changed: (await places.changes('plain')).map(({ path }) => path),
    work: listed?.work,
    applied,
    untouched,
    merged,
    a: await read(project, 'a.txt'),
    b: await read(project, 'b.txt'),
  }).toEqual({
    files: ['a.txt', 'b.txt', 'folder'],
    changed: ['a.txt', 'b.txt'],
    work: { uncommitted: 2, unmerged: 0 },
    applied: { conflicts: ['a.txt'] },
    untouched: 'one\n',
    merged: { conflicts: ['a.txt'] },
    a: expect.stringMatching(/^<<<<<<< .*\nours\n=======\ntheirs\n>>>>>>> /),
    b: 'theirs\n',
  });
});

/** A program that records that it ran. */
async function evilProgram(): Promise<string> {
  const program = join(base, 'program');
  await writeFile(program, `#!/bin/sh\necho "$0 $*" >> ${join(base, 'ran')}\ncat\n`, { mode: 0o755 });
  return program;
}
/** Makes a folder a repository whose filter git runs when it looks for changes. */
async function nestedRepository(folder: string, program: string): Promise<void> {
  git(folder, 'init', '-q');
  await put(folder, { 'n.txt': 'one\n', '.gitattributes': 'n.txt filter=nested\n' });
  git(folder, 'add', '-A');
  git(folder, 'commit', '-qm', 'nested');
  git(folder, 'config', 'filter.nested.clean', program);
  await put(folder, { 'n.txt': 'two\n' });
}

test('the hooks, filters and monitors that a repository and its nested repositories configure do not run', async () => {
  const program = await evilProgram();
  await mkdir(join(project, 'nested'));
  await nestedRepository(join(project, 'nested'), program);
  await repository({
    'a.txt': 'one\n',
    'd.txt': 'one\n',
    '.gitattributes': 'a.txt filter=evil merge=evil diff=evil\nd.txt filter=a=b\n',
  });
  await rm(join(base, 'ran'), { force: true });
  const hooks =
    'post-checkout pre-commit post-commit post-merge pre-merge-commit post-index-change reference-transaction';
  for (const hook of hooks.split(' '))
    await writeFile(join(project, '.git', 'hooks', hook), `#!/bin/sh\necho ${hook} >> ${join(base, 'ran')}\n`, {
      mode: 0o755,
    });
  for (const key of [
    'filter.evil.clean',
    'filter.evil.smudge',
    'filter.a=b.clean',
    'filter.a=b.smudge',
    'core.fsmonitor',
    'core.editor',
    'merge.evil.driver',
    'diff.evil.textconv',
    'diff.external',
    'gpg.program',
  ])
    git(project, 'config', key, program);
  git(project, 'config', 'filter.evil.required', 'true');
  await put(project, { 'b.txt': 'new\n' });
  for (const kind of placeKinds) {
    const place = await places.make({ kind, cwd: project, name: kind, withChanges: true });
    if (kind !== 'copy') await nestedRepository(join(place.folder, 'nested'), program);
    await rm(join(base, 'ran'), { force: true });
    await put(place.folder, { 'a.txt': `${kind}\n`, 'd.txt': `${kind}\n` });
    await places.changes(kind);
    await places.list();
    await places.apply(kind);
    await places.remove(kind, true);
  }
  const place = await places.make({ kind: 'worktree', cwd: project, name: 'merge' });
  await put(place.folder, { 'c.txt': 'two\n' });
  await places.merge('merge', 'work');
  expect([await read(base, 'ran'), git(project, 'show', '--format=', '--name-only', 'HEAD')]).toEqual([
    'missing',
    'c.txt\n',
  ]);
});

test('the programs that a repository configures for missing objects, signatures and credentials do not run', async () => {
  await repository();
  const program = join(base, 'program');
  await writeFile(program, `#!/bin/sh\necho "$*" >> ${join(base, 'ran')}\nexit 1\n`, { mode: 0o755 });
  const missing = '1'.repeat(40);
  const user = new UserGit(project);
  git(project, 'config', 'core.repositoryFormatVersion', '1');
  git(project, 'config', 'extensions.partialClone', 'evil');
  git(project, 'config', 'remote.evil.promisor', 'true');
  git(project, 'config', 'remote.evil.url', project);
  git(project, 'config', 'remote.evil.uploadpack', program);
  const clone = await places.make({ kind: 'clone', cwd: project, name: 'clone' });
  git(project, 'config', `remote.${clone.folder}.uploadpack`, program);
  await put(clone.folder, { 'new.txt': 'new\n' });
  await places.merge('clone', 'work');
  await user.text(['cat-file', '-e', missing]).catch(() => undefined);
  git(project, 'config', 'remote.evil.url', `ext::${program}`);
  git(project, 'config', 'protocol.ext.allow', 'always');
  await user.text(['cat-file', '-e', missing]).catch(() => undefined);
  git(project, 'config', 'gpg.format', 'ssh');
  git(project, 'config', 'gpg.ssh.defaultKeyCommand', program);
  await new UserGit(project).text(['commit', '--allow-empty', '-S', '-m', 'signed']).catch(() => undefined);
  expect(await read(base, 'ran')).toBe('missing');
});

for (const kind of ['clone', 'copy'] as const)
  test(`a ${kind} whose configuration names another working tree is read and merged from its own files`, async () => {
    await repository();
    const elsewhere = join(base, 'elsewhere');
    await put(elsewhere, { 'private.txt': 'private\n' });
    const { folder } = await places.make({ kind, cwd: project, name: 'led' });
    await put(folder, { 'new.txt': 'new\n' });
    git(folder, 'config', 'core.worktree', elsewhere);
    const changed = (await places.changes('led')).map(({ path }) => path);
    await places.merge('led', 'work');
    expect([changed, git(project, 'show', '--format=', '--name-only', 'HEAD'), await readdir(elsewhere)]).toEqual([
      ['new.txt'],
      'new.txt\n',
      ['private.txt'],
    ]);
  });

test('a folder without a repository, and a repository without a commit, are refused with a reason', async () => {
  const none = await failure(places.make({ kind: 'worktree', cwd: project }));
  git(project, 'init', '-q');
  const empty = await failure(places.make({ kind: 'clone', cwd: project }));
  expect([none, empty]).toEqual([
    `${project} is not in a git repository, so there can be no worktree of it; use --place copy`,
    `the repository ${project} is still without a commit, and a place begins at a commit: commit something first`,
  ]);
});

test('a name that is taken or no name is refused, and the place with that name stays', async () => {
  await repository();
  await places.make({ kind: 'worktree', cwd: project, name: 'taken' });
  git(project, 'branch', 'turnwire/branch');
  const made = (name: string): Promise<string> => failure(places.make({ kind: 'worktree', cwd: project, name }));
  expect([await made('taken'), await made('branch'), await made('../up'), (await places.list()).length]).toEqual([
    expect.stringContaining('there is a place taken already'),
    expect.stringContaining('there is a branch turnwire/branch already'),
    expect.stringContaining('cannot be named "../up"'),
    1,
  ]);
});

test('three places of one repository are made at the same time, and merged one after the other', async () => {
  const three = ['A', ...middle, 'B', ...middle, 'C'];
  await repository({ 'a.txt': lines(...three) });
  const made = await Promise.all(
    placeKinds.map((kind) => places.make({ kind, cwd: project, name: `at-once-${kind}` })),
  );
  await Promise.all(
    made.map((place, at) =>
      commitIn(place, {
        'a.txt': lines(...three).replace(`${three[at * 11]}\n`, `changed ${three[at * 11]}\n`),
      }),
    ),
  );
  for (const { name } of made) expect(await places.merge(name)).toEqual({ conflicts: [] });
  const removed = (await places.prune()).map(({ isRemoved }) => isRemoved);
  expect([await read(project, 'a.txt'), removed]).toEqual([
    lines('changed A', ...middle, 'changed B', ...middle, 'changed C'),
    [true, true, true],
  ]);
});

test('a place whose folder was deleted is listed as missing, and prune keeps it only for commits in its branch', async () => {
  await repository();
  const place = await places.make({ kind: 'worktree', cwd: project, name: 'gone' });
  await commitIn(place, { 'a.txt': 'two\n' });
  await places.make({ kind: 'worktree', cwd: project, name: 'empty' });
  for (const name of ['gone', 'empty']) await rm(join(base, 'places', name), { recursive: true });
  const listed = (await places.list()).map(({ name, problem, work }) => [name, problem, work?.unmerged]);
  const pruned = (await places.prune()).map(({ name, isRemoved }) => [name, isRemoved]);
  expect({
    listed,
    pruned,
    branches: git(project, 'branch', '--list', '--format=%(refname:short)', 'turnwire/*'),
  }).toEqual({
    listed: [
      ['gone', 'missing', 1],
      ['empty', 'missing', 0],
    ],
    pruned: [
      ['gone', false],
      ['empty', true],
    ],
    branches: 'turnwire/gone\n',
  });
});

test('the place of a folder is found by the folder', async () => {
  await repository();
  const place = await places.make({ kind: 'worktree', cwd: project, name: 'found' });
  expect([places.at(join(place.folder, 'sub'))?.name, places.at(project), await places.from(project)]).toEqual([
    'found',
    undefined,
    [place],
  ]);
});

test('a place in which a session works is neither pruned nor removed until the session has ended', async () => {
  await repository();
  await places.make({ kind: 'worktree', cwd: project, name: 'used' });
  const use = await places.use('used');
  const pruned = await places.prune();
  const refused = await failure(places.remove('used', false));
  await use[Symbol.asyncDispose]();
  const after = await places.prune();
  expect([pruned.map(({ isRemoved }) => isRemoved), refused, after.map(({ isRemoved }) => isRemoved)]).toEqual([
    [false],
    'a session works in the place used now; close it first, or give --force',
    [true],
  ]);
});

test('a merge is refused while conflicts of an earlier one are open', async () => {
  await repository();
  for (const name of ['one', 'two'])
    await commitIn(await places.make({ kind: 'clone', cwd: project, name }), { 'a.txt': name });
  await places.merge('one');
  const conflict = await places.merge('two');
  const refused = await failure(places.merge('two'));
  expect([conflict, refused]).toEqual([
    { conflicts: ['a.txt'] },
    expect.stringContaining('has conflicts of an earlier merge: resolve and commit them first'),
  ]);
});

for (const kind of ['worktree', 'clone'] as const)
  test(`a ${kind} with changes that were applied or taken along is kept once the origin has discarded them`, async () => {
    await repository();
    await put(project, { 'a.txt': 'two\n' });
    await places.make({ kind, cwd: project, name: 'taken', withChanges: true });
    git(project, 'checkout', '-q', '--', '.');
    const { folder } = await places.make({ kind, cwd: project, name: 'applied' });
    await put(folder, { 'a.txt': 'three\n' });
    await places.apply('applied');
    const applied = (await places.list()).map(({ name, work }) => [name, work]);
    git(project, 'checkout', '-q', '--', '.');
    const pruned = (await places.prune()).map(({ name, work, isRemoved }) => [name, work, isRemoved]);
    const one = { uncommitted: 1, unmerged: 0 };
    expect({ applied, pruned }).toEqual({
      applied: [
        ['taken', one],
        ['applied', { uncommitted: 0, unmerged: 0 }],
      ],
      pruned: [
        ['taken', one, false],
        ['applied', one, false],
      ],
    });
  });

test('a worktree whose folder is missing is removed with its commits only if that is forced', async () => {
  await repository();
  const place = await places.make({ kind: 'worktree', cwd: project, name: 'gone' });
  await commitIn(place, { 'a.txt': 'two\n' });
  await rm(place.folder, { recursive: true });
  const refused = await failure(places.remove('gone', false));
  const branch = git(project, 'branch', '--list', '--format=%(refname:short)', 'turnwire/*');
  await places.remove('gone', true);
  expect([refused, branch, await places.list()]).toEqual([
    `the place gone has 1 commit not merged. Merge its branch in ${project} with git merge turnwire/gone, or lose the work with --force`,
    'turnwire/gone\n',
    [],
  ]);
});

test('a place whose origin is missing or whose branch is checked out in the origin is removed, and blocks no other', async () => {
  await repository();
  for (const kind of placeKinds) await places.make({ kind, cwd: project, name: kind });
  await rename(project, join(base, 'moved'));
  const pruned = (await places.prune()).map(({ isRemoved }) => isRemoved);
  for (const kind of placeKinds) await places.remove(kind, true);
  const removed = await places.list();
  await rename(join(base, 'moved'), project);
  git(project, 'worktree', 'prune');
  git(project, 'branch', '-D', 'turnwire/worktree');
  const place = await places.make({ kind: 'worktree', cwd: project, name: 'branch' });
  git(place.folder, 'checkout', '-q', '--detach');
  git(project, 'checkout', '-q', 'turnwire/branch');
  const after = (await places.prune()).map(({ isRemoved }) => isRemoved);
  expect({ pruned, removed, after, branch: git(project, 'branch', '--show-current') }).toEqual({
    pruned: [false, false, false],
    removed: [],
    after: [true],
    branch: 'turnwire/branch\n',
  });
});

test('a place that this process uses from the start is not pruned', async () => {
  await repository();
  const marks: AsyncDisposable[] = [];
  await places.make({ kind: 'worktree', cwd: project, name: 'prepared', onUsed: (mark) => void marks.push(mark) });
  const during = (await places.prune()).map(({ isRemoved }) => isRemoved);
  for (const mark of marks) await mark[Symbol.asyncDispose]();
  expect([during, (await places.prune()).map(({ isRemoved }) => isRemoved)]).toEqual([[false], [true]]);
});

test('.worktreeinclude copies neither through a link out of the place nor files that a merge would commit', async () => {
  await repository({ '.gitignore': '.env\n', '.worktreeinclude': '.env\nplain.txt\n' });
  await mkdir(join(base, 'outside'));
  await symlink(join(base, 'outside'), join(project, 'linked'));
  git(project, 'add', '-A');
  git(project, 'commit', '-qm', 'link');
  await rm(join(project, 'linked'));
  await put(project, { 'linked/.env': 'key\n', '.env': 'key\n', 'plain.txt': 'plain\n' });
  const { folder } = await places.make({ kind: 'worktree', cwd: project });
  const found = execFileSync('git', ['ls-files', '--others'], { cwd: folder, encoding: 'utf8' });
  expect([await readdir(join(base, 'outside')), found]).toEqual([[], '.env\n']);
});

test('a clone of a repository whose exclude file is a pipe is refused with a reason', async () => {
  await repository();
  const exclude = join(project, '.git', 'info', 'exclude');
  await rm(exclude, { force: true });
  execFileSync('mkfifo', [exclude]);
  await expect(places.make({ kind: 'clone', cwd: project })).rejects.toThrow('only regular files are read');
});

test('a copy has the files of submodules, and not the linked worktrees of the origin', async () => {
  await repository({ '.gitignore': '.wt\n' });
  const library = join(base, 'library');
  await put(library, { 'l.txt': 'one\n' });
  git(library, 'init', '-q');
  git(library, 'add', '-A');
  git(library, 'commit', '-qm', 'library');
  git(project, '-c', 'protocol.file.allow=always', 'submodule', 'add', '-q', library, 'library');
  git(project, 'commit', '-qam', 'submodule');
  git(project, 'worktree', 'add', '-q', '.wt/a');
  const { folder } = await places.make({ kind: 'copy', cwd: project, name: 'whole' });
  expect({
    library: await readdir(join(folder, 'library')),
    worktrees: await readdir(join(folder, '.wt')),
    work: (await places.list()).map(({ work }) => work),
  }).toEqual({ library: ['l.txt'], worktrees: [], work: [{ uncommitted: 0, unmerged: 0 }] });
});

test('a change of the same size within the second of the commit comes along', async () => {
  await repository();
  const file = join(project, 'a.txt');
  git(project, 'config', 'core.trustctime', 'false');
  await utimes(file, 1_000, 1_000);
  git(project, 'add', '--refresh', 'a.txt');
  git(project, 'status');
  await put(project, { 'a.txt': 'two\n' });
  await utimes(file, 1_000, 1_000);
  await utimes(join(project, '.git', 'index'), 1_000, 1_000);
  const { folder } = await places.make({ kind: 'worktree', cwd: project, withChanges: true });
  expect(await read(folder, 'a.txt')).toBe('two\n');
});
