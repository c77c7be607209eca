import { mkdir, mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { launchAgent, localFiles } from '@turnwire/client/node';
import { TurnwireError } from '@turnwire/protocol';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { within } from '../../../tools/pace.ts';
import { isAlive } from '../../transports/test/process-life.ts';
import { collect, inSession, scripted, textOf } from './scripted.ts';

let folder: string;
beforeAll(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), 'turnwire-launch-')));
});
afterAll(() => rm(folder, { recursive: true }));

/** The error of a failed launch. */
async function failure(launch: Promise<unknown>): Promise<{ code: string; message: string }> {
  const error = await launch.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!(error instanceof TurnwireError)) throw new Error('it did not fail as it should', { cause: error });
  return { code: error.code, message: error.message };
}

test('an agent has its name and version, and closing it ends its process', async () => {
  const agent = await launchAgent(scripted());
  const { info, capabilities, authMethods } = agent;
  expect({ info, capabilities, authMethods }).toEqual({
    info: { name: 'scripted', version: '1.0.0' },
    capabilities: {},
    authMethods: [],
  });
  const end = await agent.close();
  expect(end).toEqual({ by: 'local', exit: { code: 0, signal: null }, stderr: '' });
  expect(await agent.closed).toEqual(end);
});

test('closing is idempotent, also by disposal', async () => {
  const agent = await launchAgent(scripted());
  const [first, second] = await Promise.all([agent.close(), agent.close(), agent[Symbol.asyncDispose]()]);
  expect(second).toEqual(first);
});

test('a command line is split into words like in a shell', async () => {
  const quoted = scripted()
    .map((word) => `'${word}'`)
    .join(' ');
  const agent = await launchAgent(quoted);
  expect((await agent.close()).exit).toEqual({ code: 0, signal: null });
});

test('a program that does not exist is named', async () => {
  expect(await failure(launchAgent('no-such-agent-anywhere --acp'))).toEqual({
    code: 'launch-failed',
    message:
      'The agent could not be started: there is no program "no-such-agent-anywhere". Check the spelling, that it is installed, and that its folder is on your PATH',
  });
});

test('a folder that does not exist is named', async () => {
  const cwd = join(folder, 'missing');
  expect(await failure(launchAgent(scripted(), { cwd }))).toEqual({
    code: 'launch-failed',
    message: `The agent could not be started: the folder ${cwd} does not exist`,
  });
});

test.skipIf(process.getuid?.() === 0)('a folder without search permission is named (root may enter any)', async () => {
  const cwd = join(folder, 'closed');
  await mkdir(cwd, { mode: 0o600 });
  expect(await failure(launchAgent(scripted(), { cwd }))).toEqual({
    code: 'launch-failed',
    message: `The agent could not be started: the folder ${cwd} cannot be accessed; check its permissions`,
  });
});

test('a file without execute permission is named', async () => {
  expect((await failure(launchAgent([join(import.meta.dirname, 'fixtures/scripted-agent.mjs')]))).message).toContain(
    'is not executable',
  );
});

test('an agent that exits at once is quoted', async () => {
  expect(await failure(launchAgent(scripted('die-at-once', 'FOO')))).toEqual({
    code: 'connection-closed',
    message: `The agent ${scripted('die-at-once', 'FOO').join(' ')} exited with code 3. It printed on stderr:\ncannot find the key FOO`,
  });
});

test('a program that exits without output gets its own message', async () => {
  expect(await failure(launchAgent([process.execPath, '-e', '']))).toEqual({
    code: 'connection-closed',
    message:
      `The agent ${process.execPath} -e '' exited with code 0. It printed nothing on stderr. ` +
      'It exited before it answered initialize: check that it speaks the Agent Client Protocol on stdin and stdout.',
  });
});

test('output instead of the protocol is quoted', async () => {
  const { message } = await failure(launchAgent([process.execPath, '-e', 'console.log("Usage: agent --acp")']));
  expect(message).toContain(
    ' exited with code 0. On stdout it printed "Usage: agent --acp". It printed nothing on stderr. ',
  );
});

test('an agent that never answers initialize is quoted and ended after the timeout', async () => {
  // The process starts within this time, also on a busy machine.
  const initialize = within(1_500);
  const { code, message } = await failure(launchAgent(scripted('mute'), { timeouts: { initialize, exit: 10 } }));
  expect({ code, message }).toEqual({
    code: 'timeout',
    message:
      `No answer to initialize within ${initialize} ms. ` +
      `The agent ${scripted('mute').join(' ')} did not answer in time; check that it speaks the Agent Client Protocol on stdin and stdout. ` +
      'It printed on stderr:\nstill warming up',
  });
});

test('a start can be aborted', async () => {
  const { code } = await failure(
    launchAgent(scripted('mute'), {
      signal: AbortSignal.timeout(200),
      timeouts: { exit: 10 },
      peer: { limits: { cancel: 10 } },
    }),
  );
  expect(code).toBe('cancelled');
});

test('noise on stdout before and between messages is harmless', async () => {
  const agent = await launchAgent(scripted('noise'));
  const session = await agent.newSession({ cwd: folder });
  const text = textOf(await collect(session.prompt('noise')));
  await agent.close();
  expect(text).toBe('after the noise');
});

test('an agent that ignores the end of stdin and SIGTERM is killed with its children', async () => {
  const agent = await launchAgent(scripted('stubborn'), { timeouts: { exit: 50 } });
  const pids = agent.peer.remote?._meta?.['pids'] as number[];
  expect(pids.map(isAlive)).toEqual([true, true]);
  const { exit } = await agent.close();
  expect({ exit, alive: pids.map(isAlive) }).toEqual({
    exit: { code: null, signal: 'SIGKILL' },
    alive: [false, false],
  });
});

test('an agent inherits harmless variables, named and set ones, and no others', async () => {
  process.env['SECRET_TOKEN'] = 'hidden';
  process.env['NAMED_ONE'] = 'named';
  const options = { env: { SET_HERE: 'set' }, inheritEnv: ['NAMED_*'] };
  const seen = await inSession(options, async (session) => {
    const read = async (name: string): Promise<string> => textOf(await collect(session.prompt(`env ${name}`)));
    return [await read('SECRET_TOKEN'), await read('NAMED_ONE'), await read('SET_HERE'), await read('PATH')];
  });
  delete process.env['SECRET_TOKEN'];
  delete process.env['NAMED_ONE'];
  expect(seen).toEqual(['SECRET_TOKEN=unset', 'NAMED_ONE=named', 'SET_HERE=set', `PATH=${process.env['PATH']}`]);
});

test('the process starts in the configured folder', async () => {
  expect(await inSession({ cwd: folder }, async (session) => textOf(await collect(session.prompt('place'))))).toBe(
    folder,
  );
});

test('a tap sees every frame both ways in order', async () => {
  const seen: string[] = [];
  const tap = (direction: string, frame: string): void =>
    void seen.push(`${direction} ${(JSON.parse(frame) as { method?: string }).method ?? 'answer'}`);
  await inSession({ tap }, async (session) => void (await session.prompt('say hello')));
  expect(seen).toEqual([
    'out initialize',
    'in answer',
    'out session/new',
    'in answer',
    'out session/prompt',
    'in session/update',
    'in answer',
  ]);
});

test.each([
  [[process.execPath, 'build.js', '&&', process.execPath, 'agent.js'], 'There is no shell: && is an argument of'],
  [['no-such-agent-anywhere', '>', 'log'], 'There is no shell: > is an argument of no-such-agent-anywhere. To use a'],
  [['KEY=1', 'my-agent'], 'There is no shell: set KEY in the environment of the agent instead.'],
])('the error of %j explains that no shell is involved', async (command, advice) => {
  expect((await failure(launchAgent(command))).message).toContain(advice);
});

test('a session with files of this machine needs its folder here', async () => {
  await using agent = await launchAgent(scripted(), { host: { files: localFiles() } });
  expect(await failure(agent.newSession({ cwd: join(folder, 'missing') }))).toEqual({
    code: 'invalid-input',
    message: `A session cannot work in ${join(folder, 'missing')}: there is no such folder here`,
  });
  await expect(agent.newSession({ cwd: folder })).resolves.toBeDefined();
});

test('a session without files or terminals of this machine may use a folder of another machine', async () => {
  await using agent = await launchAgent(scripted());
  await expect(agent.newSession({ cwd: join(folder, 'elsewhere') })).resolves.toBeDefined();
});
