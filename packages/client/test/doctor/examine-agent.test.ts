import { chmod, mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { examineAgent, type Finding } from '@turnwire/client/node';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { within } from '../../../../tools/pace.ts';
import { isAlive } from '../../../transports/test/process-life.ts';
import { examined, patient, warnings, verdicts } from './examine.ts';

let folder: string;
beforeAll(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), 'turnwire-doctor-')));
});
afterAll(() => rm(folder, { recursive: true }));

const healthy = [
  'command ok',
  'launch ok',
  'noise ok',
  'initialize ok',
  'login ok',
  'session ok',
  'turn ok',
  'exit ok',
];
/** A timeout within which the process always starts or answers, also on a busy machine. */
const seconds = Math.ceil(within(1_500) / 1_000);
const harmless = 'It is harmless here. Report it to its authors: other clients may fail on it.';

describe('a healthy agent', () => {
  test('a healthy agent passes every layer', async () => {
    const findings = await examined(patient(), { prompt: 'hello' });
    const all = findings.map(({ milliseconds: _, ...finding }) => finding);
    expect({ verdicts: verdicts(findings), talk: all.slice(3, 6) }).toEqual({
      verdicts: healthy,
      talk: [
        {
          layer: 'initialize',
          verdict: 'ok',
          message: 'patient 1.2.3 speaks protocol version 1. It offers session/load, session/close, MCP over http.',
          details: {
            protocolVersion: 1,
            agent: { name: 'patient', version: '1.2.3' },
            capabilities: { loadSession: true, sessionCapabilities: { close: {} }, mcpCapabilities: { http: true } },
            logins: [],
          },
        },
        { layer: 'login', verdict: 'ok', message: 'It creates a session without a login.', details: { logins: [] } },
        {
          layer: 'session',
          verdict: 'ok',
          message: 'It creates a session, with modes ask, code; 1 command.',
          details: { modes: ['ask', 'code'], mode: 'ask', options: [], commands: ['web'] },
        },
      ],
    });
  });

  test('findings arrive step by step, and the process ends when the caller stops reading', async () => {
    let pid = 0;
    for await (const { layer, details } of examineAgent(patient())) {
      if (layer === 'launch') pid = details?.['pid'] as number;
      if (layer === 'initialize') break;
    }
    expect({ pid, isAlive: isAlive(pid) }).toEqual({ pid: expect.any(Number), isAlive: false });
  });

  test('an agent made with the official SDK passes too', async () => {
    const path = fileURLToPath(new URL('../../../protocol/test/interop/fixtures/official-agent.mjs', import.meta.url));
    expect(verdicts(await examined([process.execPath, path]))).toEqual(healthy.filter((each) => each !== 'turn ok'));
  });
});

describe('a command', () => {
  test.each([
    [
      'no-such-agent --acp',
      'There is no program "no-such-agent".',
      'Check the spelling, that it is installed, and that its folder is on your PATH.',
    ],
    ['./no/such', 'There is no file $folder/no/such.', 'Check the spelling. Paths are relative to $folder.'],
    ['./plain', '$folder/plain exists, but is not executable.', 'Make it executable:\n    chmod +x $folder/plain'],
    ['./', '$folder is a folder.', 'Specify the program in it.'],
    [
      "'open",
      "The agent command 'open cannot be split into words: a quote or an escape is not closed.",
      "Write it as in a shell, such as 'my-agent --acp'.",
    ],
  ])('the finding for the command %s says what is wrong', async (command, message, advice) => {
    await writeFile(join(folder, 'plain'), '#!/bin/sh\n');
    const here = (text: string): string => text.replaceAll('$folder', folder);
    const skipped = ['launch', 'noise', 'initialize', 'login', 'session', 'exit'] as const;
    expect(await examined(command, { cwd: folder })).toEqual([
      { layer: 'command', verdict: 'failed', message: here(message), advice: here(advice) },
      ...skipped.map((layer) => ({ layer, verdict: 'skipped', message: 'not reached' })),
    ]);
  });

  test('a program that the system refuses to start fails at the launch', async () => {
    const path = join(folder, 'broken');
    await writeFile(path, '#!/no/such/interpreter\n');
    await chmod(path, 0o755);
    expect(warnings(await examined(path, { cwd: folder }))).toEqual([
      {
        layer: 'launch',
        verdict: 'failed',
        message: `${path} exists, but a program or library that it needs does not.`,
        advice: 'Check the interpreter in its first line (#!), and the platform it was built for.',
      },
    ]);
  });

  test('a command needs an existing folder', async () => {
    const cwd = join(folder, 'missing');
    expect(warnings(await examined(patient(), { cwd }))).toEqual([
      {
        layer: 'command',
        verdict: 'failed',
        message: `The folder ${cwd} does not exist.`,
        advice: 'Choose another working folder, or create this one.',
      },
    ]);
  });
});

test('noise on stdout is counted, quoted without colours, and harmless', async () => {
  const findings = await examined(patient('noisy'));
  const noise = findings.filter(({ layer }) => layer === 'noise');
  const advice = 'Other output belongs on stderr. Report it to its authors, or look for an option that turns it off.';
  expect({ noise, isFine: findings.every(({ verdict }) => verdict !== 'failed') }).toEqual({
    noise: [
      {
        layer: 'noise',
        verdict: 'warning',
        message: 'At the start, 2 lines on its stdout are not the protocol. It begins: Loading the model',
        advice,
        details: { lines: 2, bytes: 31, excerpt: 'Loading the model' },
      },
      {
        layer: 'noise',
        verdict: 'warning',
        message: 'Later, 1 line on its stdout is not the protocol. It begins: session is up',
        advice,
        details: { lines: 1, bytes: 13, excerpt: 'session is up' },
      },
    ],
    isFine: true,
  });
});

describe('initialize', () => {
  test('a program that echoes initialize is not mistaken for an agent that needs a login', async () => {
    const finding = (await examined(['sh', '-c', 'cat'])).find(({ layer }) => layer === 'initialize');
    expect(finding).toMatchObject({
      verdict: 'failed',
      message: 'It echoes its input: it is not an agent.',
      advice: expect.stringMatching(/^Check that this command starts it as an agent/) as unknown,
    });
  });

  const failure = async (illness: string, ...words: string[]): Promise<Omit<Finding, 'milliseconds'> | undefined> =>
    warnings(await examined(patient(illness, ...words), { timeouts: { initialize: seconds * 1_000 } })).find(
      ({ verdict }) => verdict === 'failed',
    );
  const line = (...words: string[]): string => patient(...words).join(' ');

  test('a program that exits before initialize is quoted without secrets', async () => {
    expect(await failure('exits', 'API_KEY=sk-0123456789abcdef')).toEqual({
      layer: 'initialize',
      verdict: 'failed',
      message: 'It exited with code 3 before it answered initialize.',
      advice: `Follow its message on stderr, or run it yourself:\n    ${line('exits')} API_KEY=[redacted]`,
      details: { exit: { code: 3, signal: null }, stderr: 'cannot find the key API_KEY=[redacted]' },
    });
  });

  test('a program that exits before initialize without output is reported as such', async () => {
    expect(await failure('vanishes')).toEqual({
      layer: 'initialize',
      verdict: 'failed',
      message: 'It exited with code 0 before it answered initialize.',
      advice: `Check that this command starts it as an agent; many programs need an argument such as acp or --acp:\n    ${line('vanishes')}`,
      details: { exit: { code: 0, signal: null } },
    });
  });

  test('a slow command that already starts an agent gets no advice to start it as one', async () => {
    expect(await failure('mute', '--acp')).toMatchObject({
      message: `It did not answer initialize within ${seconds} s.`,
      advice: `If it is only slow, give it more time. Run it yourself to see what it waits for:\n    ${line('mute', '--acp')}`,
    });
  });

  test.each([
    ['mute', `It did not answer initialize within ${seconds} s.`],
    ['chat', `It did not answer initialize within ${seconds} s, but printed something else.`],
    [
      'future',
      'patient speaks protocol version 7; this client speaks version 1. The connection was closed: update the older one.',
    ],
    ['refuses', 'It refused initialize: Internal error (no disk), error -32603.'],
    [
      'wrong',
      'The answer to initialize does not fit the protocol: protocolVersion: expected an integer from 0 to 65535, received a string.',
    ],
  ])('initialize fails when the agent is %s', async (illness, message) => {
    expect(await failure(illness)).toEqual({
      layer: 'initialize',
      verdict: 'failed',
      message,
      advice: expect.any(String),
      details: {},
    });
  });

  test('a repaired answer is reported', async () => {
    expect(warnings(await examined(patient('bent')))).toEqual([
      {
        layer: 'initialize',
        verdict: 'warning',
        message:
          'A message that does not conform to the protocol was repaired (initialize): authMethods[0]: expected a string at id, received nothing; agentInfo: expected an object, received a string.',
        advice: harmless,
      },
    ]);
  });
});

test('duplicate answers are reported', async () => {
  const twice = (layer: string, method: string): object => ({
    layer,
    verdict: 'warning',
    message: `It answered ${method} more than once.`,
    advice: harmless,
  });
  expect(warnings(await examined(patient('twice'), { prompt: 'hi' }))).toEqual([
    twice('initialize', 'initialize'),
    twice('session', 'session/new'),
    twice('turn', 'session/prompt'),
  ]);
});

describe('a session', () => {
  test('a session that needs a login is not a failure, and the finding says how to log in', async () => {
    const findings = await examined(patient('login'), { prompt: 'hi' });
    expect({ verdicts: verdicts(findings), login: findings[4] }).toEqual({
      verdicts: [...healthy.slice(0, 4), 'login warning', 'session skipped', 'turn skipped', 'exit ok'],
      login: {
        layer: 'login',
        verdict: 'warning',
        message: 'It requires a login before it creates a session: Authentication required.',
        advice: [
          'Log in once, then examine it again. Its login methods:',
          '- API key (key): the agent does it itself when a client requests it',
          `- Browser (browser): run in a terminal, with LOGIN_HINT set as it requests:\n    ${patient('login', 'login', '--now').join(' ')}`,
        ].join('\n'),
        details: {
          logins: [
            { id: 'key', name: 'API key', type: 'agent' },
            { id: 'browser', name: 'Browser', type: 'terminal' },
          ],
        },
      },
    });
  });

  test.each([
    ['stuck', `It did not answer session/new within ${seconds} s.`, {}],
    ['locked', 'It did not create a session: Internal error (the folder is not trusted), error -32603.', {}],
    [
      'dies',
      'It did not create a session: it exited with code 9.',
      { exit: { code: 9, signal: null }, stderr: 'the key is [redacted]' },
    ],
  ])('the session fails when the agent is %s', async (illness, message, details) => {
    const env = { PATIENT_KEY: 'open sesame' };
    expect(warnings(await examined(patient(illness), { timeouts: { newSession: seconds * 1_000 }, env }))).toEqual([
      { layer: 'session', verdict: 'failed', message, advice: expect.any(String), details },
    ]);
  });
});

describe('MCP servers', () => {
  const server = (
    name: string,
    command: string = process.execPath,
  ): { name: string; command: string; args: string[]; env: [] } => ({
    name,
    command,
    args: [],
    env: [],
  });
  const mcp = async (illness: string, ...mcpServers: object[]): Promise<readonly object[]> =>
    (await examined(patient(illness), { mcpServers: mcpServers as never }))
      .filter(({ layer }) => layer === 'mcp')
      .map(({ verdict, message }) => ({ verdict, message }));

  test('servers that the agent accepts are named', async () => {
    expect(await mcp('none', server('one'), server('two'))).toEqual([
      {
        verdict: 'ok',
        message: 'It creates a session with one, two. It does not report whether it could connect to them.',
      },
    ]);
  });

  test('the server that causes a failure is found among several', async () => {
    expect(await mcp('none', server('good'), server('bad'), server('other'))).toEqual([
      {
        verdict: 'failed',
        message: 'It did not create a session with the MCP server bad: MCP server did not start, error -32603.',
      },
    ]);
  });

  test('servers that fail only together are reported', async () => {
    expect(await mcp('crowded', server('one'), server('two'))).toEqual([
      {
        verdict: 'failed',
        message:
          'It did not create a session with all of one, two: too many servers, error -32603. With each alone it did.',
      },
    ]);
  });

  test('servers that the agent cannot use are skipped, and a missing program is named', async () => {
    const remote = { type: 'sse', name: 'remote', url: 'http://127.0.0.1:1/', headers: [] };
    expect(await mcp('none', remote, server('lost', 'no-such-server'))).toEqual([
      {
        verdict: 'warning',
        message: 'remote is left out: The agent does not connect to MCP servers of type sse (mcpCapabilities.sse).',
      },
      { verdict: 'warning', message: 'lost: there is no program "no-such-server".' },
      { verdict: 'ok', message: 'It creates a session with lost. It does not report whether it could connect to it.' },
    ]);
  });
});

describe('a turn', () => {
  const turn = async (illness: string): Promise<object> => {
    const findings = await examined(patient(illness), { prompt: 'hi', timeouts: { turn: seconds * 1_000 } });
    const { verdict, message } = findings.find(({ layer }) => layer === 'turn') ?? {};
    return { verdict, message: message?.replace(/\d+ ms/, '… ms') };
  };

  test.each([
    ['none', 'ok', 'It ended the turn (end_turn) after 1 update, the first after … ms.'],
    ['silent', 'warning', 'It ended the turn (end_turn) after 0 updates.'],
    ['poor', 'failed', 'It failed: no model, error -32603.'],
    ['endless', 'failed', `It did not end the turn within ${seconds} s; 1 update arrived. It ignored the cancel, too.`],
  ])('the finding about a turn of the agent that is %s', async (illness, verdict, message) => {
    expect(await turn(illness)).toEqual({ verdict, message });
  });
});

describe('the end of an examination', () => {
  test('an exit that needs a signal is reported', async () => {
    const [finding, ...others] = warnings(await examined(patient('stubborn'), { timeouts: { exit: within(500) } }));
    expect({ ...finding, others }).toEqual({
      layer: 'exit',
      verdict: 'warning',
      message: 'It did not exit when its stdin was closed: it was sent a signal, and was ended by SIGTERM.',
      advice: expect.any(String),
      details: { exit: { code: null, signal: 'SIGTERM' }, left: [] },
      others: [],
    });
  });

  test.skipIf(process.platform === 'win32')('a process left behind by the agent is reported and ended', async () => {
    const findings = await examined(patient('parent'));
    const left = findings.find(({ layer }) => layer === 'exit')?.details?.['left'] as readonly number[];
    expect({ warnings: warnings(findings), count: left.length, alive: left.filter(isAlive) }).toEqual({
      warnings: [
        {
          layer: 'exit',
          verdict: 'warning',
          message: 'A process it had started was still running after it exited, and was ended.',
          advice: expect.any(String),
        },
      ],
      count: 1,
      alive: [],
    });
  });

  test('aborting ends the examination early', async () => {
    const controller = new AbortController();
    const examine = async (): Promise<void> => {
      for await (const { layer } of examineAgent(patient('mute'), { signal: controller.signal }))
        if (layer === 'launch') controller.abort();
    };
    await expect(examine()).rejects.toMatchObject({ code: 'cancelled' });
  });
});

test('the sessions of an examination are deleted again', async () => {
  const path = fileURLToPath(new URL('fixtures/patient.mjs', import.meta.url));
  const log = join(folder, 'stderr');
  const command = ['/bin/sh', '-c', `'${process.execPath}' '${path}' forgetful 2> '${log}'`];
  await examined(command);
  expect(await readFile(log, 'utf8')).toBe('deleted s1\n');
});
