import { readFile, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { commandShell } from '@turnwire/machine';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { within } from '../../../tools/pace.ts';
import { isAlive, pidIn, untilEnded } from '../../../packages/transports/test/process-life.ts';
import { plainOutput } from '../src/process/plain-output.ts';
import { ToolError } from '../src/tool-error.ts';
import { CoderProcess } from './coder-process.ts';
import { ToolFixture } from './tool-fixture.ts';

let fixture: ToolFixture;

beforeEach(async () => {
  fixture = await ToolFixture.open();
});

afterEach(() => fixture[Symbol.asyncDispose]());

const execute = async (input: object): Promise<string> => (await fixture.use('execute', input)).text;
const failing = async (input: object): Promise<ToolError> => {
  const error: unknown = await fixture.use('execute', input).catch((thrown: unknown) => thrown);
  if (error instanceof ToolError) return error;
  throw new Error('it did not fail', { cause: error });
};
const shown = (text: string) => ({ type: 'content', content: { type: 'text', text } });

test('a successful command returns its exit code and both streams in order', async () => {
  expect(await fixture.use('execute', { command: 'echo out; echo err >&2; pwd' })).toEqual({
    text: `Exit code 0.\nout\nerr\n${fixture.folder}`,
    content: [shown(`out\nerr\n${fixture.folder}\n`)],
    rawOutput: { exitCode: 0, signal: null, timedOut: false },
  });
  expect((await fixture.use('execute', { command: 'true' })).content).toEqual([shown('Exit code 0.')]);
});

test('a failing command is a failed call with its output', async () => {
  const error = await failing({ command: 'echo no; exit 3' });
  expect([error.message, error.content, error.rawOutput]).toEqual([
    'Exit code 3.\nno',
    [shown('Exit code 3.\nno')],
    { exitCode: 3, signal: null, timedOut: false },
  ]);
  expect((await failing({ command: 'kill -KILL $$' })).message).toBe('Ended by SIGKILL.');
  expect((await failing({ command: 'no-such-program' })).message).toMatch(/^Exit code 127\.\n.*not found/);
});

test.each([
  [{}, 'Give a command or an id, not both'],
  [{ command: 'true', id: 'background-1' }, 'Give a command or an id, not both'],
  [{ command: 'true', timeoutSeconds: 601 }, 'timeoutSeconds'],
  [{ command: '' }, 'command'],
])('the input %j is refused', async (input, words) => {
  expect((await failing(input)).message).toContain(words);
});

test('a command in a deleted working directory is refused with the reason', async () => {
  await rm(fixture.folder, { recursive: true });
  const gone = `The working directory ${fixture.folder} no longer exists, so no command can run in it.`;
  await expect(execute({ command: 'pwd' })).rejects.toThrow(gone);
  await expect(execute({ command: 'pwd', background: true })).rejects.toThrow(gone);
  await expect(fixture.use('list', {})).rejects.toThrow(`There is no folder ${fixture.folder}.`);
  await expect(fixture.use('search', { text: 'x' })).rejects.toThrow(`There is no file or folder ${fixture.folder}.`);
});

test('long commands are shown in full before they are allowed, under a short title', async () => {
  const command = `echo ${'x'.repeat(200)}\necho end`;
  const { title, preview, facts } = await fixture.prepare('execute', { command });
  expect([title.length, preview, facts]).toEqual([120, [shown(command)], { command, cwd: fixture.folder }]);
});

/** A command starts within this time, also on a busy machine. */
const timeoutSeconds = within(1_000) / 1_000;

test('a command that exceeds its timeout is stopped with all its processes, also those that ignore signals', async () => {
  const command = `trap '' TERM; sh -c 'trap "" TERM; echo $$ > pid; while :; do sleep 1; done' & echo begun; wait; sleep 60`;
  const error = await failing({ command, timeoutSeconds });
  expect([error.message, error.rawOutput]).toEqual([
    `Stopped: it ran longer than ${timeoutSeconds} seconds.\nbegun`,
    { exitCode: null, signal: 'SIGKILL', timedOut: true },
  ]);
  await untilEnded(await pidIn(join(fixture.folder, 'pid')));
});

test('processes left by a command end with it, and one that escaped with its output does not delay the result', async () => {
  const escape = `require('node:child_process').spawn('sh', ['-c', 'echo $$ > escaped; sleep 60'], { detached: true, stdio: 'inherit' }).unref()`;
  await writeFile(join(fixture.folder, 'escape.cjs'), escape);
  expect(await execute({ command: `sleep 60 & echo $! > left; "${process.execPath}" escape.cjs; echo done` })).toBe(
    'Exit code 0.\ndone',
  );
  await untilEnded(await pidIn(join(fixture.folder, 'left')));
  process.kill(-(await pidIn(join(fixture.folder, 'escaped'))), 'SIGKILL');
});

const pathIn = (text: string): string => /The whole output is in (.+)\.\n/.exec(text)?.[1] ?? '';

test('the model gets the end of a long output and a private log, which is deleted with the session', async () => {
  const text = await execute({ command: 'seq 1 3000' });
  const path = pathIn(text);
  const [first, ...lines] = text.split('\n');
  expect([first, lines.length, lines[0], lines.at(-1)]).toEqual([
    `Exit code 0. The beginning of the output is left out. The whole output is in ${path}.`,
    2000,
    '1001',
    '3000',
  ]);
  const mode = async (of: string): Promise<number> => (await stat(of)).mode & 0o777;
  expect([await mode(path), await mode(dirname(path)), (await readFile(path, 'utf8')).split('\n').length]).toEqual([
    0o600, 0o700, 3001,
  ]);
  await fixture.background.stopAll();
  await expect(stat(dirname(path))).rejects.toThrow('ENOENT');
});

test(
  '400 MB of output take little memory, and the log stops at its limit',
  async () => {
    const before = process.memoryUsage().rss;
    let most = 0;
    const watch = setInterval(() => (most = Math.max(most, process.memoryUsage().rss - before)), 20);
    const text = await execute({ command: 'yes 0123456789abcde | head -c 400000000; echo end' });
    clearInterval(watch);
    expect([text.length < 70_000, text.endsWith('0123456789abcde\nend')]).toEqual([true, true]);
    const { size } = await stat(pathIn(text));
    expect([size > 200_000_000, size < 300_000_000]).toEqual([true, true]);
    expect(most).toBeLessThan(250_000_000);
  },
  within(90_000),
);

test('a command that prints without end is stopped at its timeout, and the end of its output is returned', async () => {
  const { message, rawOutput } = await failing({ command: 'yes 0123456789abcde', timeoutSeconds });
  const [first, ...lines] = message.split('\n');
  expect([first?.split(' The whole')[0], lines.length > 1000, lines.length <= 4097, rawOutput]).toEqual([
    `Stopped: it ran longer than ${timeoutSeconds} seconds. The beginning of the output is left out.`,
    true,
    true,
    { exitCode: null, signal: 'SIGTERM', timedOut: true },
  ]);
  // The first of them may have lost its beginning, the last one its end.
  expect(new Set(lines.slice(1, -1))).toEqual(new Set(['0123456789abcde']));
});

test('binary output and control sequences do no harm', async () => {
  expect(await execute({ command: `printf '\\033[31mred\\033[0m \\a\\0\\001ok\\n10%%\\r50%%\\r100%%\\r\\n'` })).toBe(
    'Exit code 0.\nred ok\n100%',
  );
  expect(await execute({ command: `printf 'through\\r\\r\\na terminal\\r\\r\\n'` })).toBe(
    'Exit code 0.\nthrough\na terminal',
  );
  expect(await execute({ command: 'head -c 100000 /dev/urandom' })).toMatch(/^Exit code 0\./);
});

test('the last 2,000 lines of an output are returned, with or without a final newline', () => {
  const lines = (count: number): string => Array.from({ length: count }, (_, at) => `${at}\n`).join('');
  expect([
    plainOutput(lines(2000)).isCut,
    plainOutput(lines(2001)).text.startsWith('1\n'),
    plainOutput(`${lines(2000)}x`).text.startsWith('1\n'),
    plainOutput(''),
  ]).toEqual([false, true, true, { text: '', isCut: false }]);
});

test('an output is cleaned in a time in proportion to its length, also with three hundred thousand carriage returns', () => {
  const returns = '\r'.repeat(300_000);
  expect(['1 %\r2 %\r\r', `${returns}x`, `y${returns}`, returns].map((output) => plainOutput(output).text)).toEqual([
    '2 %',
    'x',
    'y',
    '',
  ]);
});

test('a background command returns at once, each read returns the new output, and it can be stopped', async () => {
  const command = 'echo one; while [ ! -e go ]; do sleep 0.05; done; echo two; echo $$ > pid; sleep 60';
  expect(await execute({ command, background: true })).toBe(
    'Runs in the background as background-1. Call execute with this id to see what it printed, and with stop to end it.',
  );
  const look = (stop = false): Promise<string> => execute({ id: 'background-1', stop });
  const heard: string[] = [];
  while (heard.at(-1) !== 'It runs.\none') heard.push(await look());
  heard.push(await look());
  await writeFile(join(fixture.folder, 'go'), '');
  while (heard.at(-1) !== 'It runs.\ntwo') heard.push(await look());
  expect([...new Set(heard)].filter((text) => text.includes('\n'))).toEqual(['It runs.\none', 'It runs.\ntwo']);
  expect(heard).toContain('It runs. It printed nothing more.');
  const pid = await pidIn(join(fixture.folder, 'pid'));
  expect(await look(true)).toBe('It is stopped. It printed nothing more.');
  await untilEnded(pid);
  expect((await failing({ id: 'background-1' })).message).toBe(
    'There is no command background-1 in the background. There is none.',
  );
});

test('the end of a background command is reported once', async () => {
  await execute({ command: 'echo out; exit 4', background: true });
  let text = '';
  while (!text.startsWith('It ended')) text = await execute({ id: 'background-1' });
  expect(text.replace(' It printed nothing more.', '\nout')).toBe('It ended with exit code 4.\nout');
});

test('reading the output of a background command needs no further permission', async () => {
  await execute({ command: 'sleep 60', background: true });
  const { title, facts, ask } = await fixture.prepare('execute', { id: 'background-1', stop: true });
  expect([title, facts, await ask?.(undefined as never)]).toEqual([
    'Stop background-1',
    { command: 'sleep 60', cwd: fixture.folder },
    { outcome: 'allowed' },
  ]);
});

test('background commands end with the session, and their number is limited', async () => {
  for (let count = 1; count <= 16; count++)
    await execute({ command: `trap '' TERM; echo $$ > pid${count}; while :; do sleep 1; done`, background: true });
  expect((await failing({ command: 'true', background: true })).message).toMatch(
    /^16 commands run in the background, which is the limit: stop one first \(background-1, .*background-16\)\.$/,
  );
  const pids = await Promise.all(Array.from({ length: 16 }, (_, at) => pidIn(join(fixture.folder, `pid${at + 1}`))));
  await fixture.background.stopAll();
  await untilEnded(...pids);
});

test('the end of the output of a flooding background command is returned, and the log has the rest', async () => {
  await execute({ command: 'seq 1 100000; echo $$ > done; sleep 60', background: true });
  await pidIn(join(fixture.folder, 'done'));
  const first = await execute({ id: 'background-1' });
  // The last of it may be on its way still.
  for (let text = first; !text.endsWith('\n100000');) text = await execute({ id: 'background-1' });
  const path = pathIn(first);
  expect([first.split('\n')[0], (await readFile(path, 'utf8')).startsWith('1\n2\n')]).toEqual([
    `It runs. The beginning of the output is left out. The whole output is in ${path}.`,
    true,
  ]);
});

test('a client with terminals runs the command in one, which the call shows', async () => {
  const asked: unknown[] = [];
  await using client = await ToolFixture.open({
    capabilities: { terminal: true },
    settings: { passKeysToCommands: true },
    handlers: {
      'terminal/create': ({ sessionId: _, ...request }) => {
        asked.push(request);
        return { terminalId: 't1' };
      },
      'terminal/wait_for_exit': () => ({ exitCode: 0 }),
      'terminal/output': () => ({ output: '\u001B[32mgreen\u001B[0m', truncated: true }),
      'terminal/release': () => ({}),
    },
  });
  expect(await client.use('execute', { command: 'npm test' })).toEqual({
    text: 'Exit code 0. The beginning of the output is left out.\ngreen',
    content: [{ type: 'terminal', terminalId: 't1' }],
    rawOutput: { exitCode: 0, signal: null, timedOut: false, output: 'green' },
  });
  expect(asked).toEqual([
    {
      command: commandShell().path,
      args: ['-c', 'exec </dev/null; npm test'],
      cwd: client.folder,
      env: [
        { name: 'PAGER', value: 'cat' },
        { name: 'GIT_PAGER', value: 'cat' },
      ],
      outputByteLimit: 64 * 1024,
    },
  ]);
});

test('a client that shows output in chunks gets each chunk once', async () => {
  await using client = await ToolFixture.open({ capabilities: { _meta: { terminal_output: true } } });
  const { text, content } = await client.use('execute', { command: 'echo one; sleep 0.3; echo two' });
  const pieces = client.updates.map(
    ({ _meta }) => (_meta as { terminal_output?: { data: string } } | undefined)?.terminal_output?.data ?? '',
  );
  expect([text, content, pieces.join('')]).toEqual([
    'Exit code 0.\none\ntwo',
    [{ type: 'terminal', terminalId: expect.any(String) }],
    'one\ntwo\n',
  ]);
});

test.skipIf(process.platform === 'win32')('an agent that is killed leaves no command behind', async () => {
  await using coder = await CoderProcess.start();
  const session = await coder.open();
  // The agent gets a moment to report the command before it is killed.
  session.prompt('run sleep 60 & sleep 1; echo $! > pid; wait').catch(() => undefined);
  const pid = await pidIn(join(session.folder, 'pid'));
  expect(isAlive(pid)).toBe(true);
  coder.child.kill('SIGKILL');
  await untilEnded(pid);
});

test('a line of file operations runs without a shell and reports what it did', async () => {
  await writeFile(join(fixture.folder, 'a'), 'text');
  const result = await fixture.use('execute', { command: 'mkdir -pv x/y && cp a x/y && touch x/z' });
  expect([result.text, await readFile(join(fixture.folder, 'x/y/a'), 'utf8')]).toEqual([
    "Exit code 0.\nmkdir: created directory 'x'\nmkdir: created directory 'x/y'",
    'text',
  ]);
  const { message } = await failing({ command: 'touch later; rm x' });
  expect([message, (await stat(join(fixture.folder, 'later'))).isFile()]).toEqual([
    'Exit code 1.\nrm: x: it is a folder, and -r was not given',
    true,
  ]);
});
