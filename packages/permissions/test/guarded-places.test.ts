import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createPermissions, type Permissions } from '../src/index.ts';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Action, GivenRule, PermissionMode } from '../src/permissions.ts';

let home: string;

beforeEach(async () => {
  home = await realpath(await mkdtemp(join(tmpdir(), 'turnwire-home-')));
  vi.stubEnv('HOME', home);
  for (const name of ['XDG_CONFIG_HOME', 'XDG_STATE_HOME', 'XDG_DATA_HOME', 'XDG_CACHE_HOME']) vi.stubEnv(name, '');
  for (const path of [
    '.local/share/turnwire/coder/keys.json',
    '.config/turnwire/config.json',
    '.ssh/id_rsa',
    'a.txt',
  ]) {
    await mkdir(dirname(join(home, path)), { recursive: true });
    await writeFile(join(home, path), 'x');
  }
});
afterEach(async () => {
  vi.unstubAllEnvs();
  await rm(home, { recursive: true });
});

const everything: readonly GivenRule[] = ['Read', 'Edit', 'Bash', 'Search', 'Delete', 'Move'].map((text) => ({
  text,
  effect: 'allow',
}));

function permissions(mode: PermissionMode, rules: readonly GivenRule[] = []): Permissions {
  return createPermissions({ project: home, mode, rules });
}

function action(parts: Partial<Action>): Action {
  return { sessionId: 's', roots: [home], kind: 'read', paths: [], source: 'request', cwd: home, ...parts } as Action;
}

test.each<[string, Partial<Action>]>([
  ['to read the keys', { paths: ['.local/share/turnwire/coder/keys.json'] }],
  ['to read them through us', { paths: ['.local/share/turnwire/coder/keys.json'], source: 'host' }],
  ['to search the settings', { kind: 'search', paths: ['.config/turnwire'] }],
  ['to write rules', { kind: 'edit', paths: ['.config/turnwire/permissions.json'] }],
  ['to write a session', { kind: 'edit', paths: ['.local/state/turnwire/sessions/x'] }],
  ['a command that names the keys', { kind: 'execute', command: 'cat .local/share/turnwire/coder/keys.json' }],
  ['a command in their folder', { kind: 'execute', command: 'cd .local/share/turnwire/coder && cat keys.json' }],
  ['a command with a pattern for them', { kind: 'execute', command: 'head .local/share/turnwire/*/*' }],
  ['a command that reads them as input', { kind: 'execute', command: 'tr a b < ~/.config/turnwire/config.json' }],
  ['a command that names them by a variable', { kind: 'execute', command: 'cat "$HOME"/.config/turnwire/config.json' }],
  [
    'a command that names them in a program',
    { kind: 'execute', command: `python3 -c 'open(".config/turnwire/config.json")'` },
  ],
  ['a command that names them to itself', { kind: 'execute', command: 'x=$PWD/.config/turnwire/config.json; cat $x' }],
  ['a command that names them in a loop', { kind: 'execute', command: 'for f in .config/turnwire/*; do cat $f; done' }],
  ['a command that writes there', { kind: 'execute', command: 'echo {} > .config/turnwire/permissions.json' }],
])("no mode and no rule lets an agent touch the product's own files: %s", (_, { paths = [], ...parts }) => {
  const wanted = action({ ...parts, paths: paths.map((path) => join(home, path)) });
  const effects = (['default', 'acceptEdits', 'bypassPermissions'] as const).map(
    (mode) => permissions(mode, everything).judge(wanted, 'allow').effect,
  );
  expect(effects).toEqual(['deny', 'deny', 'deny']);
});

test('a command that names similar files, or only their folder, is not refused', () => {
  const lines = [
    'ls ~',
    'mkdir -p ~/.config/turnwired',
    'cat a.config/turnwire',
    'turnwire --version',
    'cp a.txt ~/.config/',
  ];
  const effects = lines.map(
    (command) => permissions('bypassPermissions').judge(action({ kind: 'execute', command })).effect,
  );
  expect(effects).toEqual(lines.map(() => 'allow'));
});

test("a refusal of the product's own files gives its reason", () => {
  const paths = [join(home, '.config/turnwire/config.json')];
  expect(permissions('bypassPermissions').judge(action({ paths })).reason).toBe(
    `denied: ${home}/.config/turnwire/config.json is not accessible, since it belongs to Turnwire itself, ` +
      'which keeps settings, keys and sessions there, and no session may read or change it',
  );
});

test('a session in the home folder needs approval for files with secrets, unless a rule or the mode allows them', () => {
  const key = action({ paths: [join(home, '.ssh/id_rsa')], source: 'host' });
  const other = action({ paths: [join(home, 'a.txt')], source: 'host' });
  const allowed: readonly GivenRule[] = [{ text: 'Read(~/.ssh/**)', effect: 'allow' }];
  expect([
    permissions('default').judge(other).effect,
    permissions('default').judge(key).effect,
    permissions('default').judge(key, 'allow').effect,
    permissions('default').judge(key, 'deny').effect,
    permissions('acceptEdits').judge(action({ paths: key.paths, kind: 'edit' })).effect,
    permissions('default', allowed).judge(key).effect,
    permissions('bypassPermissions').judge(key).effect,
    permissions('default').judge({ ...key, roots: [join(home, '.ssh')] }).effect,
  ]).toEqual(['allow', 'ask', 'ask', 'deny', 'ask', 'allow', 'allow', 'allow']);
});
