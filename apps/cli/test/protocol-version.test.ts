import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { agentFixture } from './agent-fixture.ts';
import { plainEnvironment, scripted } from './command.ts';

const official = fileURLToPath(new URL('../../../packages/client/test/v2/official-agent.mjs', import.meta.url));
/** An agent that speaks only version 2. */
const only2 = `'${process.execPath}' '${official}'`;

interface Frame {
  readonly method?: string;
  readonly params?: { readonly protocolVersion?: number };
  readonly result?: { readonly protocolVersion?: number };
  readonly error?: { readonly data?: unknown };
}

/** The versions that a run asks for, and the answers, from its frames. */
function negotiation(frames: string): readonly unknown[] {
  return frames.split('\n').flatMap((line) => {
    if (!line.startsWith('{')) return [];
    const { method, params, result, error } = JSON.parse(line) as Frame;
    if (method === 'initialize') return [`asks for ${params?.protocolVersion}`];
    if (result?.protocolVersion !== undefined) return [`answers ${result.protocolVersion}`];
    return error ? [`refuses: ${JSON.stringify(error.data)}`] : [];
  });
}

test('an agent that has only version 2 needs no option', async () => {
  const { run } = await agentFixture();
  const turn = await run('--agent', only2, '--approve-all', 'exec', 'work');
  expect(turn).toEqual({ code: 0, stdout: '→ Delete a.txt\n✓ Delete a.txt\nyes\n', stderr: '' });
  const { stdout } = await run('--agent', only2, '--approve-all', '--format', 'json', 'exec', 'work');
  expect(negotiation(stdout)).toEqual([
    'asks for 1',
    'refuses: {"requested":1,"supported":[2]}',
    'asks for 2',
    'answers 2',
  ]);
});

test('--protocol 2 asks for version 2, and an agent of version 1 is used in version 1', async () => {
  const { run } = await agentFixture();
  const inVersion2 = ['--protocol', '2', '--format', 'json'];
  const coder = await run(...inVersion2, 'exec', 'list files');
  const older = await run(...inVersion2, '--agent', scripted(), 'exec', 'say hello');
  const text = await run('--protocol', '2', '--agent', scripted(), 'exec', 'say hello');
  expect([negotiation(coder.stdout), negotiation(older.stdout), text.stdout]).toEqual([
    ['asks for 2', 'answers 2'],
    ['asks for 2', 'answers 1'],
    'hello\n',
  ]);
});

test('--protocol 1 does not move to version 2', async () => {
  const { run } = await agentFixture();
  expect(await run('--protocol', '1', '--agent', only2, 'exec', 'work')).toEqual({
    code: 1,
    stdout: '',
    stderr:
      'turnwire: The agent speaks protocol version 2, which was not offered. Offer it, or update the older side\n',
  });
  expect(await run('--protocol', '3', 'exec', 'work')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("argument '3' is invalid. Allowed choices are 1, 2."),
  });
});

test('the configuration has a version for all agents and for one, and the command line takes precedence', async () => {
  const { run, write, userConfig } = await agentFixture();
  const agents = { mine: scripted(), other: { command: scripted(), protocol: 1 } };
  await write(userConfig, JSON.stringify({ protocol: 2, agents }));
  const asked = async (...words: readonly string[]): Promise<unknown> =>
    negotiation((await run(...words, '--format', 'json', 'exec', 'say x')).stdout)[0];
  expect([
    await asked('mine'),
    await asked('other'),
    await asked('other', '--protocol', '2'),
    await asked('mine', '--protocol', '1'),
  ]).toEqual(['asks for 2', 'asks for 1', 'asks for 2', 'asks for 1']);
  await write(userConfig, '{ "protocol": 3 }');
  expect(await run('exec', 'x')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining(`${userConfig}:1:15: "protocol" must be 1 or 2`),
  });
});

test('agents add stores the version of an agent, and agents show prints it', async () => {
  const { run, read, userConfig } = await agentFixture();
  await run('--protocol', '2', 'agents', 'add', 'mine', '--', process.execPath, official);
  expect(JSON.parse(await read(userConfig))).toEqual({
    agents: { mine: { command: process.execPath, args: [official], protocol: 2 } },
  });
  expect((await run('agents', 'show', 'mine')).stdout).toContain('\nprotocol: version 2, or 1 if it has only that\n');
});

test('doctor reports the agreed version, and why it is this one', async () => {
  const { run } = await agentFixture();
  const findings = async (...words: readonly string[]): Promise<unknown> => {
    const { stdout } = await run(...words, '--format', 'json', 'doctor');
    const all = stdout.split('\n').map((line) => (line === '' ? {} : (JSON.parse(line) as Record<string, unknown>)));
    const { message = '', details = {} } = all.find(({ layer }) => layer === 'initialize') ?? {};
    const { protocolVersion, versions } = details as Record<string, unknown>;
    return { message: String(message).split('. It offers')[0], ...(versions ? { protocolVersion, versions } : {}) };
  };
  expect([
    await findings('--agent', only2),
    await findings('--protocol', '2', '--agent', only2),
    await findings('--protocol', '2', '--agent', scripted()),
    await findings('--protocol', '1', '--agent', only2),
  ]).toEqual([
    {
      message: 'official 2.0.0 speaks protocol version 2: it was asked for 1, and answered that it has only 2',
      protocolVersion: 2,
      versions: { asked: [1, 2], supported: [2] },
    },
    {
      message: 'official 2.0.0 speaks protocol version 2, which was asked for',
      protocolVersion: 2,
      versions: { asked: [2] },
    },
    {
      message: 'scripted 1.0.0 speaks protocol version 1: it was asked for 2, and answered with 1.',
      protocolVersion: 1,
      versions: { asked: [2] },
    },
    {
      message: 'The agent speaks protocol version 2, which was not offered. Offer it, or update the older side.',
    },
  ]);
});

test('a run in version 1 loads no code of version 2', async () => {
  const reports = fileURLToPath(new URL('fixtures/report-imports.mjs', import.meta.url));
  const built = fileURLToPath(new URL('../bin/turnwire.js', import.meta.url));
  const loaded = async (agent: string): Promise<boolean> => {
    const words = ['--import', reports, built, '--agent', agent, '--approve-all', 'exec', 'say x'];
    const run = promisify(execFile)(process.execPath, words, { env: plainEnvironment });
    run.child.stdin?.end();
    const files = (await run).stderr.split('\n').filter((line) => line.startsWith('file:') && line.includes('/dist/'));
    const texts = await Promise.all(files.map((file) => readFile(new URL(file), 'utf8')));
    return texts.some((text) => /^\/\/ packages\/(?:client|protocol)\/src\/v2\//m.test(text));
  };
  expect([await loaded(scripted()), await loaded(only2)]).toEqual([false, true]);
});
