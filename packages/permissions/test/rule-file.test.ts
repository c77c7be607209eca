import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { TurnwireError } from '@turnwire/protocol';
import { expect, test } from 'vitest';
import { bundleProgram } from '../../../tools/bundle-program.mjs';
import { createPermissions, type Permissions, type PermissionsOptions } from '../src/index.ts';
import { action, temporaryFolder } from './project.ts';

function withFile(content?: string): {
  readonly file: string;
  readonly permissions: Permissions;
  readonly told: string[];
} {
  const folder = temporaryFolder();
  const file = join(folder, 'settings/permissions.json');
  const told: string[] = [];
  if (content !== undefined) {
    mkdirSync(join(folder, 'settings'));
    writeFileSync(file, content);
  }
  return {
    file,
    told,
    permissions: createPermissions({
      project: folder,
      files: { user: file },
      onWarning: (message) => told.push(message),
    }),
  };
}

test('a missing rule file is created', async () => {
  const { file, permissions } = withFile();
  const rule = await permissions.addRule('allow', ' Bash(ls) ', 'user');
  expect([rule, readFileSync(file, 'utf8'), readdirSync(join(file, '..'))]).toEqual([
    { text: 'Bash(ls)', effect: 'allow', source: 'user', file },
    '{\n  "allow": [\n    "Bash(ls)"\n  ]\n}\n',
    ['permissions.json'],
  ]);
});

test('everything else in a rule file stays: order, schema, comments and permissions', async () => {
  const { file, permissions } = withFile(
    '{\n  // mine\n  "$schema": "x",\n  "deny": ["Bash(rm *)"],\n  "allow": [\n    "Read" // all\n  ]\n}\n',
  );
  chmodSync(file, 0o600);
  await permissions.addRule('allow', 'Bash(ls)', 'user');
  await permissions.addRule('ask', 'Edit', 'user');
  await permissions.addRule('allow', 'Bash(ls)', 'user');
  await permissions.removeRule({ text: 'Bash(rm *)', effect: 'deny', source: 'user' });
  const text = readFileSync(file, 'utf8');
  expect([text.includes('// mine'), text.includes('// all'), statSync(file).mode & 0o777]).toEqual([true, true, 0o600]);
  const plain = text.replaceAll(/\/\/.*/g, '');
  expect(Object.entries(JSON.parse(plain) as object)).toEqual([
    ['$schema', 'x'],
    ['deny', []],
    ['allow', ['Read', 'Bash(ls)']],
    ['ask', ['Edit']],
  ]);
});

test('a link to a rule file stays a link', async () => {
  const folder = temporaryFolder();
  const [file, link] = [join(folder, 'kept.json'), join(folder, 'permissions.json')];
  writeFileSync(file, '{}');
  symlinkSync(file, link);
  await createPermissions({ project: folder, files: { user: link } }).addRule('deny', 'Edit', 'user');
  expect([JSON.parse(readFileSync(file, 'utf8')), readdirSync(folder).toSorted()]).toEqual([
    { deny: ['Edit'] },
    ['kept.json', 'permissions.json'],
  ]);
});

const broken: readonly (readonly [string, string])[] = [
  ['{\n  "allow": ["Bash(ls)",\n', 'line 3: this is not JSON (value expected)'],
  [
    '{"allow": ["Bash(ls)"],\n "deny": "Edit"}',
    'line 2: "deny" must be a list of rules: texts, or objects with "rule" and perhaps "message" and "child", all of them texts',
  ],
  [
    '{"allow": ["Bash(ls)",\n 1]}',
    'line 2: "allow" must be a list of rules: texts, or objects with "rule" and perhaps "message" and "child", all of them texts',
  ],
  ['{"allow": ["Bash(ls)"],\n "denny": ["Bash(rm *)"]}', 'line 2: there is no key "denny" (did you mean "deny"?)'],
  ['{"allow": ["Bash(ls)"],\n "dney": []}', 'line 2: there is no key "dney" (did you mean "deny"?)'],
  [
    '{"allow": ["Bash(ls)"], "disallowedTools": []}',
    'line 1: there is no key "disallowedTools" (did you mean "deny"?)',
  ],
  ['{"allow": ["Bash(ls)"], "autoApprove": []}', 'line 1: there is no key "autoApprove" (did you mean "allow"?)'],
  ['{"allow": ["Bash(ls)"], "confirm": []}', 'line 1: there is no key "confirm" (did you mean "ask"?)'],
  [
    '{"allow": ["Bash(ls)"], "version": 1}',
    'line 1: there is no key "version" (the keys are "allow", "ask" and "deny")',
  ],
  [
    '{"allow": ["Bash(ls)"],\n "permissions": {"deny": ["Bash(rm *)"]}}',
    'line 2: there is no key "permissions". Other programs have it in their settings (Claude Code: {"permissions": {"allow": []}}); here "allow", "ask" and "deny" are at the top level',
  ],
  ['{"allow": ["Bash(ls)"],\n "deny": [],\n "deny": ["Bash(rm *)"]}', 'line 3: "deny" occurs for the second time'],
  ['["Bash(ls)"]', 'line 1: it must contain an object like {"allow": [], "ask": [], "deny": []}'],
];

test.each(broken)(
  'the broken file %j allows nothing, is reported as broken, and is not overwritten',
  async (content, problem) => {
    const { file, permissions, told } = withFile(content);
    const warning = `${file}, ${problem}; until it is fixed, all actions are asked about`;
    const failure: unknown = await permissions.addRule('allow', 'Bash(pwd)', 'user').catch((error: unknown) => error);
    expect([
      permissions.judge(action('/', { command: 'ls' })).effect,
      permissions.warnings,
      told,
      readFileSync(file, 'utf8'),
    ]).toEqual(['ask', [warning], [warning], content]);
    expect(failure).toBeInstanceOf(TurnwireError);
    expect((failure as TurnwireError).message).toBe(`The rule was not written: ${warning}`);
  },
);

test('a rule that cannot be parsed makes its file allow nothing, because it may be a prohibition', () => {
  const { file, permissions, told } = withFile('{"allow": ["Bash(ls)"],\n"deny": ["Bash(rm *)",\n"Bash("]}');
  expect([permissions.rules.map(({ text }) => text), told]).toEqual([
    ['Bash(rm *)'],
    [
      `${file}, line 3: The permission rule "Bash(" cannot be read: write it like Bash, Bash(git status *) or Edit(src/**); until it is fixed, all actions are asked about`,
    ],
  ]);
});

test("a file's prohibition stays in force while the file is broken and after a repair that drops the rule", () => {
  const { file, permissions, told } = withFile('{"allow": ["Bash(ls)"], "deny": ["Bash(rm *)"]}');
  const effects = (): readonly string[] =>
    ['ls', 'rm x'].map((command) => permissions.judge(action('/', { command })).effect);
  const seen = [effects()];
  for (const content of ['{"allow": ["Bash(l', '{"allow": ["Bash(ls)"]}', '']) {
    writeFileSync(file, content);
    seen.push(effects());
  }
  expect([seen, told.length, permissions.warnings]).toEqual([
    [
      ['allow', 'deny'],
      ['ask', 'deny'],
      ['allow', 'deny'],
      ['ask', 'deny'],
    ],
    1,
    [],
  ]);
});

test('while a file is broken everything needs approval, in every mode and despite other rules that allow it', () => {
  const { file, permissions } = withFile('{"allow": ["Bash(ls)"],\n"denny": ["Bash(rm *)"]}');
  const folder = join(file, '../..');
  const broken = (options: Partial<PermissionsOptions>): unknown =>
    [
      { command: 'ls' },
      { command: 'rm x' },
      { kind: 'read', source: 'host', paths: [join(folder, 'x')] } as const,
      { kind: 'edit', paths: [join(folder, 'x')] },
    ].map(
      (facts) =>
        createPermissions({ project: folder, files: { user: file }, ...options }).judge(action(folder, facts)).effect,
    );
  const rules = ['Bash', 'Read', 'Edit', '*'].map((text) => ({ effect: 'allow', text }) as const);
  expect([
    broken({ mode: 'bypassPermissions' }),
    broken({ mode: 'acceptEdits', rules }),
    broken({ rules, otherwise: 'deny', allowing: 'given' }),
    broken({ otherwise: 'allow' }),
    broken({ mode: 'plan' }),
  ]).toEqual([
    ['ask', 'ask', 'ask', 'ask'],
    ['ask', 'ask', 'ask', 'ask'],
    ['deny', 'deny', 'deny', 'deny'],
    ['ask', 'ask', 'ask', 'ask'],
    ['deny', 'deny', 'deny', 'deny'],
  ]);
  expect(permissions.judge(action(folder, { command: 'pwd' }), 'allow').reason).toBe(
    `asked: the prohibitions in ${file} are unknown until it is fixed`,
  );
  writeFileSync(file, '{"deny": ["Bash(rm *)"]}');
  expect([broken({ mode: 'bypassPermissions' }), permissions.warnings]).toEqual([
    ['allow', 'deny', 'allow', 'allow'],
    [],
  ]);
});

test('two processes that add rules at the same time lose none', async () => {
  const folder = temporaryFolder();
  const file = join(folder, 'permissions.json');
  const writer = fileURLToPath(new URL('./fixtures/rule-writer.ts', import.meta.url));
  const run = async (name: string): Promise<unknown> => {
    const child = spawn(process.execPath, [bundleProgram(writer), file, name, '15'], { stdio: 'inherit' });
    return (await once(child, 'exit'))[0];
  };
  expect(await Promise.all([run('one'), run('two')])).toEqual([0, 0]);
  const { allow } = JSON.parse(readFileSync(file, 'utf8')) as { allow: readonly string[] };
  const expected = ['one', 'two'].flatMap((name) => Array.from({ length: 15 }, (_, at) => `Bash(${name} ${at})`));
  expect([allow.toSorted(), readdirSync(folder)]).toEqual([expected.toSorted(), ['permissions.json']]);
});

test.each([
  ['a full disk left empty', ''],
  ['a dead process left', JSON.stringify({ pid: 2 ** 22 + 1, host: hostname() })],
])('a lock that %s is taken over, even if its date is in the future', async (_, lock) => {
  const { file, permissions } = withFile('{}');
  writeFileSync(`${file}.lock`, lock);
  const anHourAhead = new Date(Date.now() + 3_600_000);
  utimesSync(`${file}.lock`, anHourAhead, anHourAhead);
  await permissions.addRule('allow', 'Read', 'user');
  expect([JSON.parse(readFileSync(file, 'utf8')), readdirSync(join(file, '..'))]).toEqual([
    { allow: ['Read'] },
    ['permissions.json'],
  ]);
});

test('adding a rule to a scope without a file is refused', async () => {
  const failure: unknown = await createPermissions({ project: '/' })
    .addRule('allow', 'Read', 'project')
    .catch((error: unknown) => error);
  expect((failure as Error).message).toBe(
    'There is no rule file of the project; remember the rule for the session instead',
  );
});

test('with the umask 000 only the user can write the folders and files of rules', async () => {
  const folder = temporaryFolder();
  mkdirSync(join(folder, 'project'));
  const program = bundleProgram(fileURLToPath(new URL('./fixtures/open-umask.ts', import.meta.url)));
  const [code] = (await once(spawn(process.execPath, [program, folder], { stdio: 'inherit' }), 'exit')) as [number];
  const mode = (path: string): string => (statSync(join(folder, path)).mode & 0o777).toString(8);
  const paths = [
    ...['project/.turnwire', 'project/.turnwire/permissions.json', '.config', '.config/turnwire'],
    ...['.config/turnwire/permissions.json', '.local/state/turnwire', '.local/state/turnwire/accepted-rules.json'],
  ];
  expect([code, ...paths.map((path) => `${path} ${mode(path)}`)]).toEqual([
    0,
    'project/.turnwire 755',
    'project/.turnwire/permissions.json 644',
    '.config 700',
    '.config/turnwire 700',
    '.config/turnwire/permissions.json 600',
    '.local/state/turnwire 700',
    '.local/state/turnwire/accepted-rules.json 600',
  ]);
});
