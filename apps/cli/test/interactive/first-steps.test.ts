import { execFileSync } from 'node:child_process';
import { chmod, mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { inEmulator, keys, showyAgent } from './emulator.ts';

let folder: string;
beforeAll(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), 'turnwire-first-')));
  await mkdir(join(folder, 'bin'));
  await writeFile(join(folder, 'bin', 'opencode'), '#!/bin/sh\n');
  await chmod(join(folder, 'bin', 'opencode'), 0o755);
});
afterAll(() => rm(folder, { recursive: true, maxRetries: 5 }));

const env = (model: string): Record<string, string> => ({
  TURNWIRE_CODER_MODEL: model,
  HOME: folder,
  XDG_CONFIG_HOME: join(folder, 'config'),
  PATH: [join(folder, 'bin'), dirname(process.execPath), '/usr/bin', '/bin'].join(delimiter),
  ...Object.fromEntries(
    Object.keys(process.env)
      .filter((name) => /_(?:API_KEY|BASE_URL)$/.test(name))
      .map((name) => [name, '']),
  ),
});

test('without a model the chat explains "offline", how to log in, and which agents are installed', async () => {
  const run = inEmulator(['--cwd', folder], { columns: 100, env: env('') });
  const screen = await run.until('     model here.');
  expect(screen.slice(2, 8)).toEqual([
    'No model is set up. A built-in demo follows instructions such as "list files", with real tools.',
    'To use something else, type its number and press Enter:',
    '  1  opencode, which is installed',
    '  2  a model with a key. No model is set up. Set ANTHROPIC_API_KEY, OPENAI_API_KEY,',
    '     GOOGLE_GENERATIVE_AI_API_KEY or OPENROUTER_API_KEY, log in, or start Ollama; then choose the',
    '     model here.',
  ]);
});

test('without an installed agent the chat names known agents, and a plain chat prints each step as a command', async () => {
  const none = { ...env(''), PATH: [dirname(process.execPath), '/usr/bin', '/bin'].join(delimiter) };
  const run = inEmulator(['--plain', '--cwd', folder], { columns: 100, env: none });
  const screen = await run.until((lines) => lines.at(-1) === '>' && lines.some((line) => line.includes('/login')));
  const place = screen.findIndex((line) => line.startsWith('To use something else'));
  expect(screen.slice(place - 1, place + 3)).toEqual([
    'No model is set up. A built-in demo follows instructions such as "list files", with real tools.',
    'To use something else, type:',
    '  /agent: another agent: npx downloads claude, codex, qwen and more',
    expect.stringMatching(/^ {2}\/login: a model with a key\. No model is set up\./),
  ]);
});

test('a user who chose the offline model sees no first steps', async () => {
  const run = inEmulator(['--cwd', folder], { columns: 100, env: env('offline') });
  await run.until('Offline');
  run.type('list files\r');
  await run.until('✓');
  expect(run.everything.join('\n')).not.toContain('demo');
});

test('a number and Enter select an offer of the first screen once', async () => {
  const run = inEmulator(['--cwd', folder], { columns: 100, env: env('') });
  await run.until('opencode, which is installed');
  run.type(`2${keys.enter}`);
  await run.until('Log in');
  run.type(keys.escape);
  await run.until('type a prompt');
  run.type(`2${keys.enter}`);
  await run.until('To get a language model');
  expect(run.everything).toContain('› 2');
});

test('a first prompt that starts with a digit is sent as a prompt', async () => {
  const run = inEmulator(['--cwd', folder], { columns: 100, env: env('') });
  await run.until('opencode, which is installed');
  run.type('1 + 1 = ?');
  await run.until('› 1 + 1 = ?');
  run.type(keys.enter);
  await run.until('To get a language model');
  expect(run.everything).toContain('› 1 + 1 = ?');
});

test('/agent switches to another agent in the same folder, and back', async () => {
  const words = showyAgent().slice(1, -1).split("' '");
  const config = { agents: { showy: { command: words[0], args: words.slice(1) } } };
  await mkdir(join(folder, 'config', 'turnwire'), { recursive: true });
  await writeFile(join(folder, 'config', 'turnwire', 'config.json'), JSON.stringify(config));
  const run = inEmulator(['--cwd', folder], { columns: 100, env: env('offline') });
  await run.until('Offline');
  run.type(`/agent nobody${keys.enter}`);
  const unknown = await run.until('there is no agent nobody here');
  run.type(`/agent showy${keys.enter}`);
  await run.until('Ask first');
  run.type(`say hello${keys.enter}`);
  await run.until('\nhello');
  run.type(`/agent${keys.enter}`);
  const list = await run.until('Type to search');
  run.type(`coder${keys.enter}`);
  await run.until('Offline');
  run.type(`/exit${keys.enter}`);
  expect({
    unknown: unknown.join('\n').includes('there are: showy, coder'),
    list: list.filter((line) => line.endsWith('installed')).map((line) => line.trim().split(/ +/)[0]),
    code: await run.exitCode,
  }).toEqual({ unknown: true, list: ['❯', 'coder', 'opencode'], code: 0 });
});

test('/new with a place continues in a worktree, and in the same folder if there can be none', async () => {
  const project = join(folder, 'project');
  const place = { ...env('offline'), XDG_DATA_HOME: join(folder, 'data'), XDG_STATE_HOME: join(folder, 'state') };
  await mkdir(project);
  const run = inEmulator(['--cwd', project], { columns: 120, env: place });
  await run.until('Offline');
  run.type(`/new branch${keys.enter}`);
  await run.until('Allowed choices are here, worktree, clone, copy');
  run.type(`/new worktree:one${keys.enter}`);
  await run.until('is not in a git repository');
  for (const words of [
    ['init', '-q'],
    ['-c', 'user.name=T', '-c', 'user.email=t@t', 'commit', '-q', '--allow-empty', '-m', 'first'],
  ])
    execFileSync('git', words, { cwd: project });
  await run.until('Offline');
  run.type(`/new worktree:one${keys.enter}`);
  await run.until(`in ${join(folder, 'data', 'turnwire-places', 'one')}`);
  await run.until('Offline');
  run.type(`/exit${keys.enter}`);
  expect(await run.exitCode).toBe(0);
});
