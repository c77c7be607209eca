import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { agentFixture } from './agent-fixture.ts';
import { startSeconds } from './command.ts';

const script = (path: string): string => fileURLToPath(new URL(`../../../packages/${path}`, import.meta.url));
const patient = (...words: readonly string[]): string =>
  [process.execPath, script('client/test/doctor/fixtures/patient.mjs'), ...words].map((word) => `'${word}'`).join(' ');
const node = process.execPath;

/** How long things took is no matter here. */
function untimed(text: string): string {
  return text.replaceAll(/\d+ ms/g, '… ms');
}

test('an agent made with the official SDK passes', async () => {
  const { run } = await agentFixture();
  const path = script('protocol/test/interop/fixtures/official-agent.mjs');
  const { stdout, ...rest } = await run('doctor', '--agent', `${node} ${path}`);
  expect({ ...rest, lines: untimed(stdout).split('\n') }).toEqual({
    code: 0,
    stderr: '',
    lines: [
      `Examining ${node} ${path}`,
      '',
      `  ✓ command    There is ${node}.`,
      '  ✓ launch     It starts. (… ms)',
      '  ✓ noise      Its stdout contains only the protocol.',
      '  ✓ initialize example 1.0.0 speaks protocol version 1. It offers session/load, session/list, prompts with',
      '               image. (… ms)',
      '  ✓ login      It creates a session without a login.',
      '  ✓ session    It creates a session, with modes ask, code; options model; 1 command. (… ms)',
      '  ✓ exit       It exits by itself once its stdin is closed. (… ms)',
      '',
      'It works.',
      '',
    ],
  });
});

test('without an agent argument the built-in agent is examined and other installed agents are listed', async () => {
  const { run } = await agentFixture();
  const { code, stdout } = await run('doctor', '--prompt', 'list files');
  const lines = stdout.split('\n');
  expect({
    code,
    turn: lines.find((line) => line.includes(' turn '))?.slice(0, 43),
    end: lines.slice(lines.indexOf('It works.')).join(' '),
  }).toEqual({
    code: 0,
    turn: '  ✓ turn       It ended the turn (end_turn)',
    end: expect.stringMatching(
      /^It works\. {2}Other agents on this machine, not examined: none\. Known, but not installed: claude, codex, .*, zeroclaw\. Examine one of them with turnwire doctor NAME\. $/,
    ),
  });
});

test('for a known agent that is not installed, doctor explains how to install it', async () => {
  const { run } = await agentFixture();
  expect(await run('doctor', 'pi')).toEqual({
    code: 1,
    stderr: '',
    stdout: [
      'Examining pi-acp',
      '',
      '  ✗ command    There is no program "pi-acp".',
      '               → Check the spelling, that it is installed, and that its folder is on your PATH.',
      '                 To install it:',
      '                     npm install -g pi-acp@0.0.34',
      '                 Or download it with npx:',
      '                     turnwire agents get pi',
      '  – launch     not reached, nor noise, initialize, login, session, exit',
      '',
      'It does not work. The first layer that failed: command.',
      '',
    ].join('\n'),
  });
});

test('the output of an agent is quoted without control sequences, and the failing layer is named', async () => {
  const { run } = await agentFixture();
  const { code, stdout } = await run('doctor', '--agent', patient('exits', 'FOO'));
  expect({ code, lines: untimed(stdout).split('\n').slice(5) }).toEqual({
    code: 1,
    lines: [
      '  ✗ initialize It exited with code 3 before it answered initialize. (… ms)',
      '               │ cannot find the key FOO',
      '               → Follow its message on stderr, or run it yourself:',
      `                     ${node} ${script('client/test/doctor/fixtures/patient.mjs')} exits FOO`,
      '  – login      not reached, nor session',
      '  – exit       It had already exited.',
      '',
      'It does not work. The first layer that failed: initialize.',
      '',
    ],
  });
});

test('an agent that requires a login does not fail', async () => {
  const { run, write, userConfig } = await agentFixture();
  const args = [script('client/test/doctor/fixtures/patient.mjs'), 'login'];
  await write(userConfig, JSON.stringify({ agents: { ill: { command: node, args } } }));
  const { code, stdout } = await run('doctor', 'ill');
  expect({ code, login: stdout.split('\n').slice(6, -3) }).toEqual({
    code: 0,
    login: [
      '  ! login      It requires a login before it creates a session: Authentication required.',
      '               → Log in once, then examine it again. Its login methods:',
      '                 - API key (key): the agent does it itself when a client requests it',
      '                 - Browser (browser): run in a terminal, with LOGIN_HINT set as it requests:',
      `                     ${node} ${args.join(' ')} login --now`,
      '                 To log in with turnwire:',
      '                     turnwire ill --auth key exec "hello"',
      '                 If a key is enough, set it in your environment. Then pass it to the agent:',
      '                     turnwire ill doctor --env NAME_OF_ITS_KEY',
      '  – session    not reached without a login',
      expect.stringMatching(/^ {2}✓ exit /),
    ],
  });
});

test('the MCP server that causes the failure is named', async () => {
  const { run, project } = await agentFixture();
  const server = { command: node, args: [] };
  await writeFile(join(project, 'mcp.json'), JSON.stringify({ mcpServers: { good: server, bad: server } }));
  const { code, stdout } = await run('doctor', '--agent', patient(), '--mcp-config', 'mcp.json', '--format', 'json');
  const findings = stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Readonly<Record<string, unknown>>);
  expect({ code, mcp: findings.filter(({ layer }) => layer === 'mcp') }).toEqual({
    code: 1,
    mcp: [
      {
        layer: 'mcp',
        verdict: 'failed',
        message: 'It did not create a session with the MCP server bad: MCP server did not start, error -32603.',
        advice: 'Start bad by itself to see whether it works, or remove it.',
        details: { server: 'bad' },
      },
    ],
  });
});

test('scripts get the first failing layer, or ok', async () => {
  const { run } = await agentFixture();
  const quiet = async (illness: string): Promise<unknown> =>
    run('doctor', '--format', 'quiet', '--timeout', startSeconds, '--agent', patient(illness));
  expect([await quiet('none'), await quiet('stuck'), await quiet('chat')]).toEqual([
    { code: 0, stdout: 'ok\n', stderr: '' },
    { code: 1, stdout: 'session\n', stderr: '' },
    { code: 1, stdout: 'initialize\n', stderr: '' },
  ]);
});

test('doctor refuses several agents, and a name that is not an agent', async () => {
  const { run } = await agentFixture();
  expect([
    await run('claude', 'doctor', 'codex'),
    await run('doctor', 'claude', '--agent', 'x'),
    (await run('doctor', 'nobody')).code,
  ]).toEqual([
    { code: 2, stdout: '', stderr: 'turnwire: name one agent, not both claude and codex\nSee turnwire --help.\n' },
    {
      code: 2,
      stdout: '',
      stderr: 'turnwire: name an agent (claude) or give its command with --agent, not both\nSee turnwire --help.\n',
    },
    2,
  ]);
});
