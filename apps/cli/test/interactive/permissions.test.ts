import { mkdir, mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { beginChat, type Emulator, inEmulator, keys, showyAgent } from './emulator.ts';

let folder: string;
let env: Readonly<Record<string, string>>;
beforeEach(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), 'turnwire-rules-')));
  env = { XDG_CONFIG_HOME: join(folder, 'config'), XDG_STATE_HOME: join(folder, 'state') };
  await writeRules(join(folder, '.turnwire'), { allow: ['Bash(npm test)'] });
  await writeRules(join(folder, 'config', 'turnwire'), { deny: ['Read(.env)'] });
});
afterEach(() => rm(folder, { recursive: true, maxRetries: 5 }));

async function writeRules(place: string, rules: object): Promise<void> {
  await mkdir(place, { recursive: true });
  await writeFile(join(place, 'permissions.json'), JSON.stringify(rules));
}

async function accept(...texts: readonly string[]): Promise<void> {
  const place = join(folder, 'state', 'turnwire');
  await mkdir(place, { recursive: true });
  const accepted = { [join(folder, '.turnwire', 'permissions.json')]: texts };
  await writeFile(join(place, 'accepted-rules.json'), JSON.stringify(accepted));
}

const projectRules = async (): Promise<unknown> =>
  JSON.parse(await readFile(join(folder, '.turnwire', 'permissions.json'), 'utf8'));

const isOpen = (title: string) => (lines: readonly string[]) => lines.some((line) => line.startsWith(title));

async function open(run: Emulator): Promise<readonly string[]> {
  run.type(`/permissions${keys.enter}`);
  return run.until(isOpen('Permissions '));
}

async function pick(run: Emulator, search: string, next: string): Promise<readonly string[]> {
  run.type(search);
  await run.until((lines) => lines.includes(`/ ${search}`));
  run.type(keys.enter);
  return run.until(next);
}

test('/permissions lists the approval setting and the rules with their sources', async () => {
  const run = await beginChat(folder, { env, columns: 160, words: ['--policy', '{"autoDeny":["fetch"]}'] });
  const screen = await open(run);
  const first = screen.findIndex((line) => line.startsWith('Permissions '));
  expect(screen.slice(first, -1).map((line) => line.replaceAll(/ {2,}/g, ' | '))).toEqual([
    'Permissions 5',
    '/',
    '❯ Approval: default | asks about everything but reading files of the session',
    ' | Add a rule',
    ' | deny fetch | command line',
    ` | allow Bash(npm test) | not accepted, project, ${join(folder, '.turnwire', 'permissions.json')}`,
    ` | deny Read(.env) | user, ${join(folder, 'config', 'turnwire', 'permissions.json')}`,
    'Type to search · ↑↓ Enter · Esc goes back',
  ]);
});

test('an added rule applies at once, and a removed rule no longer does', async () => {
  const run = await beginChat(folder, { env, columns: 160 });
  await open(run);
  await pick(run, 'add', 'What should the rule do?');
  await pick(run, 'allow', 'The rule, such as');
  run.type(`Bash(git *)${keys.enter}`);
  await run.until('For how long, and for whom?');
  await pick(run, 'project', 'in force: allow Bash(git *)');
  const call = JSON.stringify({ toolCallId: 'a', title: 'x', kind: 'execute', rawInput: { command: 'git log' } });
  run.type(`ask ${call}${keys.enter}`);
  await run.until('selected yes');
  const added = await projectRules();
  await open(run);
  await pick(run, 'git', 'Remove it');
  run.type(keys.enter);
  await run.until('removed: allow Bash(git *)');
  expect({ added, after: await projectRules() }).toEqual({
    added: { allow: ['Bash(npm test)', 'Bash(git *)'] },
    after: { allow: ['Bash(npm test)'] },
  });
});

test('a rule that cannot be parsed is reported, and nothing is written', async () => {
  const run = await beginChat(folder, { env, columns: 160 });
  await open(run);
  await pick(run, 'add', 'What should the rule do?');
  await pick(run, 'deny', 'The rule, such as');
  run.type(`Bash(${keys.enter}`);
  await run.until('A message for the model');
  run.type(keys.enter);
  await run.until('For how long, and for whom?');
  await pick(run, 'project', 'Bash(');
  await run.until((lines) => lines.at(-1)?.includes('Bash(') === true);
  expect(await projectRules()).toEqual({ allow: ['Bash(npm test)'] });
});

test('a changed approval setting applies from then on', async () => {
  const run = await beginChat(folder, { env, columns: 160 });
  await open(run);
  await pick(run, 'Approval', 'Approval: what happens if no rule applies');
  await pick(run, 'bypass', 'approval is bypassPermissions now');
  run.type(`ask ${JSON.stringify({ toolCallId: 'a', title: 'x', kind: 'other' })}${keys.enter}`);
  expect(await run.until('selected yes')).toEqual(expect.arrayContaining(['selected yes']));
});

test('a plain chat numbers the permissions', async () => {
  const run = inEmulator(['--plain', '--agent', showyAgent(), '--cwd', folder], { env, columns: 160 });
  const asks = (sign: string) => (lines: readonly string[]) => lines.at(-1)?.endsWith(sign) === true;
  await run.until(asks('>'));
  run.type(`/permissions${keys.enter}`);
  const screen = await run.until(asks('Answer (1-4, or nothing):'));
  expect(screen.slice(screen.indexOf('Permissions'))).toEqual([
    'Permissions',
    '  1  Approval: default: asks about everything but reading files of the session',
    '  2  Add a rule',
    `  3  allow Bash(npm test): not accepted, project, ${join(folder, '.turnwire', 'permissions.json')}`,
    `  4  deny Read(.env): user, ${join(folder, 'config', 'turnwire', 'permissions.json')}`,
    'Answer (1-4, or nothing):',
  ]);
  run.type(`3${keys.enter}`);
  await run.until(asks('Answer (1-3, a, y or n, or nothing):'));
  run.type(`a${keys.enter}`);
  await run.until('in force: allow Bash(npm test)');
  run.type(`/permissions${keys.enter}`);
  await run.until(asks('Answer (1-4, or nothing):'));
  run.type(`3${keys.enter}`);
  await run.until(asks('Answer (1-2, y or n, or nothing):'));
  run.type(`y${keys.enter}`);
  await run.until('removed: allow Bash(npm test)');
  expect(await projectRules()).toEqual({ allow: [] });
});

test('rules of the project are announced when the chat starts, and apply once accepted', async () => {
  const told = '1 rule that allows something does not count until you accept it';
  const first = await beginChat(folder, { env, columns: 160 });
  await accept('Bash(npm test)');
  const second = await beginChat(folder, { env, columns: 160 });
  const label = (await open(second)).find((line) => line.includes('allow Bash(npm test)'))?.replaceAll(/ {2,}/g, ' | ');
  expect([first, second].map((run) => run.everything.join(' ').includes(told))).toEqual([true, false]);
  expect(label).toBe(` | allow Bash(npm test) | project, ${join(folder, '.turnwire', 'permissions.json')}`);
});

test('a broken rules file is reported when the chat starts', async () => {
  await writeFile(join(folder, '.turnwire', 'permissions.json'), '{"allow": [');
  const run = await beginChat(folder, { env, columns: 220 });
  expect(run.everything.join(' ')).toContain('until it is fixed, all actions are asked about');
});
