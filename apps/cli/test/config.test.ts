import { mkdir, mkdtemp, realpath, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { readConfig } from '../src/config/read-config.ts';
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

test('the user names agents, and one of them is the default', async () => {
  await write(user, JSON.stringify({ defaultAgent: 'mine', agents: { mine: scripted(), other: scripted('noise') } }));
  expect(await run('exec', 'say hello')).toEqual({ code: 0, stdout: 'hello\n', stderr: '' });
  expect(await run('other', 'exec', 'say hi')).toEqual({ code: 0, stdout: 'hi\n', stderr: '' });
});

test('an agent has a command, arguments and variables', async () => {
  const [command, ...args] = scripted().replaceAll("'", '').split(' ');
  await write(user, JSON.stringify({ agents: { mine: { command, args, env: { LEVEL: 'high' } } } }));
  expect((await run('mine', 'exec', 'env LEVEL')).stdout).toBe('LEVEL=high\n');
});

test('a project may add agents and defaults; the command line takes precedence', async () => {
  await write(
    projectFile(),
    `{ // a comment\n  "agents": { "theirs": ${JSON.stringify(scripted())} }, "format": "quiet", }`,
  );
  expect((await run('agents', 'accept')).code).toBe(0);
  expect(await run('theirs', 'exec', 'tools')).toEqual({ code: 0, stdout: 'Found two.\n', stderr: '' });
  expect((await run('theirs', 'exec', '--format', 'text', 'say x')).stdout).toBe('x\n');
});

test('an agent of a project starts after the user consents, and asks again when its command changes', async () => {
  const config = (command: string): string => JSON.stringify({ agents: { theirs: { command, env: { A: '1' } } } });
  await write(projectFile(), config(scripted()));
  const about = `turnwire: the agent 'theirs' is one of ${projectFile()}, which came with the project, and you have not agreed to start it: `;
  const advice = '. To agree: turnwire agents accept theirs\n';
  const refused = { code: 5, stdout: '', stderr: `${about}${scripted()}\nwith the variables {"A":"1"}${advice}` };
  expect(await run('theirs', 'exec', 'say x')).toEqual(refused);
  expect(await run('agents', 'accept', 'theirs', 'other')).toEqual({
    code: 1,
    stdout: '',
    stderr: "turnwire: the project has no agent 'other'; nothing was accepted. See turnwire agents list\n",
  });
  expect((await run('agents', 'show', 'theirs')).stdout).toContain(
    '\naccepted: no; to agree: turnwire agents accept theirs\n',
  );
  expect(await run('agents', 'accept', 'theirs')).toEqual({
    code: 0,
    stdout: `theirs of ${projectFile()} may be started: ${scripted()}\nwith the variables {"A":"1"}\n`,
    stderr: '',
  });
  expect(await run('theirs', 'exec', 'say x')).toEqual({ code: 0, stdout: 'x\n', stderr: '' });
  await write(projectFile(), config(`${scripted()} noise`));
  expect((await run('theirs', 'exec', 'say x')).code).toBe(5);
});

test('an agent that the user adds to a project needs no further consent', async () => {
  await run('agents', 'add', 'ours', '--project', '--', ...scripted().replaceAll("'", '').split(' '));
  expect(await run('ours', 'exec', 'say x')).toEqual({ code: 0, stdout: 'x\n', stderr: '' });
});

test('a word that people type as a command starts no agent of a project', async () => {
  await write(projectFile(), JSON.stringify({ agents: { login: `touch ${join(project, 'ran')}` } }));
  const { code, stdout, stderr } = await run('login');
  expect([code, stdout, stderr.split('\n')[0]]).toEqual([
    2,
    '',
    "turnwire: there is no command 'login'. See turnwire --help; to log in, start a chat with the agent and type /login. To send it as a prompt: turnwire exec login",
  ]);
  expect((await run('doctor', 'login')).stderr).toContain(`${projectFile()}: the agent "login" is left out`);
  await expect(stat(join(project, 'ran'))).rejects.toThrow('ENOENT');
});

test('a project cannot loosen permissions or change what a known name starts', async () => {
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
    `turnwire: ${projectFile()}: ${what} is left out: a project's file may not set it. Set it on the command line or in ${user}\n`;
  expect({ code, stdout, stderr }).toEqual({
    code: 5,
    stdout: 'selected no\n',
    stderr: [
      leftOut('"permissions": "approve-all"'),
      leftOut('"mcpServers"'),
      leftOut('"defaultAgent": "theirs", which the same file defines,'),
      leftOut('the agent "codex"'),
      'turnwire: refused: Change a file: /project/notes-1.txt (there is no user to ask; --approve-all allows it)\n',
    ].join(''),
  });
});

test('a project may be stricter than the user, but not looser', async () => {
  const decided = async (own: object, theirs: object): Promise<unknown> => {
    await write(user, JSON.stringify(own));
    await write(projectFile(), JSON.stringify(theirs));
    const { config } = await readConfig(project);
    return [config.permissions, config.permissionMode];
  };
  vi.stubEnv('XDG_CONFIG_HOME', env['XDG_CONFIG_HOME']);
  onTestFinished(() => void vi.unstubAllEnvs());
  expect([
    await decided({}, { permissions: 'approve-reads', permissionMode: 'acceptEdits' }),
    await decided({}, { permissions: 'deny-all', permissionMode: 'plan' }),
    await decided(
      { permissions: 'deny-all', permissionMode: 'plan' },
      { permissions: 'ask', permissionMode: 'default' },
    ),
    await decided({ permissions: 'approve-all' }, { permissions: 'ask' }),
  ]).toEqual([
    [undefined, undefined],
    ['deny-all', 'plan'],
    ['deny-all', 'plan'],
    ['ask', undefined],
  ]);
});

test('an unknown key is reported with its position', async () => {
  await write(user, '{\n  "fromat": "json"\n}');
  expect(await run('exec', '--agent', scripted(), 'say x')).toEqual({
    code: 0,
    stdout: 'x\n',
    stderr: `turnwire: ${user}:2:3: there is no setting "fromat"; it is left out. Did you mean "format"?\n`,
  });
});

test('a rule in the wrong file is reported to have no effect there', async () => {
  vi.stubEnv('XDG_CONFIG_HOME', env['XDG_CONFIG_HOME']);
  onTestFinished(() => void vi.unstubAllEnvs());
  await write(user, '{"deny": ["Bash(rm *)"]}');
  const { warnings } = await readConfig(project);
  await write(user, '{"permissions": {"deny": []}}');
  const refused: unknown = await readConfig(project).catch((error: unknown) => (error as Error).message);
  expect([warnings, refused]).toEqual([
    [
      `${user}:1:2: there is no setting "deny"; it is left out, and has no effect on permissions: write rules to permissions.json in the same folder`,
    ],
    `${user}:1:17: "permissions" must be one of ask, approve-reads, approve-all, deny-all. Write rules to permissions.json in the same folder`,
  ]);
});

const agentForm =
  'a command line, {"command": …, "args": […], "env": {…}} or {"transport": "websocket" or "http", "url": …, "headers": {…}}';

test.each([
  ['{\n  "format": "xml"\n}', ':2:13: "format" must be one of text, json, quiet'],
  ['{\n  "format": "json"\n', ':3:1: CloseBraceExpected'],
  ['[]', ':1:1: the configuration is not an object'],
  ['{"agents": []}', ':1:12: "agents" must be an object of agents by name'],
  ['{"agents": {"x": 3}}', `:1:18: "agents.x" must be ${agentForm}`],
  [
    '{"agents": {"x": {"transport": "websocket", "url": "https://box"}}}',
    ':1:52: "agents.x.url" must be a URL that begins with wss:// or ws://',
  ],
  [
    '{"agents": {"x": {"transport": "http", "url": "https://b", "headers": {"a": 1}}}}',
    `:1:18: "agents.x" must be ${agentForm}`,
  ],
  ['{"agents": {"x": {"transport": "sse", "url": "https://box"}}}', `:1:18: "agents.x" must be ${agentForm}`],
])('%j is a broken configuration', async (text, problem) => {
  await write(user, text);
  expect(await run('exec', '--agent', scripted(), 'say x')).toEqual({
    code: 2,
    stdout: '',
    stderr: `turnwire: ${user}${problem}\nSee turnwire --help.\n`,
  });
});

test('a project cannot turn off the record for the review, unless its user has', async () => {
  vi.stubEnv('XDG_CONFIG_HOME', env['XDG_CONFIG_HOME']);
  onTestFinished(() => void vi.unstubAllEnvs());
  await write(projectFile(), '{"review": false}');
  const theirs = await readConfig(project);
  await write(user, '{"review": false}');
  const own = await readConfig(project);
  expect([theirs.config.review, theirs.warnings, own.config.review, own.warnings]).toEqual([
    undefined,
    [expect.stringContaining('"review": false is left out')],
    false,
    [],
  ]);
});
