import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { commandWords, type Outcome, turnwire, turnwireApart } from './command.ts';

let base = '';
let project = '';
beforeEach(async () => {
  base = await realpath(await mkdtemp(join(tmpdir(), 'turnwire-cli-places-')));
  project = join(base, 'project');
  await mkdir(join(project, '.turnwire'), { recursive: true });
  git(project, 'init', '-q', '-b', 'main');
  git(project, 'config', 'user.name', 'Test');
  git(project, 'config', 'user.email', 'test@localhost');
  await writeFile(join(project, 'a.txt'), 'one\n');
  git(project, 'add', '-A');
  git(project, 'commit', '-qm', 'first');
});
afterEach(() => rm(base, { recursive: true, force: true, maxRetries: 5 }));

const git = (folder: string, ...words: readonly string[]): string =>
  execFileSync('git', words, { cwd: folder, encoding: 'utf8', stdio: 'pipe' });
const env = (): Readonly<Record<string, string>> => ({
  XDG_STATE_HOME: join(base, 'state'),
  XDG_DATA_HOME: join(base, 'data'),
  XDG_CONFIG_HOME: join(base, 'config'),
});
const run = (...words: readonly string[]): Promise<Outcome> => turnwire(words, { cwd: project, env: env() });
const folder = (name: string): string => join(base, 'data', 'turnwire-places', name);
const read = (path: string): Promise<string> => readFile(path, 'utf8').catch(() => 'missing');

test('a turn works in a new worktree, and its changes are listed, shown, merged and pruned', async () => {
  const turn = await run('--place', 'worktree:fix', 'exec', '--approve-all', 'create b.txt with two');
  const untouched = await read(join(project, 'b.txt'));
  const listed = await run('places', '--format', 'json');
  const diff = await run('places', 'diff', 'fix');
  const refused = await run('places', 'remove', 'fix');
  const merged = await run('places', 'merge', 'fix', '-m', 'add b.txt');
  const pruned = await run('places', 'prune');
  expect({
    turn: [turn.code, turn.stderr],
    untouched,
    listed: JSON.parse(listed.stdout) as unknown,
    diff: diff.stdout.split('\n').slice(-3),
    refused: [refused.code, refused.stderr],
    merged: [merged.code, merged.stdout],
    text: await read(join(project, 'b.txt')),
    log: git(project, 'log', '-1', '--format=%s'),
    pruned: pruned.stdout,
  }).toEqual({
    turn: [0, `turnwire: works in the worktree fix: ${folder('fix')}\n`],
    untouched: 'missing',
    listed: [
      {
        name: 'fix',
        kind: 'worktree',
        origin: project,
        folder: folder('fix'),
        cwd: folder('fix'),
        branch: 'turnwire/fix',
        base: git(project, 'rev-parse', 'HEAD~').trim(),
        createdAt: expect.any(String),
        isPrepared: true,
        uncommitted: 1,
        unmerged: 0,
      },
    ],
    diff: ['+two', '\\ No newline at end of file', ''],
    refused: [1, expect.stringContaining('the place fix has 1 changed file not committed')],
    merged: [0, `fix is merged in ${project}\n`],
    text: 'two',
    log: 'add b.txt\n',
    pruned: 'removed fix: nothing to lose\n',
  });
});

test('applied changes are uncommitted in the project, and conflicts are named and change nothing', async () => {
  await run('--place', 'clone:one', 'exec', '--approve-all', 'replace one with two in a.txt');
  await run('--place', 'clone:two', 'exec', '--approve-all', 'replace one with three in a.txt');
  const applied = await run('places', 'apply', 'one');
  const conflict = await run('--format', 'json', 'places', 'apply', 'two');
  expect({
    applied: [applied.code, applied.stdout],
    status: git(project, 'status', '--porcelain'),
    conflict: [
      conflict.code,
      JSON.parse(conflict.stdout),
      conflict.stderr.includes('conflicts in a.txt. Nothing was changed'),
    ],
  }).toEqual({
    applied: [0, `the changes of one are in ${project}, not committed\n`],
    status: ' M a.txt\n',
    conflict: [1, { action: 'place_applied', name: 'two', origin: project, conflicts: ['a.txt'] }, true],
  });
});

test('the set-up command of a project runs in a new place after consent, once, and again only if it failed', async () => {
  await writeFile(
    join(project, '.turnwire', 'config.json'),
    '{"placeSetUp": "echo prepared >> set-up.txt; test -e ready"}',
  );
  const asked = await run('--place', 'worktree:first', 'exec', 'list files');
  const accepted = await run('places', 'accept');
  const failed = await run('--place', 'worktree:second', 'exec', 'list files');
  await writeFile(join(folder('second'), 'ready'), '');
  const open = (): Promise<Outcome> => turnwire(['places', 'open', 'second'], { cwd: project, env: env(), stdin: '' });
  const opened = [await open(), await open()];
  expect({
    asked: [asked.code, asked.stderr.includes('To agree: turnwire places accept'), await read(folder('first'))],
    accepted: accepted.stdout,
    failed: [failed.code, failed.stderr.includes('the set-up command of the place second failed (1)')],
    opened: opened.map(({ code }) => code),
    runs: await read(join(folder('second'), 'set-up.txt')),
  }).toEqual({
    asked: [5, true, 'missing'],
    accepted: 'new places are prepared by: echo prepared >> set-up.txt; test -e ready\n',
    failed: [1, true],
    opened: [0, 0],
    runs: 'prepared\nprepared\n',
  });
});

test('a named session in a place is found from the project by its name, and keeps the place from being pruned', async () => {
  const words = ['-s', 'api', '--ttl', '60', '--approve-all', 'prompt'];
  const first = await run('--place', 'worktree:api', ...words, 'create b.txt with two');
  git(folder('api'), 'clean', '-fdq');
  const kept = await run('places', 'prune');
  const second = await run(...words, 'create c.txt with three');
  git(folder('api'), 'clean', '-fdq');
  await run('sessions', 'close', 'api');
  const pruned = await run('places', 'prune');
  expect({
    codes: [first.code, second.code],
    kept: kept.stdout,
    project: git(project, 'status', '--porcelain'),
    pruned: pruned.stdout,
  }).toEqual({
    codes: [0, 0],
    kept: 'kept api: nothing to lose\n',
    project: '',
    pruned: 'removed api: nothing to lose\n',
  });
});

test('changes in a worktree and in a clone are reviewed there', async () => {
  for (const kind of ['worktree', 'clone']) {
    await run(
      '-s',
      kind,
      '--place',
      `${kind}:${kind}`,
      '--ttl',
      '60',
      '--approve-all',
      'prompt',
      'replace one with two in a.txt',
    );
    const cwd = folder(kind);
    const listed = await turnwire(['review', '--format', 'quiet'], { cwd, env: env() });
    const rejected = await turnwire(['review', 'reject', 'a.txt'], { cwd, env: env() });
    await run('sessions', 'close', kind);
    expect([kind, listed.stdout, rejected.code, await read(join(cwd, 'a.txt'))]).toEqual([kind, 'a.txt\n', 0, 'one\n']);
  }
});

test('three turns at once in places of one repository do not disturb each other', async () => {
  const turns = await Promise.all(
    ['a', 'b', 'c'].map((name, at) =>
      turnwireApart(
        [
          '--place',
          `${['worktree', 'clone', 'worktree'][at]}:${name}`,
          'exec',
          '--approve-all',
          `create ${name}.txt with ${name}`,
        ],
        {
          cwd: project,
          env: env(),
        },
      ),
    ),
  );
  for (const name of ['a', 'b', 'c']) await run('places', 'merge', name, '-m', name);
  expect([turns.map(({ code }) => code), git(project, 'ls-files')]).toEqual([[0, 0, 0], 'a.txt\nb.txt\nc.txt\n']);
});

test('a configured place is used for each new session, and not again in a place', async () => {
  await mkdir(join(base, 'config', 'turnwire'), { recursive: true });
  await writeFile(join(base, 'config', 'turnwire', 'config.json'), '{"place": "worktree"}');
  const turn = await run('exec', 'list files');
  const [, cwd = ''] = /works in the worktree \S+: (.+)\n/.exec(turn.stderr) ?? [];
  const inside = await turnwire(['exec', 'list files'], { cwd, env: env() });
  const here = await run('--place', 'here', 'exec', 'list files');
  expect([cwd.startsWith(folder('project-')), inside.stderr, here.stderr]).toEqual([true, '', '']);
});

test('a project cannot turn off the places of its user', async () => {
  await mkdir(join(base, 'config', 'turnwire'), { recursive: true });
  await writeFile(join(base, 'config', 'turnwire', 'config.json'), '{"place": "clone"}');
  await writeFile(join(project, '.turnwire', 'config.json'), '{"place": "here"}');
  const { stderr } = await run('exec', 'list files');
  expect([stderr.includes('"place": "here" is left out'), stderr.includes('works in the clone project-')]).toEqual([
    true,
    true,
  ]);
});

test('a kind of place that does not exist, a place without a repository and one without a name are refused', async () => {
  const outside = (...words: readonly string[]): Promise<Outcome> =>
    turnwire(words, { cwd: join(base, 'plain'), env: env() });
  await mkdir(join(base, 'plain'));
  const outcomes = [
    await run('--place', 'branch', 'exec', 'list files'),
    await run('--place', 'here:name', 'exec', 'list files'),
    await outside('--place', 'worktree', 'exec', 'list files'),
    await run('places', 'diff'),
    await run('places', 'remove', 'nothing'),
    await run('--place', 'clone', 'serve'),
  ];
  expect(outcomes.map(({ code, stderr }) => [code, stderr.split('\n')[0]])).toEqual([
    [2, expect.stringContaining('Allowed choices are here, worktree, clone, copy')],
    [2, expect.stringContaining('Only a worktree, clone or copy has a name')],
    [1, expect.stringContaining('is not in a git repository')],
    [2, expect.stringContaining('is not in a place: name one')],
    [1, expect.stringContaining('there is no place nothing')],
    [2, expect.stringContaining('turnwire serve has no use for --place')],
  ]);
});

test('--place is refused for a session that works elsewhere, and allowed for one that works there', async () => {
  await run('exec', '--approve-all', 'create b.txt with two');
  const continued = await run('--place', 'worktree:one', 'exec', '--continue', 'more');
  await run('sessions', 'ensure', '-s', 'named');
  const named = await run('--place', 'worktree:one', 'prompt', '-s', 'named', 'more');
  await run('sessions', 'ensure');
  const bare = await run('--place', 'worktree:one', 'prompt', 'more');
  const configured = await run('places', '--format', 'quiet');
  await run('--place', 'clone:two', 'sessions', 'ensure', '-s', 'there');
  const there = await run('--place', 'clone:two', '--approve-all', 'prompt', '-s', 'there', 'create c.txt with two');
  await run('sessions', 'close', '-s', 'named');
  await run('sessions', 'close', '-s', 'there');
  await run('sessions', 'close');
  const refused = [
    2,
    expect.stringContaining(`--place is for a new session, but this one works in ${project} already`),
  ];
  expect({
    refused: [continued, named, bare].map(({ code, stderr }) => [code, stderr]),
    places: configured.stdout,
    there: there.code,
  }).toEqual({ refused: [refused, refused, refused], places: '', there: 0 });
});

test('a place is not pruned while its set-up command runs', async () => {
  await mkdir(join(base, 'config', 'turnwire'), { recursive: true });
  const words = [process.execPath, ...commandWords, 'places', 'prune'].map((word) => `'${word}'`).join(' ');
  await writeFile(join(base, 'config', 'turnwire', 'config.json'), JSON.stringify({ placeSetUp: words }));
  const turn = await run('--place', 'worktree:slow', 'exec', '--approve-all', 'create b.txt with two');
  expect([turn.code, turn.stderr]).toEqual([0, expect.stringContaining('kept slow: nothing to lose')]);
});

test('a damaged record of a place is a warning of the list, which shows the other places', async () => {
  const records = join(base, 'state', 'turnwire', 'places');
  await mkdir(records, { recursive: true });
  await writeFile(join(records, 'bad.json'), '{');
  const listed = await run('places', 'list', '--all');
  const warning = `turnwire: the record of the place bad is damaged: ${join(records, 'bad.json')}. The files of the place are kept: save the ones you need, then delete the record\n`;
  expect(listed).toEqual({ code: 0, stdout: 'There are no places.\n', stderr: warning });
});
