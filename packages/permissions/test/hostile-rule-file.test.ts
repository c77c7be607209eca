import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { createPermissions, type Permissions } from '../src/index.ts';
import { within } from '../../../tools/pace.ts';
import { action, temporaryFolder } from './project.ts';

/** A project with a malicious rule file. */
function projectWith(plant: (file: string) => void): {
  readonly folder: string;
  readonly file: string;
  readonly permissions: Permissions;
} {
  const folder = temporaryFolder();
  const file = join(folder, '.turnwire/permissions.json');
  mkdirSync(dirname(file));
  plant(file);
  return { folder, file, permissions: createPermissions({ project: folder, files: { project: file } }) };
}

function millisecondsOf(work: () => void): number {
  const start = performance.now();
  work();
  return performance.now() - start;
}

test.each([
  ['a device', (file: string) => symlinkSync('/dev/zero', file), 'a symbolic link leads out of'],
  [
    'a pipe',
    (file: string) => void execFileSync('mkfifo', [file]),
    'it is a named pipe, and only regular files are read.',
  ],
  ['a folder', (file: string) => mkdirSync(file), 'it is a folder, and only regular files are read.'],
  [
    'too long',
    (file: string) => writeFileSync(file, ' '.repeat(1024 * 1024 + 1)),
    'it is longer than the 1048576 bytes',
  ],
])('a rule file that is %s allows nothing, is reported and is not changed', async (_what, plant, reason) => {
  const { file, permissions } = projectWith(plant);
  expect(permissions.warnings).toEqual([expect.stringContaining(`${file} cannot be read: ${reason}`)]);
  expect(permissions.warnings[0]).toMatch(/ Until it can be read, all actions are asked about\.$/);
  await expect(permissions.addRule('allow', 'Bash(ls)', 'project')).rejects.toThrow(
    `${file} cannot be read: ${reason}`,
  );
});

test('a rule is not written through a link that leads out of the project', async () => {
  const outside = join(temporaryFolder(), 'permissions.json');
  const { permissions } = projectWith((file) => symlinkSync(outside, file));
  await expect(permissions.addRule('allow', 'Bash(ls)', 'project')).rejects.toThrow('a symbolic link leads out of');
  expect(existsSync(outside)).toBe(false);
});

test('JSON nested too deeply is reported', () => {
  const { file, permissions } = projectWith((path) => writeFileSync(path, '['.repeat(500_000)));
  expect(permissions.warnings).toEqual([
    expect.stringMatching(`^${file}(?:,| cannot be read).*all actions are asked about`),
  ]);
});

test.each([
  ['stars', `${'*a'.repeat(60)}b`],
  ['folders', `${'**/a*/'.repeat(40)}b`],
  ['question marks', `${'*?'.repeat(60)}b`],
])('a rule made to match forever decides at once: %s', (_what, pattern) => {
  const { folder, permissions } = projectWith((file) =>
    writeFileSync(file, JSON.stringify({ deny: [`Read(${pattern})`, `Edit(${pattern})`] })),
  );
  const path = join(folder, ...Array.from({ length: 20 }, () => 'a'.repeat(60)));
  let effect = '';
  const took = millisecondsOf(() => {
    effect = permissions.judge(action(folder, { kind: 'read', paths: [path] })).effect;
  });
  expect([effect, took < within(500)]).toEqual(['ask', true]);
});

test('5,000 rules are compiled once, and a decision among them takes less than 50 ms', () => {
  const { folder, permissions } = projectWith((file) =>
    writeFileSync(file, JSON.stringify({ deny: Array.from({ length: 5_000 }, (_, at) => `Read(*x${at})`) })),
  );
  const decide = (name: string): string =>
    permissions.judge(action(folder, { kind: 'read', paths: [join(folder, 'src/deep/er', name)] })).effect;
  expect([decide('a.ts'), decide('yx4999')]).toEqual(['ask', 'deny']);
  const times = Array.from({ length: 7 }, () => millisecondsOf(() => decide('a.ts')));
  expect(Math.min(...times)).toBeLessThan(within(50));
});

test('a file with more than 5,000 rules keeps its prohibitions, allows nothing, and is reported', () => {
  const allow = Array.from({ length: 5_000 }, (_, at) => `Bash(x${at})`);
  const { file, permissions } = projectWith((path) =>
    writeFileSync(path, JSON.stringify({ allow, deny: ['Bash(rm *)'] })),
  );
  expect([permissions.rules.map(({ text }) => text), permissions.warnings]).toEqual([
    ['Bash(rm *)'],
    [
      `${file}, line 1: the file has 5001 rules, but at most 5000 are supported; until it is fixed, all actions are asked about`,
    ],
  ]);
});

test('a rule beyond the maximum length is reported, and its file allows nothing', () => {
  const { file, permissions } = projectWith((path) =>
    writeFileSync(path, `{"allow": ["Bash(ls)"],\n"deny": ["Bash(rm *)", "Bash(${'x'.repeat(3_000)})"]}`),
  );
  expect([permissions.rules.map(({ text }) => text), permissions.warnings]).toEqual([
    ['Bash(rm *)'],
    [
      `${file}, line 2: a rule has 3006 characters, but at most 2000 are supported; until it is fixed, all actions are asked about`,
    ],
  ]);
});

test.each([
  [
    '5,000 rules',
    JSON.stringify({ allow: Array.from({ length: 5_000 }, (_, at) => `Bash(x${at})`) }),
    /has 5001 rules/,
  ],
  [
    'almost 1 MiB',
    `{"allow": ["Bash(ls)"]}\n// ${'x'.repeat(1024 * 1024 - 30)}`,
    /would be longer than the 1048576 bytes/,
  ],
])('a file with %s takes no further rule, and stays valid', async (_, content, refusal) => {
  const { file, permissions } = projectWith((path) => writeFileSync(path, content));
  const count = permissions.rules.length;
  await expect(permissions.addRule('deny', 'Bash(rm *)', 'project')).rejects.toMatchObject({
    code: 'invalid-input',
    message: expect.stringMatching(refusal),
  });
  expect([readFileSync(file, 'utf8') === content, permissions.rules.length]).toEqual([true, count]);
});
