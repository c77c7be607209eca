import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { agentFixture } from './agent-fixture.ts';
import { commandWords } from './command.ts';

describe('a driver file', () => {
  test.each([
    ['{ "name": "x" }', 'driver.json:1:1: a driver needs a "name" and "actions"'],
    ['{ "nam": "x" }', 'driver.json:1:3: there is no "nam", only name, actions, cancel, env, agentNames'],
    [
      '{ "actions": { "prompt": {} } }',
      'driver.json:1:26: it needs "steps": a list of command lines, each a list of words',
    ],
    ['{ "actions": { "prompt": { "steps": ["x"] } } }', 'driver.json:1:38: a step must be a list'],
    ['{ "actions": { "prompt": { "steps": [[]] } } }', 'driver.json:1:38: a step needs a program'],
    [
      '{ "name": "x", "actions": { "load": { "steps": [["x", "{session}"]] } } }',
      'driver.json:1:1: the action "load" does not contain {agent}, the program that the client has to start as its agent',
    ],
    [
      '{ "actions": { "load": { "steps": [["x", "${HOME}", "{sesion}"]] } } }',
      'driver.json:1:53: there is no {sesion}, only {agent} {bin} {cwd} {prompt} {next} {image} {blocks} {file} {session} {mode} {option} {value} {method} {directory} {servers} {serverList} {answers} {url} {PATH}',
    ],
    ['{ "env": { "A": 1 } }', 'driver.json:1:17: this must be a string'],
    [
      '{ "actions": { "leave open": { "terminal": [{ "after": "> " }] } } }',
      'driver.json:1:45: it needs "after" (a text the terminal shows) and "type"',
    ],
  ])('a driver file with a mistake is refused with the position of the mistake: %s', async (text, message) => {
    const { run, project } = await agentFixture();
    await writeFile(join(project, 'driver.json'), text);
    expect(await run('check', '--client', '--driver', 'driver.json')).toEqual({
      code: 2,
      stdout: '',
      stderr: `turnwire: ${message}\nSee turnwire --help.\n`,
    });
  });

  test('a driver that is neither known nor a file is refused', async () => {
    const { run } = await agentFixture();
    expect(await run('check', '--client', '--driver', 'nobody')).toEqual({
      code: 2,
      stdout: '',
      stderr:
        'turnwire: there is no driver nobody, only turnwire, acpx; or name a file with one\nSee turnwire --help.\n',
    });
  });
});

/** A client that starts its agent, sends one prompt, and leaves. */
const tiny = `
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
const [prompt, agent] = process.argv.slice(2);
const child = spawn(agent, [], { stdio: ['pipe', 'pipe', 'inherit'] });
const waiting = new Map();
createInterface({ input: child.stdout }).on('line', (line) => {
  const { id, method, result } = JSON.parse(line);
  if (method === undefined) waiting.get(id)?.(result);
});
const ask = (method, params) =>
  new Promise((resolve) => {
    const id = waiting.size;
    waiting.set(id, resolve);
    child.stdin.write(JSON.stringify({ jsonrpc: '2.0', id, method, params }) + '\\n');
  });
const clientInfo = { name: 'tiny', version: '1' };
await ask('initialize', { protocolVersion: 1, clientCapabilities: {}, clientInfo });
const { sessionId } = await ask('session/new', { cwd: process.cwd(), mcpServers: [] });
await ask('session/prompt', { sessionId, prompt: [{ type: 'text', text: prompt }] });
child.stdin.end();
await once(child, 'exit');
`;

test.each([[['--client', '--', 'no-such-client', '{agent}']], [['--driver', 'acpx', '--', 'no-such-client']]])(
  'a client whose program does not exist exits with 2: %j',
  async (words) => {
    const { run } = await agentFixture();
    expect(await run('check', ...words)).toEqual({
      code: 2,
      stdout: '',
      stderr: 'turnwire: there is no program no-such-client\nSee turnwire --help.\n',
    });
  },
);

test('a client is judged by the messages its agent receives', async () => {
  const { run, project } = await agentFixture();
  await writeFile(join(project, 'tiny.mjs'), tiny);
  const { stdout } = await run(
    'check',
    '--client',
    '--only',
    'framing/turn,R032',
    '--json',
    '--',
    process.execPath,
    'tiny.mjs',
    '{prompt}',
  );
  const report = JSON.parse(stdout) as {
    readonly kind: string;
    readonly introduction: unknown;
    readonly requirements: readonly { readonly id: string; readonly outcome: string }[];
  };
  expect({
    kind: report.kind,
    introduction: report.introduction,
    R032: report.requirements.find(({ id }) => id === 'R032')?.outcome,
  }).toEqual({ kind: 'client', introduction: { name: 'tiny', version: '1' }, R032: 'passed' });
});

test.each([
  ['http', ['R356', 'R357', 'R358', 'R359', 'R360', 'R361', 'R363', 'R364', 'R365']],
  ['websocket', ['R354', 'R355', 'R362', 'R363', 'R364']],
] as const)('turnwire meets the requirements of clients of a remote agent over %s', async (over, kept) => {
  const { run } = await agentFixture();
  const client = ['--driver', 'turnwire', '--', process.execPath, ...commandWords];
  const { stdout } = await run('check', '--over', over, '--only', 'remote', '--json', ...client);
  const { requirements } = JSON.parse(stdout) as {
    readonly requirements: readonly { readonly id: string; readonly outcome: string }[];
  };
  const ids = (wanted: string): readonly string[] =>
    requirements.filter(({ outcome }) => outcome === wanted).map(({ id }) => id);
  expect({ passed: ids('passed').filter((id) => id > 'R339'), failed: ids('failed') }).toEqual({
    passed: kept,
    failed: [],
  });
});
