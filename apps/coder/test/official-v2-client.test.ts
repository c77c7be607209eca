import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable, Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import * as official from '@agentclientprotocol/sdk/experimental/v2';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { bundleProgram } from '../../../tools/bundle-program.mjs';
import { until } from './coder-process.ts';

const main = fileURLToPath(new URL('../src/main.ts', import.meta.url));

type Update = { readonly [key: string]: unknown; readonly sessionUpdate: string };

interface Driven {
  readonly call: (method: string, params: object) => Promise<unknown>;
  readonly notify: (method: string, params: object) => Promise<unknown>;
  readonly updates: Update[];
  /** The titles of the permission questions. */
  readonly asked: string[];
  /** Sends a prompt and waits for the end of its turn. Returns the stop reason. */
  readonly turn: (sessionId: string, text: string) => Promise<unknown>;
}

let folder = '';
let cwd = '';

beforeEach(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), 'coder-v2-')));
  cwd = join(folder, 'work');
  await mkdir(cwd);
  await writeFile(join(cwd, 'notes.txt'), 'alpha\n');
});

afterEach(() => rm(folder, { recursive: true, force: true }));

/** The coder in a process of its own, driven by the official client of version 2. The user allows everything. */
async function drive<Value>(work: (agent: Driven) => Promise<Value>): Promise<Value> {
  const child = spawn(process.execPath, [bundleProgram(main)], {
    stdio: ['pipe', 'pipe', 'inherit'],
    env: {
      ...process.env,
      TURNWIRE_CODER_SESSIONS: join(folder, 'sessions'),
      TURNWIRE_CODER_MODEL: 'offline',
      XDG_STATE_HOME: join(folder, 'state'),
      XDG_CONFIG_HOME: join(folder, 'config'),
      XDG_DATA_HOME: join(folder, 'data'),
    },
  });
  const exited = once(child, 'exit');
  const updates: Update[] = [];
  const asked: string[] = [];
  const app = official
    .client()
    .onNotification('session/update', ({ params }) => void updates.push(params.update as unknown as Update))
    .onRequest('session/request_permission', ({ params }) => {
      asked.push(params.title);
      return { outcome: { outcome: 'selected', optionId: 'allow_once' } };
    });
  const stream = official.ndJsonStream(
    Writable.toWeb(child.stdin),
    Readable.toWeb(child.stdout) as ReadableStream<Uint8Array>,
  );
  try {
    const { agent } = app.connect(stream);
    const call = (method: string, params: object): Promise<unknown> => agent.request(method as never, params as never);
    const turn = async (sessionId: string, text: string): Promise<unknown> => {
      const begin = updates.length;
      const prompt = [{ type: 'text', text }];
      const { messageId } = (await call('session/prompt', { sessionId, prompt })) as { readonly messageId: string };
      const end = (): Update | undefined => {
        const echo = updates.findIndex((update, at) => at >= begin && update['messageId'] === messageId);
        return echo < 0 ? undefined : updates.find((update, at) => at > echo && update['state'] === 'idle');
      };
      await until(() => end() !== undefined);
      return end()?.['stopReason'];
    };
    const introduction = { protocolVersion: 2, info: { name: 'driver', version: '1.0.0' }, capabilities: {} };
    expect(await call('initialize', introduction)).toMatchObject({
      protocolVersion: 2,
      info: { name: expect.any(String) as string },
    });
    const notify = (method: string, params: object): Promise<unknown> => agent.notify(method as never, params as never);
    return await work({ call, notify, updates, asked, turn });
  } finally {
    child.kill('SIGTERM');
    await exited;
  }
}

const output = (updates: readonly Update[]): string =>
  updates
    .filter(({ sessionUpdate }) => sessionUpdate === 'terminal_output_chunk')
    .map(({ data }) => Buffer.from(String(data), 'base64').toString())
    .join('');

test('the official client of version 2 drives a whole conversation, which it resumes in a new process', async () => {
  const { sessionId, messages } = await drive(async ({ call, notify, updates, asked, turn }) => {
    const created = (await call('session/new', { cwd })) as {
      readonly sessionId: string;
      readonly configOptions: readonly { readonly configId: string }[];
      readonly availableCommands: readonly { readonly type: string }[];
    };
    const { sessionId: id } = created;
    expect([
      created.configOptions.some(({ configId }) => configId === 'mode'),
      created.availableCommands.every(({ type }) => type === 'command'),
    ]).toEqual([true, true]);
    const listed = await turn(id, 'list files');
    const edited = await turn(id, 'replace "alpha" with "beta" in notes.txt');
    const ran = await turn(id, 'run echo from-the-command');
    const running = call('session/prompt', { sessionId: id, prompt: [{ type: 'text', text: 'run sleep 600' }] });
    await running;
    await until(
      () => updates.filter(({ sessionUpdate, cwd: at }) => sessionUpdate === 'terminal_update' && at).length === 2,
    );
    await notify('session/cancel', { sessionId: id });
    await until(() => updates.at(-1)?.['stopReason'] === 'cancelled');
    const diff = updates
      .flatMap(({ content }) => (Array.isArray(content) ? (content as { type: string; changes?: unknown }[]) : []))
      .find(({ type }) => type === 'diff');
    expect([
      [listed, edited, ran],
      await readFile(join(cwd, 'notes.txt'), 'utf8'),
      diff?.changes,
      output(updates),
      asked.length,
      updates.filter(({ state }) => state).map(({ state }) => state),
      updates.findLast(({ status }) => status)?.['status'],
    ]).toEqual([
      ['end_turn', 'end_turn', 'end_turn'],
      'beta\n',
      [{ operation: 'modify', path: join(cwd, 'notes.txt'), fileType: 'text' }],
      'from-the-command\n',
      3,
      [
        ...['running', 'idle'],
        ...['running', 'requires_action', 'running', 'idle'],
        ...['running', 'requires_action', 'running', 'idle'],
        ...['running', 'requires_action', 'running', 'idle'],
      ],
      'cancelled',
    ]);
    return { sessionId: id, messages: updates.filter(({ sessionUpdate }) => sessionUpdate === 'user_message') };
  });
  await drive(async ({ call, updates, turn }) => {
    await call('session/resume', { sessionId, cwd, replayFrom: { type: 'start' } });
    // The official client handles an answer before the updates that came just before it.
    await until(() => updates.at(-1)?.['state'] === 'idle');
    expect([
      updates.filter(({ sessionUpdate }) => sessionUpdate === 'user_message'),
      updates.slice(-2),
      await turn(sessionId, 'read notes.txt'),
    ]).toEqual([
      messages,
      [{ sessionUpdate: 'replay_complete' }, { sessionUpdate: 'state_update', state: 'idle' }],
      'end_turn',
    ]);
  });
});
