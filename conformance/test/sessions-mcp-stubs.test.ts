import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { httpStub } from '../src/mcp/http-stub.ts';
import { areConnected, type StdioStub, stdioStub } from '../src/mcp/stdio-stub.ts';

let folder = '';
beforeEach(async () => void (folder = await mkdtemp(join(tmpdir(), 'turnwire-stubs-'))));
afterEach(() => rm(folder, { recursive: true, force: true }));

const initialize = { jsonrpc: '2.0', id: 0, method: 'initialize', params: { protocolVersion: '2025-03-26' } };
const noWay = (id: number): object => ({ jsonrpc: '2.0', id, method: 'no/way' });
const identity = { serverInfo: { name: 'stub', version: '1.0.0' }, capabilities: { tools: {} } };

/** Starts a server from its configuration, and sends lines to it. */
async function talk({ entry }: StdioStub, lines: readonly string[]): Promise<{ code: unknown; said: unknown[] }> {
  const { command, args, env } = entry as {
    readonly command: string;
    readonly args: readonly string[];
    readonly env: readonly { readonly name: string; readonly value: string }[];
  };
  const own = Object.fromEntries(env.map(({ name, value }) => [name, value]));
  const child = spawn(command, args, { env: own, stdio: ['pipe', 'pipe', 'ignore'] });
  child.stdin.on('error', () => undefined).end(lines.map((line) => `${line}\n`).join(''));
  const exit = once(child, 'exit');
  const said = (await text(child.stdout)).split('\n').filter((line) => line !== '');
  return { code: (await exit)[0], said: said.map((line) => JSON.parse(line) as unknown) };
}

describe('a server on stdio', () => {
  test('answers, and records its start and its connections', async () => {
    const stub = stdioStub('one', folder, { secret: 'a secret' });
    const before = { started: await stub.started(), connections: await stub.connections() };
    const lines = [initialize, { jsonrpc: '2.0', method: 'notifications/initialized' }, noWay(1)];
    const talked = await talk(stub, ['no JSON', ...lines.map((line) => JSON.stringify(line))]);
    expect({ before, talked, started: await stub.started(), connections: await stub.connections() }).toEqual({
      before: { started: undefined, connections: 0 },
      talked: {
        code: 0,
        said: [
          { jsonrpc: '2.0', id: 0, result: { protocolVersion: '2025-03-26', ...identity } },
          { jsonrpc: '2.0', id: 1, error: { code: -32601, message: 'no/way is not offered here' } },
        ],
      },
      started: {
        args: ['serve', 'two words', ''],
        secret: 'a secret',
        hasPath: false,
        pid: expect.any(Number),
      },
      connections: 1,
    });
  });

  test('can fail to start', async () => {
    const stub = stdioStub('one', folder, { secret: 'a secret', fails: true });
    const talked = await talk(stub, [JSON.stringify(initialize)]);
    expect({ talked, connections: await stub.connections() }).toEqual({
      talked: { code: 1, said: [] },
      connections: 0,
    });
  });

  test('is reported as connected or not within a time limit', async () => {
    const stubs = ['one', 'two'].map((name) => stdioStub(name, folder, { secret: '' }));
    await talk(stubs[0] as StdioStub, [JSON.stringify(initialize)]);
    const met = await Promise.all([areConnected(stubs.slice(0, 1), 0), areConnected(stubs, 0)]);
    expect(met).toEqual([true, false]);
  });
});

describe('a server on HTTP', () => {
  const post = async (url: unknown, body: object, headers = {}): Promise<unknown> => {
    const response = await fetch(String(url), { method: 'POST', body: JSON.stringify(body), headers });
    const said = await response.text();
    return { status: response.status, said: said === '' ? undefined : (JSON.parse(said) as unknown) };
  };

  test('answers over streamable HTTP, and records its header', async () => {
    await using stub = await httpStub('a secret');
    const { url, headers } = stub.entries.http as {
      readonly url: string;
      readonly headers: readonly { name: string }[];
    };
    const [named] = headers;
    const said = [
      await post(url, initialize, { [String(named?.name)]: 'a secret' }),
      await post(url, { jsonrpc: '2.0', method: 'notifications/initialized' }),
      await post(url, noWay(1)),
      (await fetch(url)).status,
    ];
    expect({ said, visits: stub.visits('http'), others: stub.visits('sse') }).toEqual({
      said: [
        { status: 200, said: { jsonrpc: '2.0', id: 0, result: { protocolVersion: '2025-03-26', ...identity } } },
        { status: 202, said: undefined },
        {
          status: 200,
          said: { jsonrpc: '2.0', id: 1, error: { code: -32601, message: 'this method is not offered here' } },
        },
        405,
      ],
      visits: [{ secret: 'a secret' }, { secret: undefined }, { secret: undefined }, { secret: undefined }],
      others: [],
    });
  });

  test('answers over server-sent events', async () => {
    await using stub = await httpStub('a secret');
    const url = String(stub.entries.sse['url']);
    const reader = (await fetch(url)).body?.pipeThrough(new TextDecoderStream()).getReader();
    const first = await reader?.read();
    const posted = await post(new URL('/sse/messages', url), { jsonrpc: '2.0', id: 3, method: 'ping' });
    const second = await reader?.read();
    await reader?.cancel();
    expect([first?.value, posted, second?.value]).toEqual([
      'event: endpoint\ndata: /sse/messages\n\n',
      { status: 202, said: undefined },
      'event: message\ndata: {"jsonrpc":"2.0","id":3,"result":{}}\n\n',
    ]);
  });
});
