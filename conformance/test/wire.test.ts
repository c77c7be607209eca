import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Transport } from '@turnwire/protocol';
import { memoryPair } from '@turnwire/transports/memory';
import { describe, expect, test } from 'vitest';
import { isRunning } from '../src/agent/fixtures/running-process.ts';
import { startProcessLine } from '../src/wire/process-line.ts';
import { transportLine } from '../src/wire/transport-line.ts';
import { type AnswerLimits, Wire, WireError } from '../src/wire/wire.ts';

/** A wire, its other side, and the lines that the other side received. */
function wireTo(timeout: number | AnswerLimits = 5_000): {
  readonly wire: Wire;
  readonly agent: Transport;
  readonly received: readonly string[];
} {
  const [client, agent] = memoryPair();
  const received: string[] = [];
  agent.start({ frame: (text) => void received.push(text), warning: () => undefined, end: () => undefined });
  return { wire: new Wire(transportLine(client), { plays: 'client', timeout }), agent, received };
}

describe('a wire', () => {
  test('records every line in both directions', async () => {
    const { wire, agent } = wireTo();
    wire.sendText('{');
    await agent.send('noise');
    await expect.poll(() => wire.journal.length).toBe(2);
    expect(wire.journal.map(({ from, text, message }) => ({ from, text, message }))).toEqual([
      { from: 'client', text: '{', message: undefined },
      { from: 'agent', text: 'noise', message: undefined },
    ]);
  });

  test('excludes lines from after we hung up from the judged part', async () => {
    const { wire, agent } = wireTo();
    await agent.send('before');
    await expect.poll(() => wire.journal.length).toBe(1);
    wire.endInput();
    await agent.send('after');
    await expect.poll(() => wire.journal.length).toBe(2);
    expect(wire.talk.map(({ text }) => text)).toEqual(['before']);
  });

  test('waits for initialize with the full timeout after other answers were late', async () => {
    const { wire, agent } = wireTo({ full: 5_000, of: () => ({ milliseconds: 1, note: () => undefined }) });
    const reply = wire.ask('initialize', {}, { id: 1 });
    setTimeout(() => void agent.send('{"jsonrpc":"2.0","id":1,"result":"late"}'), 50);
    expect((await reply).result).toBe('late');
  });

  test('matches an answer only by the identical id', async () => {
    const { wire, agent } = wireTo();
    const reply = wire.ask('any', {}, { id: 1 });
    await agent.send('{"jsonrpc":"2.0","id":"1","result":"of another"}');
    await agent.send('{"jsonrpc":"2.0","id":1,"error":{"code":-32601,"message":"no"}}');
    const { result, error } = await reply;
    expect({ result, error }).toEqual({ result: undefined, error: { code: -32_601, message: 'no' } });
  });

  test('blames the other side for a missing answer', async () => {
    const { wire } = wireTo(20);
    await expect(wire.ask('any', {}, { id: 'a' })).rejects.toMatchObject({
      requirement: 'R019',
      message: 'any was not answered in time',
    });
  });

  test('reports a connection that ended before the answer', async () => {
    const { wire, agent } = wireTo();
    const reply = wire.ask('any', {}, { id: 'a' });
    await agent[Symbol.asyncDispose]();
    await expect(reply).rejects.toThrow('the connection ended before any was answered');
    expect(wire.hasEnded).toBe(true);
  });

  test('answers requests with their handlers, and all others with -32601', async () => {
    const { wire, agent, received } = wireTo();
    wire.handle('good', ({ n }) => ({ n }));
    wire.handle('bad', () => {
      throw new WireError(-32_602, 'no', { n: 1 });
    });
    wire.handle('never', () => undefined);
    for (const method of ['good', 'bad', 'never', 'unknown'])
      await agent.send(JSON.stringify({ jsonrpc: '2.0', id: method, method, params: { n: 5 } }));
    await expect.poll(() => received.length).toBe(3);
    expect(received.map((text) => JSON.parse(text) as unknown)).toEqual([
      { jsonrpc: '2.0', id: 'good', result: { n: 5 } },
      { jsonrpc: '2.0', id: 'bad', error: { code: -32_602, message: 'no', data: { n: 1 } } },
      { jsonrpc: '2.0', id: 'unknown', error: { code: -32_601, message: 'unknown is not offered here' } },
    ]);
  });

  test('stops a scenario that needs bytes on a connection without them', async () => {
    const { wire } = wireTo();
    await expect(wire.sendInPieces(['{}'], (bytes) => [bytes])).rejects.toMatchObject({
      message: 'the connection does not carry raw bytes',
      requirement: undefined,
    });
  });
});

/** A wire to a Node.js program. */
async function wireToProgram(program: string, cwd = tmpdir()): Promise<Wire> {
  const line = await startProcessLine({
    argv: [process.execPath, '-e', program],
    cwd,
    env: { PATH: process.env['PATH'] },
  });
  return new Wire(line, { plays: 'client', timeout: 10_000 });
}

const echo = `process.stdin.on('data', (bytes) => console.log(JSON.stringify({ id: 'read', result: [...bytes] })))`;

describe('a process', () => {
  test('reads the pieces of a line one after the other', async () => {
    const wire = await wireToProgram(echo);
    await wire.sendInPieces(['é'], (bytes) => [bytes.subarray(0, 1), bytes.subarray(1)]);
    await wire.next(({ result }) => Array.isArray(result) && result.includes(10));
    const read = wire.received().flatMap(({ message }) => message['result']);
    await wire.close();
    expect(read).toEqual([...Buffer.from('é\n')]);
  });

  test('is read to its end after its stdin was closed', async () => {
    const wire = await wireToProgram(`process.stdin.resume().on('end', () => console.log('{"id":"last","result":0}'))`);
    wire.line.endInput?.();
    const last = await wire.next(({ id }) => id === 'last');
    expect({ text: last?.text, exit: await wire.line.process?.exited }).toEqual({
      text: '{"id":"last","result":0}',
      exit: { code: 0, signal: null },
    });
    await wire.close();
  });

  test('that crashed is quoted', async () => {
    const wire = await wireToProgram(`console.error('out of luck'); process.exit(3)`);
    await wire.line.process?.exited;
    await wire.next(() => false);
    await expect(wire.ask('any', {}, { id: 1 })).rejects.toThrow('its last output is: out of luck');
    await wire.close();
  });

  test('that reported its crash only after it closed stdout is quoted', async () => {
    const says = `require('node:fs').closeSync(1); setTimeout(() => console.error('out of luck'), 50)`;
    const wire = await wireToProgram(says);
    await expect(wire.ask('any', {}, { id: 1 })).rejects.toThrow('its last output is: out of luck');
    await wire.close();
  });

  test('is killed with its child processes when it is closed', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'turnwire-wire-'));
    const program = `
      const { spawn } = require('node:child_process');
      const { pid } = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'ignore' });
      require('node:fs').writeFileSync('child.pid', String(pid));
      console.log('{"id":"started","result":0}');
      process.on('SIGTERM', () => {});
      setInterval(() => {}, 1000);`;
    const wire = await wireToProgram(program, folder);
    await wire.next(({ id }) => id === 'started');
    const pid = Number(await readFile(join(folder, 'child.pid'), 'utf8'));
    await wire.close();
    await expect.poll(() => isRunning(pid)).toBe(false);
    await rm(folder, { recursive: true });
  });
});
