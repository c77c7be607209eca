import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Transport } from '@turnwire/protocol';
import { memoryPair } from '@turnwire/transports/memory';
import { describe, expect, test } from 'vitest';
import { isRunning } from '../src/agent/pieces/running-process.ts';
import { startProcessLine } from '../src/wire/process-line.ts';
import { transportLine } from '../src/wire/transport-line.ts';
import { Wire, WireError } from '../src/wire/wire.ts';

/** A wire, and the other side of it: what it says, and what it has heard. */
function wireTo(patience = 5_000): {
  readonly wire: Wire;
  readonly agent: Transport;
  readonly heard: readonly string[];
} {
  const [client, agent] = memoryPair();
  const heard: string[] = [];
  agent.start({ frame: (text) => void heard.push(text), warning: () => undefined, end: () => undefined });
  return { wire: new Wire(transportLine(client), { plays: 'client', patience }), agent, heard };
}

describe('a wire', () => {
  test('keeps everything, both ways, whatever it is', async () => {
    const { wire, agent } = wireTo();
    wire.sendText('{');
    await agent.send('noise');
    await expect.poll(() => wire.journal.length).toBe(2);
    expect(wire.journal.map(({ from, text, message }) => ({ from, text, message }))).toEqual([
      { from: 'client', text: '{', message: undefined },
      { from: 'agent', text: 'noise', message: undefined },
    ]);
  });

  test('has no part in what the other side says after we hung up', async () => {
    const { wire, agent } = wireTo();
    await agent.send('before');
    await expect.poll(() => wire.journal.length).toBe(1);
    wire.endInput();
    await agent.send('after');
    await expect.poll(() => wire.journal.length).toBe(2);
    expect(wire.talk.map(({ text }) => text)).toEqual(['before']);
  });

  test('takes the answer with the very id for the answer', async () => {
    const { wire, agent } = wireTo();
    const reply = wire.ask('any', {}, { id: 1 });
    await agent.send('{"jsonrpc":"2.0","id":"1","result":"of another"}');
    await agent.send('{"jsonrpc":"2.0","id":1,"error":{"code":-32601,"message":"no"}}');
    const { result, error } = await reply;
    expect({ result, error }).toEqual({ result: undefined, error: { code: -32_601, message: 'no' } });
  });

  test('holds it against the other side when there is no answer', async () => {
    const { wire } = wireTo(20);
    await expect(wire.ask('any', {}, { id: 'a' })).rejects.toMatchObject({
      requirement: 'R019',
      message: 'any was not answered in time',
    });
  });

  test('says so when the connection ends before the answer', async () => {
    const { wire, agent } = wireTo();
    const reply = wire.ask('any', {}, { id: 'a' });
    await agent[Symbol.asyncDispose]();
    await expect(reply).rejects.toThrow('the connection ended before any was answered');
    expect(wire.hasEnded).toBe(true);
  });

  test('answers requests with what was set, and everything else with -32601', async () => {
    const { wire, agent, heard } = wireTo();
    wire.handle('good', ({ n }) => ({ n }));
    wire.handle('bad', () => {
      throw new WireError(-32_602, 'no', { n: 1 });
    });
    wire.handle('never', () => undefined);
    for (const method of ['good', 'bad', 'never', 'unknown'])
      await agent.send(JSON.stringify({ jsonrpc: '2.0', id: method, method, params: { n: 5 } }));
    await expect.poll(() => heard.length).toBe(3);
    expect(heard.map((text) => JSON.parse(text) as unknown)).toEqual([
      { jsonrpc: '2.0', id: 'good', result: { n: 5 } },
      { jsonrpc: '2.0', id: 'bad', error: { code: -32_602, message: 'no', data: { n: 1 } } },
      { jsonrpc: '2.0', id: 'unknown', error: { code: -32_601, message: 'unknown is not offered here' } },
    ]);
  });

  test('stops a scenario that needs bytes where there are none', async () => {
    const { wire } = wireTo();
    await expect(wire.sendInPieces(['{}'], (bytes) => [bytes])).rejects.toMatchObject({
      message: 'there are no bytes on this connection',
      requirement: undefined,
    });
  });
});

/** A wire to a program of Node. */
async function wireToProgram(program: string, cwd = tmpdir()): Promise<Wire> {
  const line = await startProcessLine({
    words: [process.execPath, '-e', program],
    cwd,
    env: { PATH: process.env['PATH'] },
  });
  return new Wire(line, { plays: 'client', patience: 10_000 });
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

  test('is heard to its end after its stdin ended', async () => {
    const wire = await wireToProgram(`process.stdin.resume().on('end', () => console.log('{"id":"last","result":0}'))`);
    wire.line.endInput?.();
    const last = await wire.next(({ id }) => id === 'last');
    expect({ text: last?.text, exit: await wire.line.process?.exited }).toEqual({
      text: '{"id":"last","result":0}',
      exit: { code: 0, signal: null },
    });
    await wire.close();
  });

  test('that died is quoted', async () => {
    const wire = await wireToProgram(`console.error('out of luck'); process.exit(3)`);
    await wire.line.process?.exited;
    await wire.next(() => false);
    await expect(wire.ask('any', {}, { id: 1 })).rejects.toThrow('the last it said is: out of luck');
    await wire.close();
  });

  test('that said why it died only behind its last answer is quoted too', async () => {
    const says = `require('node:fs').closeSync(1); setTimeout(() => console.error('out of luck'), 50)`;
    const wire = await wireToProgram(says);
    await expect(wire.ask('any', {}, { id: 1 })).rejects.toThrow('the last it said is: out of luck');
    await wire.close();
  });

  test('takes what it started with it when it is closed', async () => {
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
