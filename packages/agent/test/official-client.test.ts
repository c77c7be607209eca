import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable, Writable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { client, methods, ndJsonStream } from '@agentclientprotocol/sdk';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { bundleProgram } from '../../../tools/bundle-program.mjs';
import { numbered } from './agent-pair.ts';

const program = fileURLToPath(new URL('fixtures/full-agent.mts', import.meta.url));
let folder = '';

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'full-agent-'));
});

afterEach(() => rm(folder, { recursive: true, force: true }));

/** The full agent in a process of its own, driven by the client of the official SDK. */
async function drive<Value>(work: (agent: Driven) => Promise<Value>): Promise<Value> {
  const words = [bundleProgram(program), join(folder, 'sessions')];
  const child = spawn(process.execPath, words, { stdio: ['pipe', 'pipe', 'pipe'] });
  let complaints = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (complaints += text));
  const exited = once(child, 'exit');
  const updates: Record<string, unknown>[] = [];
  const app = client({ name: 'driver' })
    .onNotification(methods.client.session.update, ({ params }) => void updates.push(params.update))
    .onRequest('session/request_permission', () => ({ outcome: { outcome: 'selected', optionId: 'allow_once' } }));
  const stream = ndJsonStream(Writable.toWeb(child.stdin), Readable.toWeb(child.stdout) as ReadableStream<Uint8Array>);
  try {
    return await app.connectWith(stream, async (agent) => {
      const call = (method: string, params: object): Promise<unknown> =>
        agent.request(method as never, params as never);
      const kill = async (): Promise<void> => {
        child.kill('SIGKILL');
        await exited;
      };
      await call('initialize', { protocolVersion: 1, clientCapabilities: {} });
      const value = await work({
        call,
        updates,
        kill,
        notify: (method, params) => agent.notify(method as never, params as never),
      });
      expect(complaints).toBe('');
      return value;
    });
  } finally {
    child.kill('SIGKILL');
    await exited;
  }
}

interface Driven {
  readonly call: (method: string, params: object) => Promise<unknown>;
  readonly notify: (method: string, params: object) => Promise<void>;
  readonly kill: () => Promise<void>;
  readonly updates: Record<string, unknown>[];
}

const begin = { cwd: '/', mcpServers: [] };
const ask = (sessionId: string, text: string): object => ({ sessionId, prompt: [{ type: 'text', text }] });
const said = (updates: readonly Record<string, unknown>[]): unknown[] =>
  updates.flatMap(({ sessionUpdate, content }) =>
    sessionUpdate === 'agent_message_chunk' ? [(content as { text: string }).text] : [],
  );

test('the official client goes through login, modes, options, prompts, list, resume, close and delete', async () => {
  const sessionId = await drive(async ({ call, updates }) => {
    await expect(call('session/new', begin)).rejects.toMatchObject({ code: -32000 });
    expect(await call('authenticate', { methodId: 'key' })).toEqual({});
    const created = (await call('session/new', begin)) as { sessionId: string; configOptions: { id: string }[] };
    const id = created.sessionId;
    expect(created.configOptions.map((option) => option.id)).toEqual(['mode', 'model']);
    await call('session/set_mode', { sessionId: id, modeId: 'ask' });
    await call('session/set_config_option', { sessionId: id, configId: 'model', value: 'large' });
    expect(await call('session/prompt', ask(id, 'one'))).toEqual({ stopReason: 'end_turn' });
    expect(said(updates)).toEqual(['ask large 1']);
    expect(updates.map(({ sessionUpdate }) => sessionUpdate)).toEqual([
      'available_commands_update',
      'current_mode_update',
      'config_option_update',
      'tool_call',
      'tool_call_update',
      'session_info_update',
      'agent_message_chunk',
    ]);
    return id;
  });
  await drive(async ({ call, updates }) => {
    await call('authenticate', { methodId: 'key' });
    expect(await call('session/list', {})).toMatchObject({ sessions: [{ sessionId, cwd: '/', title: '1 prompts' }] });
    await call('session/resume', { sessionId, cwd: '/', mcpServers: [] });
    await call('session/prompt', ask(sessionId, 'two'));
    expect(said(updates)).toEqual(['ask large 2']);
    await call('session/close', { sessionId });
    await call('session/delete', { sessionId });
    expect(await call('session/list', {})).toEqual({ sessions: [] });
    expect(await call('logout', {})).toEqual({});
    await expect(call('session/new', begin)).rejects.toMatchObject({ code: -32000 });
  });
  expect(await readdir(join(folder, 'sessions'))).toEqual([]);
});

test('after a kill in the middle of a turn the official client gets all sent updates and a report of the interruption', async () => {
  let sessionId = '';
  const killed = drive(async ({ call, kill }) => {
    await call('authenticate', { methodId: 'key' });
    ({ sessionId } = (await call('session/new', begin)) as { sessionId: string });
    await call('session/prompt', ask(sessionId, 'one'));
    void call('session/prompt', ask(sessionId, 'hang')).catch(() => undefined);
    // What is said is written a moment after it.
    const stored = (): Promise<string> => readFile(join(folder, 'sessions', `${sessionId}.jsonl`), 'utf8');
    while (!/(?=.*hanging)(?=.*half way)/s.test(await stored())) await delay(5);
    await kill();
    await new Promise(() => undefined);
  });
  await expect(killed).rejects.toThrow('ACP connection closed');
  await drive(async ({ call, updates }) => {
    await call('authenticate', { methodId: 'key' });
    await call('session/load', { sessionId, ...begin });
    expect(numbered(updates)).toMatchObject([
      { sessionUpdate: 'user_message_chunk', content: { text: 'one' } },
      { sessionUpdate: 'tool_call', title: 'Count', status: 'completed' },
      { sessionUpdate: 'agent_message_chunk', content: { text: 'code small 1' } },
      { sessionUpdate: 'user_message_chunk', content: { text: 'hang' } },
      {
        sessionUpdate: 'tool_call',
        title: 'Hang',
        status: 'failed',
        content: [{ content: { text: 'half way' } }, { content: { text: 'Interrupted before it completed.' } }],
      },
      { sessionUpdate: 'agent_message_chunk', content: { text: 'hanging' } },
      {
        sessionUpdate: 'agent_message_chunk',
        content: { text: 'The turn was interrupted: the agent ended before its answer was complete.' },
      },
      { sessionUpdate: 'session_info_update', title: '1 prompts' },
    ]);
    await call('session/prompt', ask(sessionId, 'three'));
    expect(said(updates).at(-1)).toBe('code small 3');
  });
});

test('the official client cancels', async () => {
  await drive(async ({ call, notify, updates }) => {
    await call('authenticate', { methodId: 'key' });
    const { sessionId } = (await call('session/new', begin)) as { sessionId: string };
    const answer = call('session/prompt', ask(sessionId, 'hang'));
    while (!said(updates).includes('hanging')) await delay(5);
    await notify('session/cancel', { sessionId });
    expect([await answer, updates.at(-1)]).toMatchObject([{ stopReason: 'cancelled' }, { status: 'failed' }]);
  });
});

test('the official client steers a running turn, and the replay shows the prompts where they were taken', async () => {
  await drive(async ({ call, updates }) => {
    await call('authenticate', { methodId: 'key' });
    const { sessionId } = (await call('session/new', begin)) as { sessionId: string };
    const answers = [call('session/prompt', ask(sessionId, 'steer'))];
    while (!said(updates).includes('which way?')) await delay(5);
    answers.push(call('session/prompt', ask(sessionId, 'left')));
    expect(await Promise.all(answers)).toEqual([{ stopReason: 'end_turn' }, { stopReason: 'end_turn' }]);
    const before = updates.length;
    await call('session/load', { sessionId, ...begin });
    expect(updates.slice(before)).toMatchObject([
      { sessionUpdate: 'user_message_chunk', content: { text: 'steer' } },
      { sessionUpdate: 'agent_message_chunk', content: { text: 'which way?' } },
      { sessionUpdate: 'user_message_chunk', content: { text: 'left' } },
      { sessionUpdate: 'agent_message_chunk', content: { text: 'left' } },
    ]);
  });
});
