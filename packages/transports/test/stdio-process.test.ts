import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { stdioTransport } from '@turnwire/transports/stdio';
import { describe, expect, test } from 'vitest';
import type { Child } from './child.ts';
import { exitOf, fixtureCommand, spawnFixture, textOf } from './child.ts';
import { Recorder } from '@turnwire/transports/contract';
import { within } from '../../../tools/pace.ts';

const end = { end: null };

function spawnScript(script: string): Child {
  return spawn(process.execPath, ['-e', script], { stdio: ['pipe', 'pipe', 'pipe'] });
}

function listenTo(
  child: Child,
  flushTimeout = within(10_000),
): { transport: ReturnType<typeof stdioTransport>; recorder: Recorder } {
  const recorder = new Recorder();
  const transport = stdioTransport({ input: child.stdout, output: child.stdin, noise: 'report', flushTimeout });
  transport.start(recorder);
  return { transport, recorder };
}

async function stop(child: Child): Promise<void> {
  child.kill('SIGKILL');
  await exitOf(child);
}

describe('a process on the other side', () => {
  test('that dies in the middle of a frame is reported as truncated, then the connection ends', async () => {
    const child = spawnScript(
      `process.stdout.write('{"a":1}\\n{"b":', () => setTimeout(() => process.kill(process.pid, 'SIGKILL'), 50))`,
    );
    const { recorder } = listenTo(child);
    await recorder.untilEnd();
    expect(recorder.received).toEqual([
      { frame: '{"a":1}' },
      { warning: { kind: 'truncated', bytes: 5, excerpt: '{"b":' } },
      end,
    ]);
    await exitOf(child);
  });

  test('that closes its stdout but keeps running ends the connection', async () => {
    const child = spawnScript(
      `process.stdout.write('{"a":1}\\n', () => require('fs').closeSync(1)); setInterval(() => {}, 1000)`,
    );
    const { recorder } = listenTo(child);
    await recorder.untilEnd();
    expect({ received: recorder.received, exitCode: child.exitCode }).toEqual({
      received: [{ frame: '{"a":1}' }, end],
      exitCode: null,
    });
    await stop(child);
  });

  test('that stops reading but keeps running ends the connection with a reason', async () => {
    const child = spawnScript(
      `require('fs').closeSync(0); process.stdout.write('{"deaf":true}\\n'); setInterval(() => {}, 1000)`,
    );
    const { transport, recorder } = listenTo(child, 100);
    await recorder.untilFrames(1);
    void transport.send('{"do you receive me":1}');
    await recorder.untilEnd();
    expect(recorder.received).toEqual([
      { frame: '{"deaf":true}' },
      { end: 'connection-closed: writing to the peer failed: write EPIPE' },
    ]);
    expect(transport.send('{}')).toBeUndefined();
    await transport.close();
    await stop(child);
  });

  test('that stops reading is still received to the end', async () => {
    const child = spawnScript(
      `require('fs').closeSync(0); process.stdout.write('{"deaf":true}\\n');
       setTimeout(() => process.stdout.write('{"last":"word"}\\n'), 200)`,
    );
    const { transport, recorder } = listenTo(child);
    await recorder.untilFrames(1);
    void transport.send('{"do you receive me":1}');
    await recorder.untilEnd();
    expect(recorder.received).toEqual([
      { frame: '{"deaf":true}' },
      { frame: '{"last":"word"}' },
      { end: 'connection-closed: writing to the peer failed: write EPIPE' },
    ]);
    await exitOf(child);
  });

  test('that has exited is received whole by a busy or late receiver', async () => {
    // Few writes: each one takes space in the pipe, and the test waits for the exit of the process, which must not block on the pipe.
    const script = `const lines = Array.from({ length: 2000 }, (_, index) => '{"index":' + index + '}\\n');
      process.stdout.write(lines[0]);
      setTimeout(() => { for (let i = 1; i < 2000; i += 200) process.stdout.write(lines.slice(i, i + 200).join('')) }, 20)`;
    const expected = [...Array.from({ length: 2000 }, (_, index) => ({ frame: `{"index":${index}}` })), end];

    const busy = spawnScript(script);
    const { recorder } = listenTo(busy);
    recorder.answer = (text) => (text === '{"index":0}' ? exitOf(busy).then(() => delay(50)) : undefined);
    await recorder.untilEnd();
    expect(recorder.received).toEqual(expected);

    const late = spawnScript(script);
    const transport = stdioTransport({ input: late.stdout, output: late.stdin });
    await exitOf(late);
    await delay(50);
    const lateRecorder = new Recorder();
    transport.start(lateRecorder);
    await lateRecorder.untilEnd();
    expect(lateRecorder.received).toEqual(expected);
  });

  test('that floods 20,000 lines of noise before the start does not block the next frame', async () => {
    const child = spawnScript(
      `process.stdout.write('warning: something\\n'.repeat(20000) + '{"a":1}\\n');
       process.stdin.on('data', (data) => process.stdout.write(data)).on('end', () => process.exit())`,
    );
    const recorder = new Recorder();
    const transport = stdioTransport({ input: child.stdout, output: child.stdin, noise: 'report' });
    await transport.send('{"b":2}');
    await delay(200);
    transport.start(recorder);
    await recorder.untilFrames(2);
    const noise = { warning: { kind: 'noise', bytes: 18, excerpt: 'warning: something' } };
    expect(recorder.received).toEqual([
      ...Array<unknown>(20_000).fill(noise),
      { frame: '{"a":1}' },
      { frame: '{"b":2}' },
    ]);
    await transport[Symbol.asyncDispose]();
    await exitOf(child);
  });

  test('that never reads does not block close', async () => {
    const child = spawnScript('setInterval(() => {}, 1000)');
    const { transport } = listenTo(child, 50);
    for (let index = 0; index < 100; index += 1) void transport.send(`{"text":"${'x'.repeat(100_000)}"}`);
    await transport.close();
    expect(child.exitCode).toBeNull();
    await stop(child);
  });

  test('that never reads ends the connection at the limit', async () => {
    const child = spawnScript('setInterval(() => {}, 1000)');
    const recorder = new Recorder();
    const transport = stdioTransport({ input: child.stdout, output: child.stdin, maxBufferedBytes: 1_000_000 });
    transport.start(recorder);
    const frame = `{"text":"${'x'.repeat(99_000)}"}`;
    for (let index = 0; index < 100; index += 1) void transport.send(frame);
    expect(recorder.received).toEqual([]);
    await recorder.untilEnd();
    expect(recorder.received).toEqual([
      {
        end: expect.stringMatching(
          /^limit-exceeded: \d{7} bytes wait for a peer that does not read, more than maxBufferedBytes \(1000000\)/,
        ),
      },
    ]);
    expect({ sent: transport.send(frame), isCut: child.stdin.destroyed }).toEqual({ sent: undefined, isCut: true });
    await transport.close();
    await stop(child);
  });
});

describe('a served agent', () => {
  test('may print anything: only frames reach stdout', async () => {
    const child = spawnFixture('chatty-agent');
    child.stdin.end('{"a":1}\n{"b":2}\n');
    const [stdout, stderr] = await Promise.all([textOf(child.stdout), textOf(child.stderr)]);
    expect(stdout).toBe('{"a":1}\n{"b":2}\n');
    const kinds = ['log', 'info', 'debug', 'table', 'group', 'count', 'time', 'warn', 'error', 'trace', 'own', 'write'];
    const printed = kinds.map((kind) => [kind, stderr.match(new RegExp(`stray[ ]${kind}`, 'g'))?.length ?? 0]);
    const perChatter = (kind: string): number => (kind === 'table' ? 0 : 4);
    expect(printed).toEqual(kinds.map((kind) => [kind, perChatter(kind)]));
    expect(stderr).toMatch(/\ntimers: 0, restored: true\n$/);
    expect(await exitOf(child)).toBe(0);
  });

  test('may print after its stderr has lost its reader', async () => {
    const child = spawnFixture('chatty-agent');
    child.stderr.destroy();
    await delay(50);
    child.stdin.end('{"a":1}\n{"b":2}\n');
    expect(await textOf(child.stdout)).toBe('{"a":1}\n{"b":2}\n');
    expect(await exitOf(child)).toBe(0);
  });

  test('writes to a file as well', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'turnwire-stdout-'));
    const file = openSync(join(folder, 'out'), 'w');
    const [command, args] = fixtureCommand('chatty-agent');
    const child = spawn(command, args, { stdio: ['pipe', file, 'pipe'] });
    closeSync(file);
    child.stdin?.end('{"a":1}\n{"b":2}\n');
    child.stderr?.resume();
    await once(child, 'close');
    expect(readFileSync(join(folder, 'out'), 'utf8')).toBe('{"a":1}\n{"b":2}\n');
    rmSync(folder, { recursive: true });
  });

  test.each(['awaits', 'never awaits'])('whose client has gone and which %s exits silently', async (awaits) => {
    const child = spawnFixture('tireless-agent', awaits);
    await once(child.stdout, 'data');
    child.stdout.destroy();
    expect(JSON.parse(await textOf(child.stderr))).toMatchObject({ end: 'connection-closed', failures: [] });
    expect(await exitOf(child)).toBe(0);
  });

  test('whose client never reads stays alive, and ends the connection at the limit', async () => {
    const child = spawnFixture('tireless-agent', 'never awaits', '8000000');
    expect(JSON.parse(await textOf(child.stderr))).toEqual({ end: 'limit-exceeded', failures: [], wasAlive: true });
    expect(await exitOf(child)).toBe(0);
  });
});

describe('reading', () => {
  test('stops while the receiver is busy, except for the rest of a chunk', async () => {
    const input = new PassThrough({ highWaterMark: 1 });
    const recorder = new Recorder();
    const gates: (() => void)[] = [];
    recorder.answer = () => new Promise((resolve) => gates.push(resolve));
    stdioTransport({ input, output: new PassThrough() }).start(recorder);
    const chunk = '{"a":1}\n{"b":2}\n';
    for (let index = 0; index < 100; index += 1) input.write(chunk);
    await delay(20);
    expect(recorder.received).toEqual([{ frame: '{"a":1}' }]);
    expect(input.readableLength + input.writableLength).toBeGreaterThanOrEqual(98 * chunk.length);
    recorder.answer = () => undefined;
    for (const open of gates) open();
    await recorder.untilFrames(200);
    expect(recorder.frames).toEqual(
      Array.from({ length: 200 }, (_, index) => (index % 2 === 0 ? '{"a":1}' : '{"b":2}')),
    );
  });
});

describe('writing', () => {
  /** A stream that accepts everything at once and records the writes. */
  function rememberWrites(): { output: PassThrough; writes: string[] } {
    const writes: string[] = [];
    const output = new PassThrough();
    output.on('data', (chunk: Buffer) => writes.push(chunk.toString()));
    return { output, writes };
  }

  test('sends frames queued in one tick in one write', async () => {
    const { output, writes } = rememberWrites();
    const transport = stdioTransport({ input: new PassThrough(), output });
    for (const frame of ['{"a":1}', '{"b":2}', '{"c":3}']) void transport.send(frame);
    expect(writes).toEqual([]);
    await delay(1);
    void transport.send('{"d":4}');
    await delay(1);
    expect(writes).toEqual(['{"a":1}\n{"b":2}\n{"c":3}\n', '{"d":4}\n']);
  });

  test('sends frames from handlers that answer in microtasks in one write', async () => {
    const { output, writes } = rememberWrites();
    const transport = stdioTransport({ input: new PassThrough(), output });
    const answer = async (id: number): Promise<void> => {
      for (let turn = 0; turn < id; turn += 1) await Promise.resolve();
      void transport.send(`{"id":${id}}`);
    };
    await Promise.all([1, 2, 3].map(answer));
    await delay(1);
    expect(writes).toEqual(['{"id":1}\n{"id":2}\n{"id":3}\n']);
  });

  test('sends 64 KiB at once, within the tick', () => {
    const { output, writes } = rememberWrites();
    const transport = stdioTransport({ input: new PassThrough(), output });
    const frame = `{"text":"${'x'.repeat(30_000)}"}`;
    for (let index = 0; index < 4; index += 1) void transport.send(frame);
    expect(writes).toEqual([`${frame}\n${frame}\n${frame}\n`]);
  });

  test("is not redirected by code that replaces the stream's write later", async () => {
    const { output, writes } = rememberWrites();
    const transport = stdioTransport({ input: new PassThrough(), output });
    const strays: unknown[] = [];
    output.write = (chunk: unknown) => strays.push(chunk) > 0;
    void transport.send('{"a":1}');
    output.write('stray');
    await transport.close();
    expect({ writes, strays }).toEqual({ writes: ['{"a":1}\n'], strays: ['stray'] });
  });

  test('to a stream that other code ended ends the connection with a reason', async () => {
    const output = new PassThrough();
    const recorder = new Recorder();
    const transport = stdioTransport({ input: new PassThrough(), output, flushTimeout: 20 });
    transport.start(recorder);
    output.end();
    await recorder.untilEnd();
    expect(recorder.received).toEqual([
      { end: 'connection-closed: writing to the peer failed: the stream was ended by other code' },
    ]);
    expect(transport.send('{}')).toBeUndefined();
  });

  test('to streams destroyed before use ends the connection', async () => {
    const input = new PassThrough().destroy();
    const output = new PassThrough().destroy();
    const recorder = new Recorder();
    const transport = stdioTransport({ input, output });
    void transport.send('{}');
    transport.start(recorder);
    await recorder.untilEnd();
    await transport[Symbol.asyncDispose]();
    expect(recorder.received).toEqual([
      { end: 'connection-closed: reading from the peer failed: the stream was closed before its end' },
    ]);
  });

  test('to a stream that fails ends the connection with its error', async () => {
    const input = new PassThrough();
    const recorder = new Recorder();
    const transport = stdioTransport({ input, output: new PassThrough() });
    transport.start(recorder);
    input.write('{"a":1}\n{"b"');
    await recorder.untilFrames(1);
    input.destroy(new Error('read ECONNRESET'));
    await recorder.untilEnd();
    expect(recorder.received).toEqual([
      { frame: '{"a":1}' },
      { warning: { kind: 'truncated', bytes: 4, excerpt: '{"b"' } },
      { end: 'connection-closed: reading from the peer failed: read ECONNRESET' },
    ]);
  });
});
