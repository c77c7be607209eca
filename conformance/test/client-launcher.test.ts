import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Launch } from '../src/client/launch/launch.ts';
import { type LaunchPad, openLaunchPad } from '../src/client/launch/launch-pad.ts';

let folder: string;
let pad: LaunchPad;
let launched: Promise<Launch>;

beforeEach(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), 'turnwire-')));
  let onLaunch: (launch: Launch) => void = () => undefined;
  launched = new Promise((resolve) => (onLaunch = resolve));
  pad = await openLaunchPad(folder, ['other-name'], (launch) => onLaunch(launch));
});

afterEach(async () => {
  await pad[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true });
});

test('the launcher reports its arguments, environment, folder and pid', async () => {
  const child = spawn(pad.path, ['--acp', 'two words'], { cwd: folder, env: { ...process.env, LEVEL: 'high' } });
  const { process: agent } = await launched;
  expect({ args: agent?.args, level: agent?.env['LEVEL'], cwd: agent?.cwd, pid: agent?.pid }).toEqual({
    args: ['--acp', 'two words'],
    level: 'high',
    cwd: folder,
    pid: child.pid,
  });
});

test('the launcher forwards bytes unchanged in both directions', async () => {
  const child = spawn(pad.path);
  const { line } = await launched;
  const received: (string | undefined)[][] = [];
  const over = new Promise<void>((resolve) =>
    line.start({ text: (...args) => void received.push(args), end: () => resolve() }),
  );
  const printed: Buffer[] = [];
  child.stdout.on('data', (chunk: Buffer) => printed.push(chunk));
  child.stdin.end(Buffer.concat([Buffer.from('one\r\n\n'), Buffer.from([0xff, 0x0a]), Buffer.from('rest')]));
  await over;
  const bytes = Buffer.from([...Array(256).keys()]);
  await line.sendBytes?.(bytes);
  line.endInput?.();
  await once(child.stdout, 'end');
  expect({ received, printed: Buffer.concat(printed) }).toEqual({
    received: [
      ['one\r', undefined],
      ['', undefined],
      ['\ufffd', 'not UTF-8'],
      ['rest', 'cut off'],
    ],
    printed: bytes,
  });
});

test('a line of 20 MB arrives completely before the exit that follows it', async () => {
  const child = spawn(pad.path);
  const { line, process: agent } = await launched;
  line.send('x'.repeat(20 * 1024 * 1024));
  agent?.exit(7);
  let length = 0;
  child.stdout.on('data', (chunk: Buffer) => (length += chunk.length));
  const [code] = (await once(child, 'close')) as [number];
  expect({ length, code }).toEqual({ length: 20 * 1024 * 1024 + 1, code: 7 });
});

test('the launcher reports the end of stdin, signals and a kill in order', async () => {
  const child = spawn(pad.path);
  const { process: agent } = await launched;
  const signalled = new Promise<void>((resolve) => agent?.onEvent((event) => void (event === 'SIGTERM' && resolve())));
  const ended = new Promise<void>((resolve) => agent?.onEvent((event) => void (event === 'end of stdin' && resolve())));
  child.stdin.end();
  await ended;
  child.kill('SIGTERM');
  await signalled;
  child.kill('SIGKILL');
  await agent?.gone;
  expect({ events: agent?.events, left: agent?.left }).toEqual({
    events: ['end of stdin', 'SIGTERM', 'gone'],
    left: false,
  });
});

test('the launcher dies from a signal on command', async () => {
  const child = spawn(pad.path);
  const { process: agent } = await launched;
  agent?.die('SIGTERM');
  expect(await once(child, 'exit')).toEqual([null, 'SIGTERM']);
});

test('the launcher can be started under an additional name', async () => {
  spawn(join(folder, 'other-name'), ['tsx', 'agent.ts']);
  expect((await launched).process?.args).toEqual(['tsx', 'agent.ts']);
});

test('the launcher exits when the kit disconnects', async () => {
  const child = spawn(pad.path);
  await launched;
  await pad[Symbol.asyncDispose]();
  expect(await once(child, 'exit')).toEqual([0, null]);
});
