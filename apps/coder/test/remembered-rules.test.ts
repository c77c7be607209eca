import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { runSlashCommand } from '../src/commands/run-slash-command.ts';
import { admitted, chooses, PermissionRoom } from './permission-room.ts';
import type { AskedCall, RoomRules } from './permission-room.ts';

let room: PermissionRoom;

afterEach(() => room[Symbol.asyncDispose]());

async function open(rules: RoomRules = {}): Promise<PermissionRoom> {
  room = await PermissionRoom.open(rules);
  return room;
}

const runs = (command: string): AskedCall => ({
  name: 'execute',
  kind: 'execute',
  effect: 'changes',
  facts: { command, cwd: room.folder },
});

const allowsInProject = (): Promise<void> =>
  room.inTurn(async (turn) => void (await runSlashCommand(turn)), '/permissions allow Bash(git diff *) in project');

test('an answer for the session is asked about no more, nor after the session was loaded; elsewhere it is', async () => {
  await open();
  room.person = chooses('allow_session');
  const first = await room.story(runs('git diff --stat'));
  room.person = chooses('reject_once');
  const second = await room.story(runs('git diff HEAD~1'));
  await room.reload();
  const loaded = await room.story(runs('git diff HEAD~2'));
  const { sessionId } = await room.client.request('session/new', { cwd: room.folder, mcpServers: [] });
  room.enter(sessionId);
  expect([first, second, loaded, await room.story(runs('git diff HEAD~3'))]).toEqual([
    'asked, allowed.',
    'allowed.',
    'allowed.',
    'asked, Permission was refused; nothing was changed.',
  ]);
});

test('a rule that a command adds for the project is in its file, accepted, and counts in every session', async () => {
  await open();
  await allowsInProject();
  const { sessionId } = await room.client.request('session/new', { cwd: room.folder, mcpServers: [] });
  room.enter(sessionId);
  expect([
    await room.story(runs('git diff HEAD~1')),
    JSON.parse(await readFile(room.files.project, 'utf8')),
    JSON.parse(await readFile(room.files.accepted, 'utf8')),
  ]).toEqual(['allowed.', { allow: ['Bash(git diff *)'] }, { [room.files.project]: ['Bash(git diff *)'] }]);
});

test('to reject for the session is a rule that denies, also after a load and in mode code', async () => {
  await open();
  room.person = chooses('reject_session');
  const first = await room.story(runs('git diff --stat'));
  await room.reload();
  await room.setMode('code');
  expect([first, await room.story(runs('git diff HEAD~1'))]).toEqual([
    'asked, Permission was refused; nothing was changed.',
    'Refused, denied by the rule Bash(git diff *) of this session; nothing was done.',
  ]);
});

test('a rule that was taken back is gone after a load, too', async () => {
  await open();
  room.person = chooses('allow_session');
  await room.story(runs('git diff --stat'));
  await room.inTurn(async ({ session }) => {
    const { permissions } = session.memory;
    const rule = permissions.listed(1);
    if (rule) await permissions.removeRule(rule, (value) => session.keep(value));
  });
  await room.reload();
  room.person = chooses('allow_once');
  expect(await room.story(runs('git diff --stat'))).toBe('asked, allowed.');
});

test('a rule somebody writes into a file counts from the next decision on', async () => {
  await open();
  room.person = chooses('allow_once');
  const before = await room.story(runs('git diff'));
  await room.write('user', { allow: ['Bash(git diff)'] });
  const allowed = await room.story(runs('git diff'));
  await room.write('user', { deny: ['Bash'] });
  expect([before, allowed, await room.story(runs('git diff'))]).toEqual([
    'asked, allowed.',
    'allowed.',
    'Refused, denied by the rule Bash in /config/turnwire/permissions.json; nothing was done.',
  ]);
});

test('what was forbidden while the question was open is not done', async () => {
  await open();
  room.person = async () => {
    await room.write('user', { deny: ['Bash(git *)'] });
    return { outcome: { outcome: 'selected', optionId: 'allow_session' } };
  };
  expect([await room.story(runs('git diff')), (await rulesNow()).map(({ text }) => text)]).toEqual([
    'asked, Refused, denied by the rule Bash(git *) in /config/turnwire/permissions.json; nothing was done.',
    ['Bash(git *)'],
  ]);
});

const rulesNow = async (): Promise<readonly { readonly text: string }[]> =>
  room.inTurn(async ({ session }) => session.memory.permissions.rules);

test('a broken file allows nothing, forbids what it forbade, is told of once, and is left as it is', async () => {
  await open({ project: { deny: ['Bash(rm *)'] } });
  room.person = chooses('allow_session');
  const before = await room.story(runs('rm x'));
  await room.write('project', '{ "allow": ["Bash"], ');
  const after = [await room.story(runs('rm x')), await room.story(runs('git status')), await allowsInProject()];
  const denied = 'Refused, denied by the rule Bash(rm *) in /folder/.turnwire/permissions.json; nothing was done.';
  const reason =
    '/folder/.turnwire/permissions.json, line 1: this is not JSON (property name expected); until it is put right, everything is asked about';
  expect([before, ...after, await readFile(room.files.project, 'utf8'), room.said]).toEqual([
    denied,
    denied,
    'asked, allowed.',
    undefined,
    '{ "allow": ["Bash"], ',
    [`${reason}\n\n`, `Not added. The rule was not written: ${reason}`],
  ]);
});

test('a folder in place of the file of rules is reported, and what is added to the project is refused with the reason', async () => {
  await open();
  // A folder where the file should be: not even an administrator can write it.
  await mkdir(room.files.project, { recursive: true });
  room.person = chooses('allow_session');
  const stories = [await room.story(runs('git diff')), await room.story(runs('git diff'))];
  await allowsInProject();
  const reason = '/folder/.turnwire/permissions.json cannot be read: it is a folder, and only regular files are read.';
  expect([stories, room.said]).toEqual([
    ['asked, allowed.', 'asked, allowed.'],
    [`${reason} Until it can be, everything is asked about.\n\n`, `Not added. ${reason} Nothing was written.`],
  ]);
});

test('what a project allows itself counts once the person accepts it', async () => {
  await open({ project: { allow: ['Bash(npm test)'] } });
  room.person = chooses('allow_once');
  const before = await room.story(runs('npm test'));
  await room.inTurn(async ({ session: { memory } }) => {
    const rule = memory.permissions.listed(1);
    if (rule) await memory.permissions.acceptRule(rule);
  });
  expect([before, await room.story(runs('npm test'))]).toEqual(['asked, allowed.', 'allowed.']);
});

test('two questions at once are two answers', async () => {
  await open();
  room.person = ({ toolCall: { title } }) => ({
    outcome: { outcome: 'selected', optionId: title === 'one' ? 'allow_once' : 'reject_once' },
  });
  const reach = (name: string): AskedCall => ({ name, kind: 'other', effect: 'reaches' });
  expect(await room.inTurn((turn) => Promise.all(['one', 'two'].map((name) => admitted(turn, reach(name)))))).toEqual([
    { outcome: 'allowed' },
    { outcome: 'refused', reason: 'Permission was refused; nothing was changed.' },
  ]);
});

test('a question nobody answers ends with the cancel of its turn', async () => {
  await open();
  room.person = async () => {
    await room.client.notify('session/cancel', { sessionId: room.sessionId });
    return new Promise(() => undefined);
  };
  expect(await room.admit(runs('git diff'))).toEqual({ outcome: 'dismissed' });
});

test('a client that vanishes while it is asked gives no permission', async () => {
  await open();
  const admission = new Promise((resolve) => {
    room.person = async () => {
      await room.client.close();
      return new Promise(() => undefined);
    };
    room.inTurn(async (turn) => resolve(await admitted(turn, runs('git diff')))).catch(() => undefined);
  });
  expect(await admission).toEqual({ outcome: 'dismissed' });
});

test('files without an own call are kept from those who may not read them, or would have to ask', async () => {
  await open({ project: { deny: ['Read(.env)', 'Search(vendor/**)'], ask: ['Read(private/**)'] } });
  const reasons = await room.inTurn(async ({ session: { memory } }) => {
    const reason = (path: string, by?: 'search'): string | undefined =>
      memory.permissions.forbidsReading(join(room.folder, path), by);
    return [reason('a.ts'), reason('.env'), reason('private/x'), reason('vendor/x'), reason('vendor/x', 'search')];
  });
  expect(reasons.map((reason) => reason && room.tidy(reason))).toEqual([
    undefined,
    'denied by the rule Read(.env) in /folder/.turnwire/permissions.json',
    'asked by the rule Read(private/**) in /folder/.turnwire/permissions.json',
    undefined,
    'denied by the rule Search(vendor/**) in /folder/.turnwire/permissions.json',
  ]);
});
