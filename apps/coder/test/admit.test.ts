import { homedir } from 'node:os';
import { symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { chooses, PermissionFixture } from './permission-fixture.ts';
import type { AskedCall } from './permission-fixture.ts';

let fixture: PermissionFixture;

beforeAll(async () => {
  fixture = await PermissionFixture.open({
    user: {
      deny: ['Read(secret.txt)', 'Bash(rm *)', 'WebFetch(domain:evil.example)', 'plan'],
      ask: ['Read(careful.txt)', 'Bash(git push *)'],
      allow: ['Bash(npm test)', 'Edit(src/**)', 'WebFetch(domain:good.example)', 'Read(src/**)'],
    },
  });
  for (const name of ['secret.txt', 'careful.txt', 'notes.txt']) await writeFile(join(fixture.folder, name), 'text\n');
  await symlink(join(fixture.folder, 'secret.txt'), join(fixture.folder, 'innocent.txt'));
});

afterAll(() => fixture[Symbol.asyncDispose]());

const inside = (...names: readonly string[]): Pick<AskedCall, 'facts'> => ({
  facts: { paths: names.map((name) => join(fixture.folder, name)) },
});
const calls: Readonly<Record<string, () => AskedCall>> = {
  'reading a file': () => ({ name: 'read', kind: 'read', effect: 'looks', ...inside('notes.txt') }),
  'reading a denied file': () => ({ name: 'read', kind: 'read', effect: 'looks', ...inside('secret.txt') }),
  'reading a file to be asked about': () => ({ name: 'read', kind: 'read', effect: 'looks', ...inside('careful.txt') }),
  'reading a secret outside': () => ({
    name: 'read',
    kind: 'read',
    effect: 'looks',
    facts: { paths: [join(homedir(), '.ssh', 'id_test')] },
  }),
  'reading outside': () => ({ name: 'read', kind: 'read', effect: 'looks', facts: { paths: ['/etc/hosts'] } }),
  'searching a denied file': () => ({ name: 'search', kind: 'search', effect: 'looks', ...inside('secret.txt') }),
  editing: () => ({ name: 'edit', kind: 'edit', effect: 'changes', ...inside('notes.txt') }),
  'editing where it is allowed': () => ({ name: 'edit', kind: 'edit', effect: 'changes', ...inside('src/a.ts') }),
  'editing a denied file': () => ({ name: 'edit', kind: 'edit', effect: 'changes', ...inside('secret.txt') }),
  'editing a file to be asked about': () => ({
    name: 'edit',
    kind: 'edit',
    effect: 'changes',
    ...inside('careful.txt'),
  }),
  'moving a denied file': () => ({ name: 'move', kind: 'move', effect: 'changes', ...inside('secret.txt', 'x.txt') }),
  deleting: () => ({ name: 'delete', kind: 'delete', effect: 'changes', ...inside('notes.txt') }),
  'changing the rules': () => ({
    name: 'write',
    kind: 'edit',
    effect: 'changes',
    ...inside('.turnwire/permissions.json'),
  }),
  'an allowed command': () => run('npm test'),
  'another command': () => run('npm run build'),
  'a denied command': () => run('npm test && rm -rf x'),
  'a command to be asked about': () => run('git push origin main'),
  'a command that reads a denied file': () => run('cat ./innocent.txt'),
  'a command that changes the rules': () => run('echo {} > .turnwire/permissions.json'),
  'a command nobody can read': () => run('$TOOL x'),
  'fetching from an allowed host': () => fetches('https://good.example/x'),
  'fetching from another host': () => fetches('https://other.example/x'),
  'fetching from a denied host': () => fetches('https://evil.example/x'),
  'a tool of a server': () => ({ name: 'github__get_issue', kind: 'other', effect: 'reaches' }),
  'a tool of a server, given a denied file': () => ({
    name: 'files__send',
    kind: 'other',
    effect: 'reaches',
    ...inside('secret.txt'),
  }),
  'a tool of a server that says it reads': () => ({
    name: 'files__look',
    kind: 'read',
    effect: 'reaches',
    ...inside('src/a.ts'),
  }),
  'a tool of a server that says it fetches': () => ({
    name: 'web__get',
    kind: 'fetch',
    effect: 'reaches',
    facts: { url: 'https://good.example/x' },
  }),
  'a tool of a server, given a denied host': () => ({
    name: 'web__get',
    kind: 'other',
    effect: 'reaches',
    facts: { url: 'https://evil.example/x' },
  }),
  'a tool of a server, given a denied command': () => given('rm -rf x'),
  'a tool of a server, given an allowed command': () => given('npm test'),
  'a tool that reads nobody knows what': () => ({ name: 'read-resource', kind: 'read', effect: 'reaches' }),
  talking: () => ({ name: 'ask', kind: 'other', effect: 'talks' }),
  'a tool denied by its name': () => ({ name: 'plan', kind: 'think', effect: 'talks' }),
};

function run(command: string): AskedCall {
  return { name: 'execute', kind: 'execute', effect: 'changes', facts: { command, cwd: fixture.folder } };
}

function given(command: string): AskedCall {
  return { name: 'ssh__exec', kind: 'execute', effect: 'reaches', facts: { namedCommands: [command] } };
}

function fetches(url: string): AskedCall {
  return { name: 'fetch', kind: 'fetch', effect: 'reaches', facts: { url } };
}

const byMode =
  'Refused: in mode architect nothing is changed and no command runs; nothing was done. Go on looking, or call switch-mode with your plan: the user decides.';
const by = (rule: string): string =>
  `Refused, denied by the rule ${rule} in /config/turnwire/permissions.json; nothing was done.`;
const asked = 'asked, allowed.';
const runs = 'allowed.';
const secret = by('Read(secret.txt)');
const evil = by('WebFetch(domain:evil.example)');

/** The outcome of a call in the modes ask, code and architect, if the user allows everything. */
const table: Readonly<Record<string, readonly [string, string, string]>> = {
  'reading a file': [runs, runs, runs],
  'reading a denied file': [secret, secret, secret],
  'reading a file to be asked about': [asked, asked, asked],
  'reading outside': [asked, runs, asked],
  'reading a secret outside': [asked, asked, asked],
  'searching a denied file': [secret, secret, secret],
  editing: [asked, runs, byMode],
  'editing where it is allowed': [runs, runs, byMode],
  'editing a denied file': [secret, secret, byMode],
  'editing a file to be asked about': [asked, asked, byMode],
  'moving a denied file': [secret, secret, byMode],
  deleting: [asked, runs, byMode],
  'changing the rules': [asked, asked, byMode],
  'an allowed command': [runs, runs, byMode],
  'another command': [asked, runs, byMode],
  'a denied command': [by('Bash(rm *)'), by('Bash(rm *)'), byMode],
  'a command to be asked about': [asked, asked, byMode],
  'a command that reads a denied file': [secret, secret, byMode],
  'a command that changes the rules': [asked, asked, byMode],
  'a command nobody can read': [asked, asked, byMode],
  'fetching from an allowed host': [runs, runs, runs],
  'fetching from another host': [asked, runs, asked],
  'fetching from a denied host': [evil, evil, evil],
  'a tool of a server': [asked, runs, asked],
  'a tool of a server, given a denied file': [secret, secret, secret],
  'a tool of a server that says it reads': [asked, runs, asked],
  'a tool of a server that says it fetches': [asked, runs, asked],
  'a tool of a server, given a denied host': [evil, evil, evil],
  'a tool of a server, given a denied command': [by('Bash(rm *)'), by('Bash(rm *)'), by('Bash(rm *)')],
  'a tool of a server, given an allowed command': [asked, runs, asked],
  'a tool that reads nobody knows what': [asked, runs, asked],
  talking: [runs, runs, runs],
  'a tool denied by its name': [by('plan'), by('plan'), by('plan')],
};

test.each(Object.keys(calls))('%s is decided by the mode and the rules', async (name) => {
  fixture.user = chooses('allow_once');
  const stories: string[] = [];
  for (const mode of ['ask', 'code', 'architect']) {
    await fixture.setMode(mode);
    stories.push(calls[name] ? await fixture.story(calls[name]()) : 'no such call');
  }
  expect(stories).toEqual(table[name]);
});

async function offered(name: string): Promise<readonly string[] | undefined> {
  await fixture.setMode('ask');
  fixture.user = chooses('reject_once');
  if (calls[name]) await fixture.admit(calls[name]());
  return fixture.asked.at(-1);
}

test.each([
  [
    'another command',
    [
      'Allow once',
      'Always allow Bash(npm run build) in this session',
      'Reject',
      'Always reject Bash(npm run build) in this session',
    ],
  ],
  ['editing', ['Allow once', 'Always allow Edit(./notes.txt) in this session', 'Reject']],
  [
    'a tool of a server',
    [
      'Allow once',
      'Always allow github__get_issue in this session',
      'Reject',
      'Always reject github__get_issue in this session',
    ],
  ],
  [
    'fetching from another host',
    [
      'Allow once',
      'Always allow WebFetch(domain:other.example) in this session',
      'Reject',
      'Always reject WebFetch(domain:other.example) in this session',
    ],
  ],
  ['deleting', ['Allow once', 'Reject']],
  ['a command to be asked about', ['Allow once', 'Reject']],
  ['a file a rule asks about', ['Allow once', 'Reject']],
  ['changing the rules', ['Allow once', 'Reject']],
  ['a command nobody can read', ['Allow once', 'Reject']],
])('for %s the user is offered only answers that have a clear meaning', async (name, options) => {
  expect(await offered(name === 'a file a rule asks about' ? 'reading a file to be asked about' : name)).toEqual(
    options,
  );
});

test.each([
  ['one as long as a page', `tree ${'x'.repeat(200)}`],
  ['one that turns the direction of the text', 'tree \u202Egnp.exe'],
  ['one with a command for terminals', 'tree \u001B[8m'],
])('a rule that cannot be shown in full is not offered: %s', async (_, command) => {
  fixture.user = chooses('reject_once');
  await fixture.admit(run(command));
  expect(fixture.asked.at(-1)).toEqual(['Allow once', 'Reject']);
});
