import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import type { PermissionMode } from '../src/index.ts';
import { judging, project } from './project.ts';

/** The paths that may be written without a question. */
function written(
  rules: readonly string[],
  paths: readonly string[],
  mode: PermissionMode = 'default',
): readonly string[] {
  const cwd = project();
  mkdirSync(join(cwd, 'planted'));
  writeFileSync(join(cwd, 'planted/HEAD'), '');
  const judge = judging(cwd, rules, mode);
  return paths.filter((path) => judge({ kind: 'edit', paths: [join(cwd, path)] }).effect === 'allow');
}

const harmless = ['src/a.ts', '.gitignore', '.github/README.md', 'config', 'objects/a', 'vscode/tasks.json', '.env'];

const running = [
  '.git/hooks/pre-commit',
  'sub/.git/config',
  '.husky/pre-commit',
  '.vscode/tasks.json',
  'packages/a/.vscode/settings.json',
  '.idea/workspace.xml',
  'all.code-workspace',
  '.envrc',
  '.claude/settings.json',
  '.gemini/settings.json',
  '.codex/config.toml',
  '.cursor/mcp.json',
  '.mcp.json',
  '.npmrc',
  'packages/a/.yarnrc.yml',
  '.github/workflows/ci.yml',
  '.gitlab-ci.yml',
  '.pre-commit-config.yaml',
  '.bashrc',
  '.config/fish/config.fish',
  'sub/HEAD',
  'planted/config',
  'planted/objects/a',
  'planted/refs/heads/main',
  '.GIT/config',
  '.Husky/x',
  '.g\u200Cit/config',
  '.npmrc.',
];

test('a mode that accepts edits asks about files that make programs run, and about no others', () => {
  expect(written([], [...harmless, ...running], 'acceptEdits')).toEqual(harmless);
});

test.each([
  ['Edit(**)', harmless],
  ['Edit(./**)', harmless],
  ['Edit(.*)', ['.gitignore', '.env']],
  ['Edit', [...harmless, ...running]],
])('the rule %s allows the files it names, and a pattern allows no file that makes programs run', (rule, paths) => {
  expect(written([`allow ${rule}`], [...harmless, ...running])).toEqual(paths);
});

test.each([
  ['Edit(.husky/**)', ['.husky/pre-commit']],
  ['Edit(.github/workflows/*.yml)', ['.github/workflows/ci.yml']],
  ['Edit(.github/**)', ['.github/README.md']],
  ['Edit(.npmrc)', ['.npmrc']],
  ['Edit(**/.vscode/**)', ['.vscode/tasks.json', 'packages/a/.vscode/settings.json']],
  ['Edit(.git/**)', ['.git/hooks/pre-commit']],
  ['Edit(planted/config)', ['planted/config']],
  ['Edit(planted/**)', []],
  ['Edit(sub/HEAD)', ['sub/HEAD']],
])('the rule %s allows the file it names', (rule, paths) => {
  expect(written([`allow ${rule}`], [...harmless, ...running])).toEqual(paths);
});

test('a session folder inside such a location needs approval too', () => {
  const cwd = join(project(), '.claude/worktrees/one');
  for (const path of ['src', '.claude']) mkdirSync(join(cwd, path), { recursive: true });
  const effects = (rules: readonly string[], mode: PermissionMode): readonly string[] =>
    ['src/a.ts', '.claude/settings.json'].map(
      (path) => judging(cwd, rules, mode)({ kind: 'edit', paths: [join(cwd, path)] }).effect,
    );
  expect([effects([], 'acceptEdits'), effects(['allow Edit(**)'], 'default')]).toEqual([
    ['allow', 'ask'],
    ['allow', 'ask'],
  ]);
});

test('a link to such a file needs approval too', () => {
  const cwd = project();
  writeFileSync(join(cwd, '.npmrc'), '');
  symlinkSync('../.npmrc', join(cwd, 'src/settings'));
  expect(
    judging(cwd, ['allow Edit(src/**)', 'allow Edit(**)'])({ kind: 'edit', paths: [join(cwd, 'src/settings')] }).effect,
  ).toBe('ask');
});

test.each([
  'echo x > .npmrc',
  'cp a.txt .husky/pre-commit',
  'mv src/a.ts .git/hooks/pre-commit',
  'mkdir -p .vscode',
  'touch sub/HEAD',
  'rm -r .github/workflows',
])('commands that change such files need approval too: %s', (command) => {
  const cwd = project();
  for (const path of ['.husky/x', 'sub/x', 'a.txt']) {
    mkdirSync(dirname(join(cwd, path)), { recursive: true });
    writeFileSync(join(cwd, path), '');
  }
  const rules = ['allow Bash(echo *)', 'allow Edit(**)'];
  expect(judging(cwd, rules, 'acceptEdits')(command).effect).toBe('ask');
});
