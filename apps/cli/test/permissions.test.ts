import { mkdir, mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { turnwire, type Outcome } from './command.ts';

let folder: string;
let project: string;
let user: string;
beforeEach(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), 'turnwire-permissions-')));
  project = join(folder, '.turnwire', 'permissions.json');
  user = join(folder, 'config', 'turnwire', 'permissions.json');
});
afterEach(() => rm(folder, { recursive: true }));

function permissions(...words: readonly string[]): Promise<Outcome> {
  const env = { XDG_CONFIG_HOME: join(folder, 'config'), XDG_STATE_HOME: join(folder, 'state') };
  return turnwire(['permissions', ...words, '--cwd', folder], { env });
}

test('a rule is added, listed and removed', async () => {
  const added = await permissions('add', 'allow', 'Bash(git *)');
  await permissions('add', 'deny', 'Read(.env)', '--user');
  const listed = await permissions();
  const removed = await permissions('remove', 'allow', 'Bash(git *)');
  expect({ added, listed, removed, after: (await permissions('list', '--format', 'quiet')).stdout }).toEqual({
    added: { code: 0, stdout: `allow Bash(git *) is in ${project}\n`, stderr: '' },
    listed: {
      code: 0,
      stdout: `approval: default\nallow\tBash(git *)\tproject, ${project}\ndeny\tRead(.env)\tuser, ${user}\n`,
      stderr: '',
    },
    removed: { code: 0, stdout: `allow Bash(git *) is no longer in ${project}\n`, stderr: '' },
    after: 'deny Read(.env)\n',
  });
});

test('adding an existing rule changes nothing', async () => {
  await permissions('add', 'ask', 'Edit');
  const { code } = await permissions('add', 'ask', 'Edit', '--project');
  expect({ code, rules: JSON.parse(await readFile(project, 'utf8')) as unknown }).toEqual({
    code: 0,
    rules: { ask: ['Edit'] },
  });
});

test('permissions list --format json includes the rules of the command line, and one source on request', async () => {
  await permissions('add', 'allow', 'Read', '--user');
  const all = await permissions('list', '--format', 'json', '--policy', '{"autoDeny":["fetch"]}');
  const own = await permissions('list', '--format', 'json', '--user');
  const rule = { text: 'Read', effect: 'allow', source: 'user', file: user };
  expect([JSON.parse(all.stdout), JSON.parse(own.stdout)]).toEqual([
    { mode: 'default', rules: [{ effect: 'deny', text: 'fetch', source: 'command-line' }, rule] },
    { mode: 'default', rules: [rule] },
  ]);
});

test('removing a rule that does not exist is an error that names the file', async () => {
  await permissions('add', 'allow', 'Read', '--user');
  expect(await permissions('remove', 'allow', 'Read')).toEqual({
    code: 1,
    stdout: '',
    stderr: `turnwire: there is no allow Read among the rules of this project. It is in ${user}: add --user\n`,
  });
  expect((await permissions('remove', 'deny', 'Read')).stderr).toBe(
    'turnwire: there is no deny Read among the rules of this project. See turnwire permissions list\n',
  );
});

test.each([
  ['a rule that cannot be read', ['add', 'allow', 'Bash(']],
  ['another effect', ['add', 'permit', 'Read']],
  ['both places', ['add', 'allow', 'Read', '--project', '--user']],
  ['no rule', ['add', 'allow']],
])('%s is a wrong command line, and nothing is written', async (_, words) => {
  const { code, stdout } = await permissions(...words);
  expect({ code, stdout, file: await readFile(project, 'utf8').catch(() => 'none') }).toEqual({
    code: 2,
    stdout: '',
    file: 'none',
  });
});

test('a broken rules file is reported, allows nothing, and is not overwritten', async () => {
  await mkdir(join(folder, '.turnwire'));
  await writeFile(project, '{"allow": ["Read"], "deny": ["Edit"],');
  const listed = await permissions('list');
  const added = await permissions('add', 'allow', 'Search');
  const removed = await permissions('remove', 'allow', 'Read');
  expect({
    listed: [listed.code, listed.stdout],
    codes: [added.code, removed.code],
    told: [listed, added, removed].every(({ stderr }) => stderr.includes('line 1: this is not JSON')),
    file: await readFile(project, 'utf8'),
  }).toEqual({
    listed: [1, `approval: default\ndeny\tEdit\tproject, ${project}\n`],
    codes: [1, 1],
    told: true,
    file: '{"allow": ["Read"], "deny": ["Edit"],',
  });
});

async function cloned(rules: object): Promise<void> {
  await mkdir(join(folder, '.turnwire'));
  await writeFile(project, JSON.stringify(rules));
}

test('rules that a project brings allow nothing until the user accepts them', async () => {
  await cloned({ allow: ['Bash(make)', 'Read'], deny: ['Edit'] });
  const before = await permissions('list');
  const accepted = await permissions('accept');
  const after = await permissions('list');
  const again = await permissions('accept');
  expect({ before, accepted, after, again }).toEqual({
    before: {
      code: 0,
      stdout:
        'approval: default\n' +
        `allow\tBash(make)\tnot accepted, project, ${project}\n` +
        `allow\tRead\tnot accepted, project, ${project}\n` +
        `deny\tEdit\tproject, ${project}\n`,
      stderr:
        `turnwire: ${project}: 2 rules that allow something do not count until you accept them: ` +
        'turnwire permissions list shows them, turnwire permissions accept accepts\n',
    },
    accepted: {
      code: 0,
      stdout: `allow Bash(make) is accepted in ${project}\nallow Read is accepted in ${project}\n`,
      stderr: '',
    },
    after: {
      code: 0,
      stdout:
        'approval: default\n' +
        `allow\tBash(make)\tproject, ${project}\n` +
        `allow\tRead\tproject, ${project}\n` +
        `deny\tEdit\tproject, ${project}\n`,
      stderr: '',
    },
    again: { code: 0, stdout: '', stderr: `turnwire: no rule in ${project} is waiting for acceptance\n` },
  });
});

test('accept takes the named rules alone, and none if one of them does not exist', async () => {
  await cloned({ allow: ['Bash(make)', 'Read', 'Search'] });
  const unknown = await permissions('accept', 'Read', 'Edit');
  const accepted = await permissions('accept', 'Read', 'Search', '--format', 'json');
  const { rules } = JSON.parse((await permissions('list', '--format', 'json')).stdout) as { rules: unknown };
  const rule = (text: string): object => ({ text, effect: 'allow', source: 'project', file: project });
  const lines = accepted.stdout.trim().split('\n');
  expect({ unknown, accepted: lines.map((line) => JSON.parse(line) as unknown), rules }).toEqual({
    unknown: {
      code: 1,
      stdout: '',
      stderr:
        'turnwire: there is no allow Edit among the rules of this project; nothing was accepted. ' +
        'See turnwire permissions list --project\n',
    },
    accepted: ['Read', 'Search'].map((text) => ({ action: 'rule_accepted', ...rule(text) })),
    rules: [{ ...rule('Bash(make)'), isAccepted: false }, rule('Read'), rule('Search')],
  });
});

test('nothing is accepted from a broken rules file', async () => {
  await mkdir(join(folder, '.turnwire'));
  await writeFile(project, '{"allow": ["Read"],');
  const { code, stdout, stderr } = await permissions('accept');
  expect([code, stdout, stderr.endsWith('turnwire: nothing was accepted: correct the file first\n')]).toEqual([
    1,
    '',
    true,
  ]);
});

test('permissions test prints the decision, the rule and the reason, and starts nothing', async () => {
  await permissions('add', 'allow', 'Bash(git *)');
  await permissions('add', 'deny', 'Bash(git push*)', '--user');
  await permissions('add', 'deny', 'Read(.env)');
  expect([
    await permissions('test', 'git push --force'),
    (await permissions('test', 'git', 'status', '--short')).stdout,
    (await permissions('test', 'git status; touch made')).stdout.split('\n')[0],
    (await permissions('test', 'Read(.env)', '--format', 'quiet')).stdout,
    (await permissions('test', 'Edit(src/a.ts)', '--permission-mode', 'acceptEdits', '--format', 'quiet')).stdout,
    (await permissions('test', 'WebFetch(https://example.com/)', '--format', 'quiet')).stdout,
    JSON.parse((await permissions('test', 'git', 'push', '--format', 'json')).stdout),
  ]).toEqual([
    {
      code: 0,
      stdout: `git push --force is denied\nwhy: denied by the rule Bash(git push*) in ${user}\nrule: deny Bash(git push*) (user, ${user})\napproval: default\n`,
      stderr: '',
    },
    `git status --short is allowed\nwhy: allowed by the rule Bash(git *) in ${project}\nrule: allow Bash(git *) (project, ${project})\napproval: default\n`,
    'git status; touch made is asked about',
    'deny\n',
    'allow\n',
    'ask\n',
    {
      effect: 'deny',
      reason: `denied by the rule Bash(git push*) in ${user}`,
      mode: 'default',
      rule: { effect: 'deny', text: 'Bash(git push*)', source: 'user', file: user },
    },
  ]);
});

test('import adds the rules of Claude Code settings, and reports those it cannot convert', async () => {
  await mkdir(join(folder, '.claude'));
  const rules = {
    allow: ['Bash(npm run test:*)', 'Read(//etc/hosts)'],
    deny: ['Edit(/secrets/**)', 'Bash('],
    defaultMode: 'plan',
  };
  await writeFile(join(folder, '.claude', 'settings.json'), JSON.stringify({ permissions: rules, model: 'x' }));
  const dry = await permissions('import', '--dry-run');
  const before = await readFile(project, 'utf8').catch(() => 'nothing');
  const added = await permissions('import');
  expect({ dry, before, added, file: JSON.parse(await readFile(project, 'utf8')) as unknown }).toEqual({
    dry: { ...added },
    before: 'nothing',
    added: {
      code: 1,
      stdout: 'deny Edit(./secrets/**)\nallow Bash(npm run test:*)\nallow Read(/etc/hosts)\n',
      stderr: expect.stringMatching(
        /^turnwire: only rules are imported; these settings are not: defaultMode\nturnwire: deny Bash\( was not imported: .+\n$/,
      ) as unknown,
    },
    file: { deny: ['Edit(./secrets/**)'], allow: ['Bash(npm run test:*)', 'Read(/etc/hosts)'] },
  });
  expect((await permissions('test', 'npm run test unit', '--format', 'quiet')).stdout).toBe('allow\n');
  expect(await permissions('import', 'none.json')).toEqual({
    code: 1,
    stdout: '',
    stderr: 'turnwire: there is no file none.json. Name one: permissions import FILE\n',
  });
});
