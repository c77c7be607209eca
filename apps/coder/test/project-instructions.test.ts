import { mkdir, realpath, rm, symlink, writeFile, mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { enclosed } from '../src/conversation/enclosed.ts';
import { readInstructions } from '../src/prompt/project-instructions.ts';
import { findRepository } from '../src/prompt/repository.ts';
import { LoopFixture } from './loop-fixture.ts';
import { ScriptedModel } from './scripted-model.ts';

let folder = '';

beforeEach(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), 'instructions-')));
});

afterEach(() => rm(folder, { recursive: true, force: true }));

async function files(contents: Readonly<Record<string, string>>): Promise<void> {
  for (const [path, content] of Object.entries(contents)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), content);
  }
}

async function read(
  cwd = 'top/a/b',
  forbids: (path: string) => string | undefined = () => undefined,
): Promise<unknown> {
  const found = await readInstructions({
    cwd: join(folder, cwd),
    root: join(folder, 'top'),
    personal: join(folder, 'config'),
    forbids,
  });
  return found.map(({ shown, text }) => [shown.replace(folder, ''), text]);
}

test("instructions are read from the user's folder, then from the repository root down to the working directory", async () => {
  await files({
    'AGENTS.md': 'outside',
    'config/AGENTS.md': 'mine',
    'top/AGENTS.md': 'top',
    'top/CLAUDE.md': 'not read: there is AGENTS.md',
    'top/a/.github/copilot-instructions.md': 'a\n',
    'top/a/b/GEMINI.md': 'b',
    'top/a/b/c/AGENTS.md': 'below',
  });
  expect(await read()).toEqual([
    ['/config/AGENTS.md', 'mine'],
    ['/top/AGENTS.md', 'top'],
    ['/top/a/.github/copilot-instructions.md', 'a'],
    ['GEMINI.md', 'b'],
  ]);
});

test('empty files, binary files, folders, links out of the repository and denied files are left out', async () => {
  await files({
    'top/AGENTS.md/x': '',
    'top/CLAUDE.md': 'top',
    'top/a/AGENTS.md': ' \n',
    'top/a/CLAUDE.md': 'x\0',
    'top/a/b/GEMINI.md': 'secret',
    key: 'key',
  });
  await symlink(join(folder, 'key'), join(folder, 'top/a/b/AGENTS.md'));
  await symlink('../../CLAUDE.md', join(folder, 'top/a/b/CLAUDE.md'));
  expect([await read(), await read('top/a/b', (path) => (path.endsWith('CLAUDE.md') ? 'a rule' : undefined))]).toEqual([
    [
      ['/top/CLAUDE.md', 'top'],
      ['CLAUDE.md', 'top'],
    ],
    [['GEMINI.md', 'secret']],
  ]);
});

test('long files are cut, and beyond the total limit those farthest from the working directory are left out', async () => {
  const long = 'x'.repeat(40_000);
  await files({ 'top/AGENTS.md': long, 'top/a/AGENTS.md': long, 'top/a/b/AGENTS.md': long });
  const found = (await read()) as [string, string][];
  expect(found.map(([shown, text]) => [shown, text.length > 32_000, text.includes('[Cut: ')])).toEqual([
    ['/top/a/AGENTS.md', true, true],
    ['AGENTS.md', true, true],
  ]);
});

test.each([
  ['a branch', { 'top/.git/HEAD': 'ref: refs/heads/feature/x\n' }, 'feature/x'],
  ['a commit', { 'top/.git/HEAD': '0123456789abcdef\n' }, undefined],
  [
    'a linked work tree',
    { 'top/.git': 'gitdir: ../main/.git/worktrees/x\n', 'main/.git/worktrees/x/HEAD': 'ref: refs/heads/side\n' },
    'side',
  ],
  ['nothing that can be read', { 'top/.git/other': '' }, undefined],
])('a repository with %s checked out is found from a subfolder', async (_, contents, branch) => {
  await files({ ...contents, 'top/a/b/x': '' });
  expect(await findRepository(join(folder, 'top/a/b'))).toEqual({ root: join(folder, 'top'), branch });
});

test("the options can replace the agent's instructions to the model and append to them", async () => {
  await using fixture = await LoopFixture.open({
    model: new ScriptedModel(),
    files: { 'AGENTS.md': 'Be quick.' },
    options: { systemPrompt: 'You are a poet.', appendSystemPrompt: 'Rhyme.' },
  });
  await fixture.prompt('one');
  const parts = fixture.system.split('\n\n');
  expect([parts[0], parts[1], ...parts.slice(-2)]).toEqual([
    'You are a poet.',
    expect.stringContaining(`Working directory: ${fixture.folder}`),
    enclosed('instructions', { from: 'AGENTS.md' }, 'Be quick.'),
    'Rhyme.',
  ]);
});

test('the model gets the current instructions with each prompt, and the user is notified of the files once', async () => {
  await using fixture = await LoopFixture.open({
    model: new ScriptedModel(),
    files: { '.git/HEAD': 'ref: refs/heads/main\n', 'AGENTS.md': 'Be quick.', 'a/x': '' },
    within: 'a',
    capabilities: { session: { notices: {} } },
  });
  await fixture.prompt('one');
  await fixture.prompt('two');
  const first = fixture.system;
  await writeFile(join(fixture.folder, 'AGENTS.md'), 'Be slow.');
  await writeFile(join(fixture.cwd, 'AGENTS.md'), 'Be kind.');
  await fixture.prompt('three');
  const notices = fixture.updates.flatMap((update) => (update.sessionUpdate === 'notice' ? [update['title']] : []));
  expect([
    notices,
    first.split('\n\n').at(-1),
    fixture.system.split('\n\n').slice(-2),
    first.includes(', Git branch main. Paths '),
  ]).toEqual([
    [`Instructions read: ${fixture.folder}/AGENTS.md`, `Instructions read: ${fixture.folder}/AGENTS.md, AGENTS.md`],
    enclosed('instructions', { from: `${fixture.folder}/AGENTS.md` }, 'Be quick.'),
    [
      enclosed('instructions', { from: `${fixture.folder}/AGENTS.md` }, 'Be slow.'),
      enclosed('instructions', { from: 'AGENTS.md' }, 'Be kind.'),
    ],
    true,
  ]);
});

test('the system prompt has the current mode at each step', async () => {
  await using fixture = await LoopFixture.open({ model: new ScriptedModel() });
  await fixture.prompt('one');
  const before = fixture.system;
  await fixture.set('mode', 'code');
  await fixture.prompt('two');
  expect([before.includes('in mode ask'), fixture.system.includes('in mode code')]).toEqual([true, true]);
});
