import { cp, mkdtemp, readFile, rm } from 'node:fs/promises';
import { execFile } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { inEmulator } from './interactive/emulator.ts';
import { turnwire } from './command.ts';

const run = promisify(execFile);
const { version } = JSON.parse(await readFile(new URL('../package.json', import.meta.url), 'utf8')) as {
  version: string;
};

test.each(['--version', '-V'])('%s prints the version', async (word) => {
  expect(await turnwire([word])).toEqual({ code: 0, stdout: `${version}\n`, stderr: '' });
  expect(await turnwire(['exec', word])).toEqual({ code: 0, stdout: `${version}\n`, stderr: '' });
});

test.each([['--help'], ['exec', '--help'], ['help', 'exec'], ['chat', '-h']])(
  '%s %s prints help and the most common options',
  async (...words) => {
    const { code, stdout, stderr } = await turnwire(words.filter((word) => word !== undefined));
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    for (const option of ['--cwd', '--agent', '--approve-all', '--deny-all', '--timeout', '--format', '--help'])
      expect(stdout).toContain(option);
  },
);

test('the help of the program fits on a screen with every command, commands first; --help-all adds all options', async () => {
  const { stdout } = await turnwire(['--help']);
  const lines = stdout.trimEnd().split('\n');
  const all = (await turnwire(['--help-all'])).stdout;
  const commands = [...all.matchAll(/^ {2}([a-z][\w-]*) /gm)].map(([, name = '']) => name);
  expect({
    isShort: lines.length <= 40,
    isNarrow: lines.every((line) => line.length <= 80),
    isCommandsFirst: stdout.indexOf('Commands:') < stdout.indexOf('Options:'),
    missing: commands.filter((name) => name !== 'turnwire' && !new RegExp(`\\b${name}\\b`).test(stdout)),
    hasAll: ['--mcp-config', '--answers', 'Exit codes:', 'Options for permissions:'].filter(
      (text) => !all.includes(text),
    ),
  }).toEqual({ isShort: true, isNarrow: true, isCommandsFirst: true, missing: [], hasAll: [] });
  const exec = await turnwire(['exec', '--help']);
  expect([
    exec.stdout.includes('--mcp-config'),
    (await turnwire(['exec', '--help-all'])).stdout.includes('--mcp-config'),
  ]).toEqual([false, true]);
});

test.each([
  [
    ['exec', 'x', '--fromat', 'json'],
    "turnwire: unknown option '--fromat'\n(Did you mean --format?)\nSee turnwire --help.\n",
  ],
  [
    ['exce', 'x'],
    "turnwire: there is no command and no agent 'exce'. Did you mean exec? To send it as a prompt: turnwire exec exce x\nSee turnwire --help.\n",
  ],
  [
    ['nobody', 'exec', 'x'],
    "turnwire: there is no agent 'nobody'. Give its command with --agent, or see: turnwire agents. To send it as a prompt: turnwire exec nobody exec x\nSee turnwire --help.\n",
  ],
  [
    ['exec', 'x', '--timeout', 'soon'],
    "turnwire: option '--timeout <seconds>' argument 'soon' is invalid. Give a number of seconds greater than 0, such as 90 or 0.5.\nSee turnwire --help.\n",
  ],
  [
    ['exec', 'x', '--format', 'xml'],
    "turnwire: option '--format <format>' argument 'xml' is invalid. Allowed choices are text, json, quiet.\nSee turnwire --help.\n",
  ],
  [
    ['exec', 'x', '--approve-all', '--deny-all'],
    "turnwire: option '--approve-all' cannot be used with option '--deny-all'\nSee turnwire --help.\n",
  ],
  [
    ['exec', 'x', '--cwd', '/no/such'],
    "turnwire: option '--cwd <dir>' argument '/no/such' is invalid. There is no folder /no/such.\nSee turnwire --help.\n",
  ],
  [
    ['exec', 'x', '--env', '=v'],
    "turnwire: option '--env <NAME[=VALUE]>' argument '=v' is invalid. Give a name, such as API_KEY, or a name and a value, such as LEVEL=debug.\nSee turnwire --help.\n",
  ],
  [
    ['exec', 'x', '--cwd', `/${'x'.repeat(300)}`],
    `turnwire: option '--cwd <dir>' argument '/${'x'.repeat(300)}' is invalid. /${'x'.repeat(300)} cannot be used (ENAMETOOLONG).\nSee turnwire --help.\n`,
  ],
  [
    ['exec', 'x', '--agent', "'open"],
    "turnwire: The agent command 'open cannot be split into words: a quote or an escape is not closed\nSee turnwire --help.\n",
  ],
  [
    ['--formt', 'json', 'exec', 'hi'],
    "turnwire: unknown option '--formt'\n(Did you mean --format?)\nSee turnwire --help.\n",
  ],
  [['help', 'nope'], "turnwire: there is no command 'nope'.\nSee turnwire --help.\n"],
  [['--cwd', '/', 'help', 'nope'], "turnwire: there is no command 'nope'.\nSee turnwire --help.\n"],
  [['help', 'statsu'], "turnwire: there is no command 'statsu'. Did you mean status?\nSee turnwire --help.\n"],
  [
    ['history', '--help'],
    "turnwire: there is no command 'history'. Did you mean sessions history?\nSee turnwire --help.\n",
  ],
  [['chat', '--format', 'json'], 'turnwire: --format json is for turns; a chat prints text\nSee turnwire --help.\n'],
  [['exec', 'x', '--json-strict'], 'turnwire: --json-strict needs --format json\nSee turnwire --help.\n'],
  [
    ['coder', '--agent', 'other', 'x'],
    'turnwire: name an agent (coder) or give its command with --agent, not both\nSee turnwire --help.\n',
  ],
])('%j is a wrong command line', async (words, stderr) => {
  expect(await turnwire(words)).toEqual({ code: 2, stdout: '', stderr });
});

test.each([
  ['--help'],
  ['exec', '--help'],
  ['check', '--help'],
  ['connect', '--help'],
  ['serve', '--help'],
  ['help', 'trace'],
])('%s %s is no wider than the terminal, and splits no word', async (...words) => {
  const run = inEmulator(words, { columns: 80 });
  await run.exitCode;
  const whole = new Set((await turnwire(words)).stdout.split(/\s+/));
  const lines = run.sent.split('\r\n');
  expect(lines.filter((line) => line.length > 80)).toEqual([]);
  expect(run.sent.split(/\s+/).filter((word) => !whole.has(word))).toEqual([]);
});

/** Files that print texts and errors, and drive nothing. */
const prints =
  /packages\/(?:client\/src\/(?:unseen-characters|error-text)|protocol\/src\/\w+-error|machine\/src\/system-reason)/;

test('--version imports nothing, --help no code that drives an agent, and coder only the coder', async () => {
  const reports = fileURLToPath(new URL('fixtures/report-imports.mjs', import.meta.url));
  const built = fileURLToPath(new URL('../bin/turnwire.js', import.meta.url));
  /** The packages whose code is in the files a run imports: the bundler says before each module where it is from. */
  const imported = async (...words: readonly string[]): Promise<readonly string[]> => {
    const child = run(process.execPath, ['--import', reports, built, ...words]);
    child.child.stdin?.end();
    const files = (await child).stderr
      .split('\n')
      .filter((line) => line.startsWith('file:') && line.includes('/dist/'));
    const texts = await Promise.all(files.map((file) => readFile(new URL(file), 'utf8')));
    const places = texts.flatMap((text) =>
      [...text.matchAll(/^\/\/ (\S+)\.[cm]?[jt]s$/gm)].map(([, place]) => place ?? ''),
    );
    const driving = places.filter((place) => !prints.test(place));
    const names = driving.map((place) => /(?:node_modules\/(?:@[^/]+\/)?|packages\/|apps\/)([^/]+)\//.exec(place)?.[1]);
    return [...new Set(names.filter((name) => name !== undefined))].toSorted();
  };
  expect([await imported('--version'), await imported('--help'), await imported('coder')]).toEqual([
    [],
    ['cli', 'commander'],
    ['agent', 'cli', 'coder', 'machine', 'protocol', 'transports'],
  ]);
});

test('the committed command explains how to build when nothing is built', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'turnwire-bin-'));
  const bin = join(folder, 'bin/turnwire.js');
  await cp(new URL('../bin', import.meta.url), join(folder, 'bin'), { recursive: true });
  await cp(new URL('../package.json', import.meta.url), join(folder, 'package.json'));
  const failure = await run(process.execPath, [bin]).catch((error: unknown) => error);
  await rm(folder, { recursive: true });
  expect(failure).toMatchObject({ code: 1, stdout: '', stderr: expect.stringContaining('npm run build') });
});

test.each([
  [
    ['permissions', 'allow', 'Bash(git *)'],
    /^turnwire: permissions has no command 'allow', only list, add, remove.*\. Did you mean add allow\?\n/,
  ],
  [['sessions', 'nosuch'], /^turnwire: sessions has no command 'nosuch', only list, search, new, .*, prune\.\n/],
  [['sessions', '--limit', '5', 'hstory'], /^turnwire: sessions has no command 'hstory', .* Did you mean history\?\n/],
  [['agents', 'nosuch'], /^turnwire: agents has no command 'nosuch', only list, show, add, get, accept, remove\.\n/],
  [
    ['trace', 'nosuch'],
    /^turnwire: trace has no command 'nosuch', only record, view, validate, replay, diff, redact\.\n/,
  ],
  [
    ['permissions', 'remove', 'Bash(git *)'],
    /^turnwire: .*'Bash\(git \*\)' is invalid for argument 'effect'\. Give allow, ask or deny first, then the rule\.\n/,
  ],
  [['permissions', 'remove', 'allow'], /^turnwire: give a rule after allow, such as "Bash\(git \*\)"\n/],
])('%j lists the available choices', async (words, message) => {
  expect(await turnwire(words)).toEqual({ code: 2, stdout: '', stderr: expect.stringMatching(message) });
});
