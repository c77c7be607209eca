import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type Action, createPermissions, type PermissionMode, type Permissions } from '../src/index.ts';
import { action, project } from './project.ts';

/** A project whose file denies reading `.env`, and the permissions of a session that started with it. */
function begun(mode: PermissionMode): { cwd: string; file: string; permissions: Permissions } {
  const cwd = project();
  const file = join(cwd, '.turnwire/permissions.json');
  writeFileSync(join(cwd, '.env'), 'secret');
  writeFileSync(file, '{"deny": ["Read(.env)"], "ask": ["Bash(git push *)"]}');
  return { cwd, file, permissions: createPermissions({ project: cwd, mode, files: { project: file } }) };
}

const modes: readonly PermissionMode[] = ['default', 'acceptEdits', 'bypassPermissions'];

test.each(modes)(
  'with %s an agent needs a question to change the rule file, by itself or through the client',
  (mode) => {
    const { cwd, file, permissions } = begun(mode);
    const calls: readonly Partial<Action>[] = [
      { command: 'echo {} > .turnwire/permissions.json', cwd },
      { command: 'rm .turnwire/permissions.json', cwd },
      { command: 'rm -r .turnwire', cwd },
      { command: 'cp src/a.ts .turnwire/permissions.json', cwd },
      { command: 'mv .turnwire x', cwd },
      { kind: 'edit', paths: [file] },
      { kind: 'delete', paths: [file] },
      { kind: 'move', paths: [join(cwd, '.turnwire'), join(cwd, 'x')] },
      { kind: 'edit', paths: [file], source: 'host' },
    ];
    const effects = calls.map((call) => permissions.judge(action(cwd, { shell: 'bash', ...call })).effect);
    expect(effects).toEqual(calls.map(() => 'ask'));
  },
);

test.each<[string, (file: string) => void]>([
  ['is emptied', (file) => writeFileSync(file, '')],
  ['has other rules', (file) => writeFileSync(file, '{"allow": ["Read"]}')],
  ['is removed', (file) => rmSync(file)],
])('a prohibition from the start of the session stays in force when its file %s', (_, change) => {
  const { cwd, file, permissions } = begun('bypassPermissions');
  change(file);
  const read = permissions.judge(action(cwd, { command: 'cat .env', cwd, shell: 'bash' }));
  const push = permissions.judge(action(cwd, { command: 'git push origin', cwd, shell: 'bash' }));
  const when = `which was in ${file} earlier and applies until the session ends`;
  expect([read.effect, read.reason, push.effect, push.reason]).toEqual([
    'deny',
    `denied by the rule Read(.env), ${when}`,
    'ask',
    `asked by the rule Bash(git push *), ${when}`,
  ]);
});

test('a prohibition that the user removes in the session no longer applies', async () => {
  const { cwd, permissions } = begun('bypassPermissions');
  for (const rule of permissions.rules) await permissions.removeRule(rule);
  expect(permissions.rules).toEqual([]);
  expect(permissions.judge(action(cwd, { command: 'cat .env', cwd, shell: 'bash' })).effect).toBe('allow');
});

test('a prohibition that is removed from the file and added again is in the file again, and listed once', async () => {
  const { file, permissions } = begun('default');
  writeFileSync(file, '{}');
  const held = permissions.rules;
  await permissions.addRule('deny', 'Read(.env)', 'project');
  expect([
    held.map(({ isHeld }) => isHeld),
    permissions.rules.map(({ text, isHeld }) => [text, isHeld]),
    JSON.parse(readFileSync(file, 'utf8')),
  ]).toEqual([
    [true, true],
    [
      ['Read(.env)', undefined],
      ['Bash(git push *)', true],
    ],
    { deny: ['Read(.env)'] },
  ]);
});

test('a rule that cannot be parsed is not held', () => {
  const { file, permissions } = begun('default');
  writeFileSync(file, '{"deny": ["Bash("]}');
  const before = permissions.warnings.length;
  writeFileSync(file, '{}');
  expect([before, permissions.warnings, permissions.rules.map(({ text }) => text).sort()]).toEqual([
    1,
    [],
    ['Bash(git push *)', 'Read(.env)'],
  ]);
});

test('with bypassPermissions a command that copies a file into the project needs no question', () => {
  const cwd = project();
  const file = join(cwd, '.turnwire/permissions.json');
  writeFileSync(file, '{"deny": ["Bash(npm publish *)"]}');
  const permissions = createPermissions({ project: cwd, mode: 'bypassPermissions', files: { project: file } });
  const lines = ['cp src/a.ts .', 'mv src/a.ts .', 'tar xf a.tar -C .', 'touch a', 'git checkout .'];
  const effects = lines.map((command) => permissions.judge(action(cwd, { command, cwd, shell: 'bash' })).effect);
  expect(effects).toEqual(lines.map(() => 'allow'));
});
