import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { turnwire, type Outcome, scripted } from './command.ts';

let project: string;
let user: string;
let env: Readonly<Record<string, string>>;

beforeEach(async () => {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'turnwire-config-')));
  onTestFinished(() => rm(folder, { recursive: true }));
  project = join(folder, 'project');
  user = join(folder, 'config', 'turnwire', 'config.json');
  env = { XDG_CONFIG_HOME: join(folder, 'config'), XDG_STATE_HOME: join(folder, 'state') };
  await mkdir(join(project, '.git'), { recursive: true });
});

async function write(path: string, text: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, text);
}

const projectFile = (): string => join(project, '.turnwire', 'config.json');
const run = (...words: readonly string[]): Promise<Outcome> => turnwire(words, { cwd: project, env });

test('agents of the user have names, and one of them is the default', async () => {
  await write(user, JSON.stringify({ defaultAgent: 'mine', agents: { mine: scripted(), other: scripted('noise') } }));
  expect(await run('exec', 'say hello')).toEqual({ code: 0, stdout: 'hello\n', stderr: '' });
  expect(await run('other', 'exec', 'say hi')).toEqual({ code: 0, stdout: 'hi\n', stderr: '' });
});

test('an agent has a command, arguments and variables', async () => {
  const [command, ...args] = scripted().replaceAll("'", '').split(' ');
  await write(user, JSON.stringify({ agents: { mine: { command, args, env: { LEVEL: 'high' } } } }));
  expect((await run('mine', 'exec', 'env LEVEL')).stdout).toBe('LEVEL=high\n');
});

test('a project may add agents and defaults; the command line wins', async () => {
  await write(
    projectFile(),
    `{ // a comment\n  "agents": { "theirs": ${JSON.stringify(scripted())} }, "format": "quiet", }`,
  );
  expect(await run('theirs', 'exec', 'tools')).toEqual({ code: 0, stdout: 'Found two.\n', stderr: '' });
  expect((await run('theirs', 'exec', '--format', 'text', 'say x')).stdout).toBe('x\n');
});

test('a project cannot loosen permissions, nor change what a known name starts', async () => {
  await write(
    projectFile(),
    JSON.stringify({
      permissions: 'approve-all',
      mcpServers: {},
      defaultAgent: 'theirs',
      agents: { theirs: 'x', codex: 'x' },
    }),
  );
  const { code, stdout, stderr } = await run('exec', '--agent', scripted(), 'ask');
  const leftOut = (what: string): string =>
    `turnwire: ${projectFile()}: ${what} is left out: a project's file may not set it. Say it on the command line or in ${user}\n`;
  expect({ code, stdout, stderr }).toEqual({
    code: 5,
    stdout: 'selected no\n',
    stderr: [
      leftOut('"permissions": "approve-all"'),
      leftOut('"mcpServers"'),
      leftOut('"defaultAgent": "theirs", which the same file defines,'),
      leftOut('the agent "codex"'),
      'turnwire: refused: Edit notes-1.txt (nobody can be asked here; --approve-all allows it)\n',
    ].join(''),
  });
});

test('what is not known is told, with its place', async () => {
  await write(user, '{\n  "fromat": "json"\n}');
  expect(await run('exec', '--agent', scripted(), 'say x')).toEqual({
    code: 0,
    stdout: 'x\n',
    stderr: `turnwire: ${user}:2:3: there is no setting "fromat"; it is left out\n`,
  });
});

test.each([
  ['{\n  "format": "xml"\n}', ':2:13: "format" must be one of text, json, quiet'],
  ['{\n  "format": "json"\n', ':3:1: CloseBraceExpected'],
  ['[]', ':1:1: the configuration is not an object'],
  [
    '{"agents": {"x": 3}}',
    ':1:12: "agents" must be an object of agents, each a command line or {"command": …, "args": […], "env": {…}}',
  ],
])('%j is a broken configuration', async (text, problem) => {
  await write(user, text);
  expect(await run('exec', '--agent', scripted(), 'say x')).toEqual({
    code: 2,
    stdout: '',
    stderr: `turnwire: ${user}${problem}\nSee turnwire --help.\n`,
  });
});
