import { execFile, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import {
  TurnwireError,
  connectClient,
  type ExtensionMethod,
  type Handlers,
  type Params,
  ProtocolError,
  type RequestMethod,
} from '@turnwire/protocol';
import { stdioTransport } from '@turnwire/transports/stdio';
import { expect, test } from 'vitest';
import { bundleProgram } from '../../../../tools/bundle-program.mjs';
import { outcome, until } from '../peer/test-wire.ts';
import { expectedRun } from './expected-run.ts';

const fixture = (name: string): string => fileURLToPath(new URL(`fixtures/${name}`, import.meta.url));

/** Ours is run from its source; the official SDK as it is installed. */
const commands = {
  'our peer': [bundleProgram(fixture('our-agent.mjs'))],
  'the official SDK': [fixture('official-agent.mjs')],
} as const;

test.each(['the official SDK', 'our peer'] as const)(
  'our client gets the expected updates, requests and results from an agent made with %s',
  async (name) => {
    expect(await drive(commands[name])).toEqual(expectedRun);
  },
);

test.each(['the official SDK', 'our peer'] as const)(
  'the official client gets the expected updates, requests and results from an agent made with %s',
  async (name) => {
    const { stdout } = await promisify(execFile)(process.execPath, [
      fixture('official-client.mjs'),
      process.execPath,
      ...commands[name],
    ]);
    expect(JSON.parse(stdout)).toEqual(expectedRun);
  },
);

/** What our client peer sees of an agent that runs as a child process. */
async function drive(command: readonly string[]): Promise<unknown> {
  const child = spawn(process.execPath, command, { stdio: ['pipe', 'pipe', 'inherit'] });
  const exited = new Promise<number | null>((resolve) => child.once('exit', resolve));
  const updates: Params<'session/update'>['update'][] = [];
  const asked: [string, unknown][] = [];
  const results: [string, unknown][] = [];
  const peer = connectClient(
    stdioTransport({ input: child.stdout, output: child.stdin, noise: 'report' }),
    clientHandlers(updates, asked),
  );

  const call = async (
    method: RequestMethod<'agent'> | ExtensionMethod,
    params: unknown,
    signal?: AbortSignal,
  ): Promise<void> => {
    const result = await peer.request(method as '_', params, { signal }).catch((error: unknown) => wireError(error));
    results.push([method, result]);
  };
  const said = (text: string): Promise<void> =>
    until(() =>
      updates.some(
        (update) =>
          update.sessionUpdate === 'agent_message_chunk' &&
          update.content.type === 'text' &&
          update.content.text === text,
      ),
    );
  const prompt = (text: string, signal?: AbortSignal): Promise<void> =>
    call('session/prompt', { sessionId: 's1', prompt: [{ type: 'text', text }] }, signal);

  await call('initialize', {
    protocolVersion: 1,
    clientCapabilities: { fs: { readTextFile: true, writeTextFile: true }, terminal: true },
    clientInfo: { name: 'driver', version: '1' },
  });
  await call('session/new', { cwd: '/', mcpServers: [{ name: 'm', command: '/m', args: [], env: [] }] });
  await until(() => updates.length > 0);
  await prompt('work');
  const waiting = prompt('wait');
  await said('waiting');
  await peer.notify('session/cancel', { sessionId: 's1' });
  await waiting;
  const cancellation = new AbortController();
  const slow = prompt('slow', cancellation.signal);
  await said('slowly');
  cancellation.abort();
  await slow;
  await prompt('fail');
  await call('session/load', { sessionId: 's1', cwd: '/', mcpServers: [] });
  await call('session/load', { sessionId: 'nobody', cwd: '/', mcpServers: [] });
  await call('session/list', {});
  await call('session/set_mode', { sessionId: 's1', modeId: 'code' });
  await call('session/set_mode', { sessionId: 's1', modeId: 'nothing' });
  await call('session/set_config_option', { sessionId: 's1', configId: 'model', value: 'big' });
  await call('_echo', { a: [1, null] });
  await call('_nobody/knows', {});
  await peer.notify('_note', { b: 2 });
  await until(() => asked.some(([method]) => method === '_noted'));
  await peer.close();
  return { updates, asked, results, exitCode: await exited };
}

function clientHandlers(updates: unknown[], asked: [string, unknown][]): Handlers<'client'> {
  const answering =
    <T>(method: string, result: T) =>
    (params: unknown): T => {
      asked.push([method, params]);
      return result;
    };
  return {
    'session/update': ({ update }) => void updates.push(update),
    'session/request_permission': answering('session/request_permission', {
      outcome: { outcome: 'selected', optionId: 'yes' },
    } as const),
    'fs/read_text_file': answering('fs/read_text_file', { content: 'second line' }),
    'fs/write_text_file': answering('fs/write_text_file', {}),
    'terminal/create': answering('terminal/create', { terminalId: 'term1' }),
    'terminal/wait_for_exit': answering('terminal/wait_for_exit', { exitCode: 0, signal: null }),
    'terminal/output': answering('terminal/output', { output: 'hi\n', truncated: false, exitStatus: { exitCode: 0 } }),
    'terminal/kill': answering('terminal/kill', {}),
    'terminal/release': answering('terminal/release', {}),
    _echo: (params) => params,
    _noted: (params) => void asked.push(['_noted', params]),
  };
}

/** What the agent answered. Our peer tells a cancel that was honoured from an error by an error of its own. */
function wireError(error: unknown): unknown {
  if (error instanceof ProtocolError) return { code: error.code, message: error.message, data: error.data };
  if (error instanceof TurnwireError && error.code === 'cancelled')
    return { code: -32800, message: 'Request cancelled' };
  throw error;
}

test('an agent answers three piped requests and exits with code 0 when its input ends', async () => {
  const child = spawn(process.execPath, commands['our peer'], { stdio: ['pipe', 'pipe', 'inherit'] });
  const frames = [
    { jsonrpc: '2.0', id: 1, method: 'initialize', params: { protocolVersion: 1 } },
    { jsonrpc: '2.0', id: 2, method: '_nobody/knows' },
    { jsonrpc: '2.0', id: 3, method: 'session/list', params: {} },
  ];
  child.stdin.end(frames.map((frame) => `${JSON.stringify(frame)}\n`).join(''));
  let text = '';
  for await (const part of child.stdout.setEncoding('utf8')) text += part as string;
  const lines = text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { id: unknown });
  expect(lines.map(({ id }) => id)).toEqual([1, 2, 3]);
  expect(
    await outcome(
      new Promise((resolve) => (child.exitCode === null ? child.once('exit', resolve) : resolve(child.exitCode))),
    ),
  ).toEqual({ resolved: 0 });
});
