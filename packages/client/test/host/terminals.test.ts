import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { asideKey, type CreateTerminalRequest, ProtocolError } from '@turnwire/protocol';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { HostContext, HostTerminals, TerminalSnapshot } from '../../src/host/host.ts';
import { localTerminals, type LocalTerminalsOptions } from '../../src/node/terminals/local-terminals.ts';
import { isAlive } from '../../../transports/test/process-life.ts';

let folder: string;
let terminals: HostTerminals;
let context: HostContext;
const sessionId = 'one';

beforeEach(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), 'turnwire-terminals-')));
  context = { roots: [folder], signal: new AbortController().signal };
  use({});
});
afterEach(async () => {
  await terminals.releaseAll();
  await rm(folder, { recursive: true });
});

function use(options: LocalTerminalsOptions): void {
  terminals = localTerminals(options);
}

type Asked = Omit<CreateTerminalRequest, 'sessionId'>;

async function create(asked: Asked): Promise<{ sessionId: string; terminalId: string }> {
  return { sessionId, ...(await terminals.create({ sessionId, ...asked }, context)) };
}

/** Runs node. */
const node = (script: string, ...words: readonly string[]): Asked => ({
  command: process.execPath,
  args: ['-e', script, ...words],
});

/** A separate wait for the exit. */
async function exitOf(made: { sessionId: string; terminalId: string }): Promise<unknown> {
  return terminals.waitForExit(made, context);
}

/** Runs a command to its end. */
async function ran(asked: Asked): Promise<unknown> {
  const made = await create(asked);
  await terminals.waitForExit(made, context);
  return terminals.output(made, context);
}

async function outputWith(made: { sessionId: string; terminalId: string }, text: string): Promise<string> {
  const output = async (): Promise<string> => (await terminals.output(made, context)).output;
  await expect.poll(output).toContain(text);
  return output();
}

async function refusal(work: unknown): Promise<{ code: number; message: string }> {
  const error = await Promise.resolve(work).then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!(error instanceof ProtocolError)) throw new Error('it was not refused', { cause: error });
  return { code: error.code, message: error.message };
}

const wholeRun = (output: string, exitCode = 0): unknown => ({
  output,
  truncated: false,
  exitStatus: { exitCode, signal: null },
});

test('create answers while the command runs, and there is no exit status before the exit', async () => {
  const made = await create({ command: 'echo started; sleep 100' });
  await outputWith(made, 'started');
  expect(await terminals.output(made, context)).toEqual({ output: 'started\n', truncated: false });
});

test('a command with arguments starts without a shell', async () => {
  const words = ['a b', '$HOME', '*', '"', '&& echo x', ''];
  expect(await ran(node('console.log(JSON.stringify(process.argv.slice(1)))', ...words))).toEqual(
    wholeRun(`${JSON.stringify(words)}\n`),
  );
});

test('a command without arguments is a program, or a line for the shell', async () => {
  const program = join(folder, 'my program; really');
  await writeFile(program, '#!/bin/sh\necho "from $0"\n', { mode: 0o755 });
  expect([
    await ran({ command: 'pwd' }),
    await ran({ command: program, args: [] }),
    await ran({ command: 'echo $((1 + 1)) | tr 2 x && exit 3' }),
  ]).toEqual([wholeRun(`${folder}\n`), wholeRun(`from ${program}\n`), wholeRun('x\n', 3)]);
});

test('the shell can be chosen', async () => {
  const shell = join(folder, 'shell');
  await writeFile(shell, '#!/bin/sh\necho "asked: $1 $2"\n', { mode: 0o755 });
  use({ shell });
  expect(await ran({ command: 'one; two' })).toEqual(wholeRun('asked: -c one; two\n'));
});

test('stdout and stderr are one stream in its order', async () => {
  const script = 'for (let i = 0; i < 6; i++) require("fs").writeSync(1 + (i % 2), i + " ")';
  expect([await ran(node(script)), await ran({ command: 'echo a; echo b >&2; echo c' })]).toEqual([
    wholeRun('0 1 2 3 4 5 '),
    wholeRun('a\nb\nc\n'),
  ]);
});

test('a command gets no input', async () => {
  expect(await ran({ command: 'cat' })).toEqual(wholeRun(''));
});

test('variables are added to a harmless environment', async () => {
  process.env['SECRET_TOKEN'] = 'hidden';
  process.env['NAMED_ONE'] = 'named';
  use({ inheritEnv: ['NAMED_*'] });
  const env = [
    { name: 'ADDED', value: 'added' },
    { name: 'EMPTY', value: '' },
  ];
  const line = 'echo "${SECRET_TOKEN-unset} $NAMED_ONE $ADDED [${EMPTY-unset}]"; test "$PATH"';
  const shown = await ran({ command: line, env });
  delete process.env['SECRET_TOKEN'];
  delete process.env['NAMED_ONE'];
  expect(shown).toEqual(wholeRun('unset named added []\n'));
});

test('a command starts in the first folder of the session, or inside any of its folders', async () => {
  const other = join(folder, 'other');
  await mkdir(join(other, 'deep'), { recursive: true });
  await mkdir(join(folder, 'main'));
  await symlink(join(other, 'deep'), join(folder, 'main', 'link'));
  context = { ...context, roots: [join(folder, 'main'), other] };
  const place = async (cwd?: string | null): Promise<unknown> => ran({ command: 'pwd', cwd });
  expect([
    await place(),
    await place(null),
    await place(join(other, 'deep')),
    await place(join(folder, 'main', 'link')),
  ]).toEqual([
    wholeRun(`${join(folder, 'main')}\n`),
    wholeRun(`${join(folder, 'main')}\n`),
    wholeRun(`${join(other, 'deep')}\n`),
    wholeRun(`${join(other, 'deep')}\n`),
  ]);
});

test('a folder outside the session, a file, and an invalid path are refused', async () => {
  const root = join(folder, 'project');
  const twin = join(folder, 'project-2');
  await mkdir(root);
  await mkdir(twin);
  await symlink(twin, join(root, 'out'));
  await writeFile(join(root, 'file'), '');
  context = { ...context, roots: [root] };
  const attempt = (cwd: string): Promise<unknown> => refusal(create({ command: 'pwd', cwd }));
  const outside = (path: string): unknown => ({
    code: -32602,
    message: `${path} is outside of the folders of this session: ${root}`,
  });
  expect([
    await attempt(twin),
    await attempt(`${root}/..`),
    await attempt(join(root, 'out')),
    await attempt('project'),
    await attempt(join(root, 'file')),
    await attempt(join(root, 'missing')),
  ]).toEqual([
    outside(twin),
    outside(`${root}/..`),
    outside(join(root, 'out')),
    { code: -32602, message: 'cwd must be an absolute path, but is project' },
    { code: -32602, message: `${join(root, 'file')} is not a folder` },
    { code: -32602, message: `The folder ${join(root, 'missing')} does not exist or cannot be accessed` },
  ]);
});

test('the error for a command that cannot start names it', async () => {
  const attempt = (asked: Asked): Promise<unknown> => refusal(create(asked));
  expect([
    await attempt({ command: 'no-such-program-anywhere' }),
    await attempt({ command: 'no-such-program-anywhere', args: ['x'] }),
    await attempt({ command: `${folder}/nothing`, args: ['x'] }),
    await attempt({ command: ' ' }),
    await attempt({ command: 'echo', args: ['a\0b'] }),
    await attempt({ command: 'pwd', env: [{ name: 'A=B', value: '' }] }),
    await attempt({ command: 'echo', args: ['x'.repeat(3_000_000)] }),
  ]).toEqual([
    { code: -32602, message: 'There is no program "no-such-program-anywhere" on the PATH' },
    { code: -32602, message: 'There is no program "no-such-program-anywhere" on the PATH' },
    { code: -32602, message: `${folder}/nothing does not exist, or is not executable` },
    { code: -32602, message: 'The command is empty' },
    { code: -32602, message: 'A command must not contain a NUL character' },
    {
      code: -32602,
      message: '"A=B" cannot be set: the name of a variable must not contain "=", and its value no NUL character',
    },
    { code: -32602, message: 'The command could not be started: spawn E2BIG' },
  ]);
});

test('output beyond the limit drops its oldest bytes, at a character boundary', async () => {
  const letters = 'printf abcdefghijklmnopqrstuvwxyz';
  const print = (text: string, outputByteLimit?: number): Promise<unknown> =>
    ran({ ...node(`process.stdout.write(${JSON.stringify(text)})`), outputByteLimit });
  const cut = (output: string): unknown => ({ output, truncated: true, exitStatus: { exitCode: 0, signal: null } });
  expect([
    await ran({ command: letters, outputByteLimit: 10 }),
    await ran({ command: letters, outputByteLimit: 26 }),
    await ran({ command: letters, outputByteLimit: 0 }),
    await print('äöüß€', 6),
    await print('a😀b😀', 8),
    await print('€€', 2),
  ]).toEqual([cut('qrstuvwxyz'), wholeRun('abcdefghijklmnopqrstuvwxyz'), cut(''), cut('ß€'), cut('b😀'), cut('')]);
});

test('a limit can be set for all commands, and no agent can exceed the maximum', async () => {
  use({ defaultByteLimit: 4, maximumByteLimit: 8 });
  const lengths = async (outputByteLimit?: number): Promise<unknown> => {
    const made = await create({ command: 'printf 0123456789', outputByteLimit });
    await terminals.waitForExit(made, context);
    return (await terminals.output(made, context)).output;
  };
  expect([await lengths(), await lengths(6), await lengths(1_000)]).toEqual(['6789', '456789', '23456789']);
});

test('half a character waits for its other half, and becomes a replacement character without it', async () => {
  const script = `process.stdout.write(Buffer.from([0x61, 0xe2, 0x82]));
    process.on('SIGUSR1', () => process.stdout.write(Buffer.from([0xac, 0xe2]), () => process.exit()));
    setInterval(() => {}, 1000); setTimeout(() => require('fs').writeFileSync('pid', String(process.pid)), 50);`;
  const made = await create(node(script));
  const pid = (): Promise<number> =>
    import('node:fs/promises').then(({ readFile }) => readFile(join(folder, 'pid'), 'utf8')).then(Number, () => 0);
  await expect.poll(pid).toBeGreaterThan(0);
  const half = await outputWith(made, 'a');
  process.kill(await pid(), 'SIGUSR1');
  await terminals.waitForExit(made, context);
  expect([half, await terminals.output(made, context)]).toEqual(['a', wholeRun('a€\ufffd')]);
});

test('a wait ends with the command, with its exit code or its signal', async () => {
  const exit = async (command: string): Promise<unknown> => terminals.waitForExit(await create({ command }), context);
  expect([await exit('exit 3'), await exit('kill -9 $$'), await exit('exit 0')]).toEqual([
    { exitCode: 3, signal: null },
    { exitCode: null, signal: 'SIGKILL' },
    { exitCode: 0, signal: null },
  ]);
});

test('a wait ends soon after the command, even if a child process holds its output open', async () => {
  const made = await create({ command: 'sleep 100 & echo $!; exit 4' });
  const exit = await terminals.waitForExit(made, context);
  const { output } = await terminals.output(made, context);
  const alive = isAlive(Number(output));
  await terminals.release(made, context);
  expect({ exit, alive, later: isAlive(Number(output)) }).toEqual({
    exit: { exitCode: 4, signal: null },
    alive: true,
    later: false,
  });
});

test('kill ends the command; its output stays, and every wait ends', async () => {
  const made = await create({ command: 'echo before; exec sleep 100' });
  const waits = [exitOf(made), exitOf(made)];
  await outputWith(made, 'before');
  expect(await terminals.kill(made, context)).toEqual({});
  const exit = { exitCode: null, signal: 'SIGTERM' };
  expect([...(await Promise.all(waits)), await terminals.waitForExit(made, context)]).toEqual([exit, exit, exit]);
  expect(await terminals.output(made, context)).toEqual({ output: 'before\n', truncated: false, exitStatus: exit });
  expect(await terminals.kill(made, context)).toEqual({});
});

const stubborn = `
  process.on('SIGTERM', () => {});
  const spawn = (options) => require('child_process').spawn(process.execPath,
    ['-e', 'process.on("SIGTERM", () => {}); console.log("up"); setInterval(() => {}, 1000)'], { stdio: ['ignore', 'pipe', 'ignore'], ...options });
  const kin = [spawn({}), spawn({ detached: true }), spawn({ detached: true, env: {} })];
  Promise.all(kin.map((child) => new Promise((resolve) => child.stdout.once('data', resolve))))
    .then(() => console.log(JSON.stringify([process.pid, ...kin.map((child) => child.pid)])));
  setInterval(() => {}, 1000);`;

test.each(['kill', 'release'] as const)(
  '%s ends all processes of a command, even if they ignore signals',
  async (way) => {
    const made = await create(node(stubborn));
    const pids = JSON.parse(await outputWith(made, ']')) as readonly number[];
    const wait = terminals.waitForExit(made, context);
    const before = pids.filter(isAlive);
    await terminals[way](made, context);
    expect({ before, after: pids.filter(isAlive), exit: await wait }).toEqual({
      before: pids,
      after: [],
      exit: { exitCode: null, signal: 'SIGKILL' },
    });
  },
);

test('after a release every method refuses the id at once', async () => {
  const made = await create({ command: 'sleep 100' });
  const releasing = terminals.release(made, context);
  const nothing = {
    code: -32002,
    message: `This session has no terminal ${made.terminalId}: it was released, or never created`,
  };
  const methods = ['output', 'waitForExit', 'kill', 'release'] as const;
  const refused = methods.map((method) => refusal((async () => terminals[method](made, context))()));
  expect(await Promise.all(refused)).toEqual([nothing, nothing, nothing, nothing]);
  expect(await releasing).toEqual({});
});

test('a terminal belongs to the session that created it', async () => {
  const made = await create({ command: 'sleep 100' });
  const theirs = { ...made, sessionId: 'two' };
  const methods = ['output', 'waitForExit', 'kill', 'release'] as const;
  const codes = methods.map(async (method) => (await refusal((async () => terminals[method](theirs, context))())).code);
  expect(await Promise.all(codes)).toEqual([-32002, -32002, -32002, -32002]);
  expect(await terminals.output(made, context)).toEqual({ output: '', truncated: false });
});

test('all terminals of a session can be released, and no others', async () => {
  const [first, second] = [await create({ command: 'sleep 100' }), await create({ command: 'sleep 100' })];
  const other = await terminals.create({ sessionId: 'two', command: 'sleep 100' }, context);
  const waits = [first, second].map(exitOf);
  await terminals.releaseAll(sessionId);
  const exit = { exitCode: null, signal: 'SIGTERM' };
  expect(await Promise.all(waits)).toEqual([exit, exit]);
  expect(await terminals.output({ sessionId: 'two', ...other }, context)).toEqual({ output: '', truncated: false });
});

test('a session has a maximum of terminals, released ones not counted', async () => {
  use({ maximumPerSession: 2 });
  const first = await create({ command: 'true' });
  await create({ command: 'true' });
  expect(await refusal(create({ command: 'true' }))).toEqual({
    code: -32602,
    message: 'This session has 2 terminals, the maximum. Release some with terminal/release',
  });
  await terminals.release(first, context);
  expect(typeof (await create({ command: 'true' })).terminalId).toBe('string');
});

test('a cancelled wait ends, and the command continues', async () => {
  const made = await create({ command: 'sleep 100' });
  const stop = new AbortController();
  const wait = refusal(terminals.waitForExit(made, { ...context, signal: stop.signal }));
  stop.abort();
  expect((await wait).code).toBe(-32800);
  expect(await terminals.output(made, context)).toEqual({ output: '', truncated: false });
});

test('a timeout of a wait applies only if the host allows it', async () => {
  use({ waitTimeout: true });
  const made = await create({ command: 'echo so far; exec sleep 100' });
  await outputWith(made, 'so far');
  const sent = { ...made, timeout: 10 };
  const read = { ...made, _meta: { [asideKey]: { timeout: 10 } } };
  const running = { exitCode: null, signal: null, output: 'so far\n' };
  expect([await terminals.waitForExit(sent, context), await terminals.waitForExit(read, context)]).toEqual([
    running,
    running,
  ]);
  expect(
    await terminals.waitForExit({ ...(await create({ command: 'exit 5' })), timeout: 1e12 } as never, context),
  ).toEqual({ exitCode: 5, signal: null });
  await terminals.releaseAll();
  use({});
  const short = { ...(await create({ command: 'sleep 0.3; exit 6' })), timeout: 1 };
  expect(await terminals.waitForExit(short, context)).toEqual({ exitCode: 6, signal: null });
});

test('a watcher sees the start and the end, also of released terminals', async () => {
  const seen: TerminalSnapshot[] = [];
  const stop = terminals.watch((snapshot) => void seen.push(snapshot));
  const made = await create({ command: 'printf', args: ['%s', 'a b'] });
  await terminals.waitForExit(made, context);
  const other = await create({ command: 'exec sleep 100' });
  await terminals.release(other, context);
  stop();
  await create({ command: 'true' });
  const ends = [made, other].map(({ terminalId }) => {
    const own = seen.filter((snapshot) => snapshot.terminalId === terminalId);
    return [own[0], own.at(-1)];
  });
  const printf = { ...made, command: "printf %s 'a b'", truncated: false };
  const sleep = { ...other, command: 'exec sleep 100', truncated: false, output: '' };
  expect(ends).toEqual([
    [
      { ...printf, output: '' },
      { ...printf, output: 'a b', exitStatus: { exitCode: 0, signal: null } },
    ],
    [sleep, { ...sleep, exitStatus: { exitCode: null, signal: 'SIGTERM' } }],
  ]);
  expect(new Set(seen.map(({ terminalId }) => terminalId)).size).toBe(2);
});

test('a flood neither blocks the command nor is stored, and watchers see occasional snapshots', async () => {
  const lines = 12_000_000;
  const seen: number[] = [];
  terminals.watch(({ output }) => void seen.push(output.length));
  const before = process.memoryUsage().rss;
  const made = await create({ command: `yes 0123456789abcdef | head -n ${lines}`, outputByteLimit: 100_000 });
  const exit = await terminals.waitForExit(made, context);
  const grown = process.memoryUsage().rss - before;
  const { output, truncated } = await terminals.output(made, context);
  expect({ exit, truncated, bytes: Buffer.byteLength(output), end: output.slice(-18) }).toEqual({
    exit: { exitCode: 0, signal: null },
    truncated: true,
    bytes: 100_000,
    end: '\n0123456789abcdef\n',
  });
  // 204 MB passed; a snapshot for each chunk of 64 KB would be 3,000.
  expect([Math.max(...seen), seen.length < 1_500, grown < 120 * 1024 * 1024]).toEqual([100_000, true, true]);
});

test('an endless flood can be killed', async () => {
  const made = await create({ command: 'yes', outputByteLimit: 1000 });
  const isCut = async (): Promise<boolean> => (await terminals.output(made, context)).truncated;
  await expect.poll(isCut).toBe(true);
  await terminals.kill(made, context);
  const { exitStatus, truncated } = await terminals.output(made, context);
  expect({ exitStatus, truncated }).toEqual({ exitStatus: { exitCode: null, signal: 'SIGTERM' }, truncated: true });
});

test('a command that the gate replaces does not start: the terminal shows the replacement', async () => {
  context = {
    ...context,
    run: (print) => {
      print('in its place\n');
      return Promise.resolve(3);
    },
  };
  expect(await ran({ command: 'echo the command' })).toEqual(wholeRun('in its place\n', 3));
});

test('kill ends the replacement of a command', async () => {
  context = {
    ...context,
    run: (_print, signal) =>
      new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error))),
  };
  const made = await create({ command: 'echo x' });
  await terminals.kill(made, context);
  expect(await exitOf(made)).toEqual({ exitCode: null, signal: 'SIGTERM' });
});
