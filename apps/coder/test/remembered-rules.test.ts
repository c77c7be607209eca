import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { runSlashCommand } from '../src/commands/run-slash-command.ts';
import { admitted, chooses, PermissionFixture } from './permission-fixture.ts';
import type { AskedCall, FixtureRules } from './permission-fixture.ts';

let fixture: PermissionFixture;

afterEach(() => fixture[Symbol.asyncDispose]());

async function open(rules: FixtureRules = {}): Promise<PermissionFixture> {
  fixture = await PermissionFixture.open(rules);
  return fixture;
}

const runs = (command: string): AskedCall => ({
  name: 'execute',
  kind: 'execute',
  effect: 'changes',
  facts: { command, cwd: fixture.folder },
});

const allowsInProject = (): Promise<void> =>
  fixture.inTurn(async (turn) => void (await runSlashCommand(turn)), '/permissions allow Bash(git diff *) in project');

test('an "always" answer applies to its session, also after a load, and to no other', async () => {
  await open();
  fixture.user = chooses('allow_session');
  const first = await fixture.story(runs('git diff --stat'));
  fixture.user = chooses('reject_once');
  const second = await fixture.story(runs('git diff HEAD~1'));
  await fixture.reload();
  const loaded = await fixture.story(runs('git diff HEAD~2'));
  const { sessionId } = await fixture.client.request('session/new', { cwd: fixture.folder, mcpServers: [] });
  fixture.enter(sessionId);
  expect([first, second, loaded, await fixture.story(runs('git diff HEAD~3'))]).toEqual([
    'asked, allowed.',
    'allowed.',
    'allowed.',
    'asked, Permission was refused; nothing was changed.',
  ]);
});

test('a rule added for the project by a command is written to its file, accepted, and applies in every session', async () => {
  await open();
  await allowsInProject();
  const { sessionId } = await fixture.client.request('session/new', { cwd: fixture.folder, mcpServers: [] });
  fixture.enter(sessionId);
  expect([
    await fixture.story(runs('git diff HEAD~1')),
    JSON.parse(await readFile(fixture.files.project, 'utf8')),
    JSON.parse(await readFile(fixture.files.accepted, 'utf8')),
  ]).toEqual(['allowed.', { allow: ['Bash(git diff *)'] }, { [fixture.files.project]: ['Bash(git diff *)'] }]);
});

test('rejecting for the session adds a deny rule, which also applies after a load and in mode code', async () => {
  await open();
  fixture.user = chooses('reject_session');
  const first = await fixture.story(runs('git diff --stat'));
  await fixture.reload();
  await fixture.setMode('code');
  expect([first, await fixture.story(runs('git diff HEAD~1'))]).toEqual([
    'asked, Permission was refused; nothing was changed.',
    'Refused, denied by the rule Bash(git diff *) of this session; nothing was done.',
  ]);
});

test('a removed rule stays removed after a load', async () => {
  await open();
  fixture.user = chooses('allow_session');
  await fixture.story(runs('git diff --stat'));
  await fixture.inTurn(async ({ session }) => {
    const { permissions } = session.memory;
    const rule = permissions.listed(1);
    if (rule) await permissions.removeRule(rule, (value) => session.keep(value));
  });
  await fixture.reload();
  fixture.user = chooses('allow_once');
  expect(await fixture.story(runs('git diff --stat'))).toBe('asked, allowed.');
});

test('a rule written into a file applies from the next decision on', async () => {
  await open();
  fixture.user = chooses('allow_once');
  const before = await fixture.story(runs('git diff'));
  await fixture.write('user', { allow: ['Bash(git diff)'] });
  const allowed = await fixture.story(runs('git diff'));
  await fixture.write('user', { deny: ['Bash'] });
  expect([before, allowed, await fixture.story(runs('git diff'))]).toEqual([
    'asked, allowed.',
    'allowed.',
    'Refused, denied by the rule Bash in /config/turnwire/permissions.json; nothing was done.',
  ]);
});

test('a call that a rule forbids while the question is open does not run', async () => {
  await open();
  fixture.user = async () => {
    await fixture.write('user', { deny: ['Bash(git *)'] });
    return { outcome: { outcome: 'selected', optionId: 'allow_session' } };
  };
  expect([await fixture.story(runs('git diff')), (await rulesNow()).map(({ text }) => text)]).toEqual([
    'asked, Refused, denied by the rule Bash(git *) in /config/turnwire/permissions.json; nothing was done.',
    ['Bash(git *)'],
  ]);
});

const rulesNow = async (): Promise<readonly { readonly text: string }[]> =>
  fixture.inTurn(async ({ session }) => session.memory.permissions.rules);

test('a broken rule file allows nothing, keeps its deny rules, is reported once, and stays unchanged', async () => {
  await open({ project: { deny: ['Bash(rm *)'] } });
  fixture.user = chooses('allow_session');
  const before = await fixture.story(runs('rm x'));
  await fixture.write('project', '{ "allow": ["Bash"], ');
  const after = [await fixture.story(runs('rm x')), await fixture.story(runs('git status')), await allowsInProject()];
  const denied = 'Refused, denied by the rule Bash(rm *) in /folder/.turnwire/permissions.json; nothing was done.';
  const reason =
    '/folder/.turnwire/permissions.json, line 1: this is not JSON (property name expected); until it is fixed, all actions are asked about';
  expect([before, ...after, await readFile(fixture.files.project, 'utf8'), fixture.said]).toEqual([
    denied,
    denied,
    'asked, allowed.',
    undefined,
    '{ "allow": ["Bash"], ',
    [`${reason}\n\n`, `Not added. The rule was not written: ${reason}`],
  ]);
});

test('a folder in place of the rule file is reported, and adding a rule for the project is refused with the reason', async () => {
  await open();
  // A folder where the file should be: not even an administrator can write it.
  await mkdir(fixture.files.project, { recursive: true });
  fixture.user = chooses('allow_session');
  const stories = [await fixture.story(runs('git diff')), await fixture.story(runs('git diff'))];
  await allowsInProject();
  const reason = '/folder/.turnwire/permissions.json cannot be read: it is a folder, and only regular files are read.';
  expect([stories, fixture.said]).toEqual([
    ['asked, allowed.', 'asked, allowed.'],
    [`${reason} Until it can be read, all actions are asked about.\n\n`, `Not added. ${reason} Nothing was written.`],
  ]);
});

test('allow rules of a project apply only after the user accepts them', async () => {
  await open({ project: { allow: ['Bash(npm test)'] } });
  fixture.user = chooses('allow_once');
  const before = await fixture.story(runs('npm test'));
  await fixture.inTurn(async ({ session: { memory } }) => {
    const rule = memory.permissions.listed(1);
    if (rule) await memory.permissions.acceptRule(rule);
  });
  expect([before, await fixture.story(runs('npm test'))]).toEqual(['asked, allowed.', 'allowed.']);
});

test('two simultaneous questions get separate answers', async () => {
  await open();
  fixture.user = ({ toolCall: { title } }) => ({
    outcome: { outcome: 'selected', optionId: title === 'one' ? 'allow_once' : 'reject_once' },
  });
  const reach = (name: string): AskedCall => ({ name, kind: 'other', effect: 'reaches' });
  expect(
    await fixture.inTurn((turn) => Promise.all(['one', 'two'].map((name) => admitted(turn, reach(name))))),
  ).toEqual([{ outcome: 'allowed' }, { outcome: 'refused', reason: 'Permission was refused; nothing was changed.' }]);
});

test('an unanswered question ends when its turn is cancelled', async () => {
  await open();
  fixture.user = async () => {
    await fixture.client.notify('session/cancel', { sessionId: fixture.sessionId });
    return new Promise(() => undefined);
  };
  expect(await fixture.admit(runs('git diff'))).toEqual({ outcome: 'dismissed' });
});

test('a client that disconnects during a question gives no permission', async () => {
  await open();
  const admission = new Promise((resolve) => {
    fixture.user = async () => {
      await fixture.client.close();
      return new Promise(() => undefined);
    };
    fixture.inTurn(async (turn) => resolve(await admitted(turn, runs('git diff')))).catch(() => undefined);
  });
  expect(await admission).toEqual({ outcome: 'dismissed' });
});

test('files that rules deny or ask about are left out of searches, links and instructions', async () => {
  await open({ project: { deny: ['Read(.env)', 'Search(vendor/**)'], ask: ['Read(private/**)'] } });
  const reasons = await fixture.inTurn(async ({ session: { memory } }) => {
    const reason = (path: string, by?: 'search'): string | undefined =>
      memory.permissions.forbidsReading(join(fixture.folder, path), by);
    return [reason('a.ts'), reason('.env'), reason('private/x'), reason('vendor/x'), reason('vendor/x', 'search')];
  });
  expect(reasons.map((reason) => reason && fixture.tidy(reason))).toEqual([
    undefined,
    'denied by the rule Read(.env) in /folder/.turnwire/permissions.json',
    'asked by the rule Read(private/**) in /folder/.turnwire/permissions.json',
    undefined,
    'denied by the rule Search(vendor/**) in /folder/.turnwire/permissions.json',
  ]);
});
