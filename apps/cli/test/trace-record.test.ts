import { type ChildProcess, spawn } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, readFile, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { pidIn, untilEnded } from '../../../packages/transports/test/process-life.ts';
import { turnwire, commandWords, plainEnvironment } from './command.ts';

const agentFile = fileURLToPath(new URL('fixtures/recorded-agent.mjs', import.meta.url));

async function traceFile(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'turnwire-record-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return join(folder, 'run.jsonl');
}

function recordWords(path: string, ...agent: readonly string[]): readonly string[] {
  return [...commandWords, 'trace', 'record', '--out', path, '--', process.execPath, agentFile, ...agent];
}

/** Starts a recording; what the client does is up to the test. */
function record(path: string, ...agent: readonly string[]): ReturnType<typeof start> {
  return start(recordWords(path, ...agent));
}

function start(words: readonly string[]) {
  const child = spawn(process.execPath, words, { env: plainEnvironment, stdio: ['pipe', 'pipe', 'pipe'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  return child;
}

async function ending(child: ChildProcess): Promise<{ readonly code: unknown; readonly signal: unknown }> {
  const [code, signal] = (await once(child, 'close')) as [unknown, unknown];
  return { code, signal };
}

const initialize = `${JSON.stringify({ jsonrpc: '2.0', id: 0, method: 'initialize', params: { protocolVersion: 1 } })}\n`;

interface Line {
  readonly direction?: string;
  readonly frame?: unknown;
  readonly flaw?: string;
  readonly type?: string;
}

async function linesIn(path: string): Promise<readonly Line[]> {
  const text = await readFile(path, 'utf8');
  return text
    .trimEnd()
    .split('\n')
    .slice(1)
    .map((line) => JSON.parse(line) as Line);
}

test('every byte is forwarded unchanged in both directions, text or not', async () => {
  const path = await traceFile();
  const child = record(path, 'echo');
  const sent = Buffer.concat([
    Buffer.from('{"jsonrpc":"2.0","method":"ä🙂"}\r\n\n'),
    Buffer.from([0x00, 0xff, 0xfe, 0x0a]),
    randomBytes(100_000),
    Buffer.from('\nno end'),
  ]);
  const heard = buffer(child.stdout);
  // In pieces that cut characters and lines.
  for (let at = 0; at < sent.length; at += 977) child.stdin.write(sent.subarray(at, at + 977));
  child.stdin.end();
  expect(await ending(child)).toEqual({ code: 0, signal: null });
  expect((await heard).equals(sent)).toBe(true);
  const lines = await linesIn(path);
  const said = lines.filter(({ direction }) => direction === 'out').map(({ frame, flaw }) => ({ frame, flaw }));
  expect(said.slice(0, 3)).toEqual([
    { frame: { jsonrpc: '2.0', method: 'ä🙂' }, flaw: undefined },
    { frame: '', flaw: undefined },
    { frame: '\u0000\ufffd\ufffd', flaw: 'not UTF-8' },
  ]);
  expect(said.at(-1)).toEqual({ frame: 'no end', flaw: 'cut off' });
  const echoed = lines.filter(({ direction }) => direction === 'in').map(({ frame, flaw }) => ({ frame, flaw }));
  expect(echoed).toEqual(said);
});

test('a flood is forwarded completely at the speed of its reader', async () => {
  const path = await traceFile();
  const child = record(path, 'echo');
  const line = Buffer.from(
    `${JSON.stringify({ jsonrpc: '2.0', method: '_x', params: { text: 'x'.repeat(60_000) } })}\n`,
  );
  const [sent, heard] = [createHash('sha256'), createHash('sha256')];
  child.stdout.on('data', (chunk: Buffer) => heard.update(chunk));
  for (let count = 0; count < 1000; count++) {
    sent.update(line);
    if (!child.stdin.write(line)) await once(child.stdin, 'drain');
  }
  child.stdin.end();
  expect(await ending(child)).toEqual({ code: 0, signal: null });
  expect(heard.digest('hex')).toBe(sent.digest('hex'));
  const kept = await linesIn(path);
  expect(kept.at(-1)).toMatchObject({ type: 'exit' });
});

test('the end of the client’s input reaches the agent, which may still answer', async () => {
  const child = record(await traceFile(), 'end');
  child.stdin.end('12345');
  expect([String(await buffer(child.stdout)), await ending(child)]).toEqual(['5\n', { code: 0, signal: null }]);
});

test('the exit code and stderr are those of the agent', async () => {
  const path = await traceFile();
  const child = record(path, 'exit', '42');
  const stderr = buffer(child.stderr);
  expect([await ending(child), String(await stderr)]).toEqual([{ code: 42, signal: null }, 'last words\n']);
  expect(await linesIn(path)).toEqual([
    expect.objectContaining({ type: 'launch' }),
    expect.objectContaining({ type: 'exit', code: 42, signal: null }),
  ]);
});

test('a terminating signal is forwarded to the agent, which ends by itself', async () => {
  const child = record(await traceFile(), 'signals');
  const heard = buffer(child.stdout);
  child.stdout.once('data', () => child.kill('SIGTERM'));
  expect([await ending(child), String(await heard)]).toEqual([{ code: 7, signal: null }, 'ready\nterminated\n']);
});

test('an agent that is killed ends the recording with the same signal', async () => {
  const path = await traceFile();
  const child = record(path, 'stubborn');
  child.stdout.once('data', (chunk: Buffer) => process.kill(Number(String(chunk)), 'SIGKILL'));
  expect(await ending(child)).toEqual({ code: null, signal: 'SIGKILL' });
  expect((await linesIn(path)).at(-1)).toMatchObject({ type: 'exit', code: null, signal: 'SIGKILL' });
});

test('when the client is killed, an agent that ignores it is ended', async () => {
  const path = await traceFile();
  const pidFile = `${path}.pid`;
  // A client that writes down who the agent is, and does nothing else.
  const script = `
    const { spawn } = require('node:child_process');
    const { writeFileSync } = require('node:fs');
    const child = spawn(process.execPath, ${JSON.stringify(recordWords(path, 'stubborn'))}, { stdio: ['pipe', 'pipe', 'ignore'] });
    child.stdout.once('data', (chunk) => writeFileSync(${JSON.stringify(pidFile)}, chunk));
    process.stdout.write(child.pid + '\\n');
  `;
  const client = start(['-e', script]);
  const [recorder] = (await once(client.stdout, 'data')) as [Buffer];
  const agent = await pidIn(pidFile);
  client.kill('SIGKILL');
  await untilEnded(agent, Number(String(recorder)));
  expect((await linesIn(path)).at(-1)).toMatchObject({ type: 'exit' });
});

test('the agent starts in the folder of --cwd with the variables of --env', async () => {
  const path = await traceFile();
  const folder = join(path, '..');
  const print = 'process.stdout.write(JSON.stringify([process.cwd(), process.env.LEVEL]))';
  const given = ['--cwd', folder, '--env', 'LEVEL=high'];
  const agent = ['--', process.execPath, '-e', print];
  const recorded = await turnwire(['trace', 'record', '--out', path, ...given, ...agent]);
  const there = await realpath(folder);
  expect(JSON.parse(recorded.stdout)).toEqual([there, 'high']);
  expect((await linesIn(path))[0]).toMatchObject({ type: 'launch', cwd: folder });
  const seen = join(folder, 'seen');
  const tell = `require('node:fs').writeFileSync(process.env.SEEN, process.cwd())`;
  const client = ['trace', 'replay', path, '--as', 'client', '--cwd', folder, '--env', `SEEN=${seen}`];
  await turnwire([...client, '--', process.execPath, '-e', tell]);
  expect(await readFile(seen, 'utf8')).toBe(there);
});

test('a replayed client that is stopped ends its agent', async () => {
  const path = await traceFile();
  const recorded = await turnwire(['trace', 'record', '--out', path, '--', 'cat'], { stdin: initialize });
  const pidFile = `${path}.pid`;
  const stubborn = `process.on('SIGTERM', () => {}); require('node:fs').writeFileSync(process.env.PID, process.pid + '\\n'); setInterval(() => {}, 1000);`;
  const words = [
    'trace',
    'replay',
    path,
    '--as',
    'client',
    '--env',
    `PID=${pidFile}`,
    '--',
    process.execPath,
    '-e',
    stubborn,
  ];
  const child = start([...commandWords, ...words]);
  const agent = await pidIn(pidFile);
  child.kill('SIGTERM');
  expect([recorded.code, await ending(child)]).toEqual([0, { code: 143, signal: null }]);
  await untilEnded(agent);
});

test('a program that does not exist is reported with the exit code of shells', async () => {
  const { code, stderr } = await turnwire(['trace', 'record', '--out', await traceFile(), '--', 'no-such-agent']);
  expect({ code, stderr }).toEqual({
    code: 127,
    stderr: 'turnwire: no-such-agent cannot be started: there is no such program\n',
  });
});

test('our client and our agent exchange valid messages only', async () => {
  const path = await traceFile();
  const agent = ['trace', 'record', '--out', path, '--', process.execPath, ...commandWords, 'coder'];
  const command = [process.execPath, ...commandWords, ...agent].map((word) => `'${word}'`).join(' ');
  const said = await turnwire(['exec', '--approve-all', '--agent', command, 'say "hello" then run echo hi'], {
    cwd: join(path, '..'),
  });
  expect(said.code).toBe(0);
  const judged = await turnwire(['trace', 'validate', path]);
  expect(judged).toEqual({ code: 0, stdout: expect.stringMatching(/^\d+ frames, no violations\n$/), stderr: '' });
  const replayed = await turnwire([
    'trace',
    'replay',
    path,
    '--as',
    'client',
    '--',
    process.execPath,
    ...commandWords,
    'coder',
  ]);
  expect({ code: replayed.code, stderr: replayed.stderr }).toEqual({ code: 0, stderr: '' });
});
