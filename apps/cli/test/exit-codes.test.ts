import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { spawnSync } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { commandWords, plainEnvironment, turnwire } from './command.ts';

let folder: string;
beforeEach(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), 'turnwire-codes-')));
  return () => rm(folder, { recursive: true, force: true });
});

test.each<[what: string, words: readonly string[], code: number, stderr: RegExp]>([
  ['the agent finished the turn', ['list files'], 0, /^$/],
  ['there is no language model', ['make me a sandwich'], 8, /there is no language model/],
  ['the agent refused', ['end with refusal'], 9, /the agent refused to continue/],
  ['the answer reached the limit of tokens', ['end with max tokens'], 10, /the limit of tokens/],
  ['the agent reached its limit of calls', ['--max-turns', '1', 'list files then list files'], 11, /model calls/],
])('exec has its own exit code when %s', async (_, words, code, message) => {
  const outcome = await turnwire(['exec', '--cwd', folder, ...words]);
  expect({ code: outcome.code, stderr: outcome.stderr }).toEqual({
    code,
    stderr: expect.stringMatching(message),
  });
});

test('an empty or relative HOME is ignored, so settings of a project never count as the user’s', async () => {
  await mkdir(join(folder, '.config', 'turnwire'), { recursive: true });
  const theirs = { defaultAgent: 'theirs', agents: { theirs: 'false' } };
  await writeFile(join(folder, '.config', 'turnwire', 'config.json'), JSON.stringify(theirs));
  const run = (home: string): string => {
    const { XDG_CONFIG_HOME: _, XDG_STATE_HOME: __, ...others } = plainEnvironment;
    const env = { ...others, HOME: home };
    return spawnSync(process.execPath, [...commandWords, 'agents'], { cwd: folder, env, encoding: 'utf8' }).stdout;
  };
  expect([run(''), run('.')].map((text) => text.includes('theirs'))).toEqual([false, false]);
});

test('a byte order mark in the configuration, the rules and a policy is ignored', async () => {
  const config = join(folder, 'config', 'turnwire');
  await mkdir(config, { recursive: true });
  await writeFile(join(config, 'config.json'), '\ufeff{"agents": {"mine": "true"}}');
  await writeFile(join(config, 'permissions.json'), '\ufeff{"allow": ["Bash(make)"]}');
  await writeFile(join(folder, 'policy.json'), '\ufeff{"autoDeny": ["Bash(rm *)"]}');
  const env = { XDG_CONFIG_HOME: join(folder, 'config') };
  const run = (...words: readonly string[]): ReturnType<typeof turnwire> =>
    turnwire(['--cwd', folder, ...words], { env });
  const agents = await run('agents');
  const rule = await run('permissions', 'test', 'make');
  const policy = await run('--policy', join(folder, 'policy.json'), 'permissions', 'test', 'rm x');
  expect({
    agents: agents.stdout.includes('mine'),
    rule: rule.stdout.includes('Bash(make)'),
    policy: policy.stdout.includes('denied'),
  }).toEqual({ agents: true, rule: true, policy: true });
});

test('a command in a deleted folder says so; --help and --cwd still work', () => {
  const script =
    'mkdir gone; cd gone; rmdir "$PWD"; for words in "agents" "--help" "--cwd / agents"; do "$@" $words >/dev/null 2>&1; echo $?; done; "$@" agents';
  const { stdout, stderr } = spawnSync('sh', ['-c', script, 'sh', process.execPath, ...commandWords], {
    cwd: folder,
    env: plainEnvironment,
    encoding: 'utf8',
  });
  expect({ codes: stdout, stderr }).toEqual({
    codes: '2\n0\n0\n',
    stderr:
      'turnwire: the folder you are in no longer exists. Change to another one, or name one with --cwd and its whole path\n',
  });
});
