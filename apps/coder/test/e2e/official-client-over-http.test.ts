import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { Readable, Writable } from 'node:stream';
import { client, methods, ndJsonStream } from '@agentclientprotocol/sdk';
import { expect, test } from 'vitest';
import { until } from '../coder-process.ts';
import { CoderHome, coderCommand, modelAt } from './coder-home.ts';
import { calls, says, ScriptServer } from './script-server.ts';

interface Driven {
  readonly call: (method: string, params: object) => Promise<Record<string, unknown>>;
  readonly cancel: (sessionId: string) => Promise<void>;
  /** Titles of the questions to the user. */
  readonly asked: string[];
  readonly updates: Record<string, unknown>[];
}

/** The agent in a separate process, driven by the client of the official SDK; the user gives these answers. */
async function drive<Value>(
  { env }: CoderHome,
  user: readonly string[],
  work: (agent: Driven) => Promise<Value>,
): Promise<Value> {
  const [command = '', ...args] = coderCommand;
  const child = spawn(command, args, {
    stdio: ['pipe', 'pipe', 'inherit'],
    env: { PATH: process.env['PATH'], ...env },
  });
  const exited = once(child, 'exit');
  const updates: Record<string, unknown>[] = [];
  const asked: string[] = [];
  const app = client({ name: 'driver' })
    .onNotification(methods.client.session.update, ({ params }) => void updates.push(params.update))
    .onRequest('session/request_permission', ({ params: { toolCall } }) => {
      asked.push(toolCall.title ?? '');
      return { outcome: { outcome: 'selected', optionId: user[asked.length - 1] ?? 'reject_once' } };
    });
  const stream = ndJsonStream(Writable.toWeb(child.stdin), Readable.toWeb(child.stdout) as ReadableStream<Uint8Array>);
  try {
    return await app.connectWith(stream, async (agent) => {
      const call = (method: string, params: object): Promise<Record<string, unknown>> =>
        agent.request(method as never, params as never);
      const cancel = (sessionId: string): Promise<void> =>
        Promise.resolve(agent.notify('session/cancel' as never, { sessionId } as never));
      await call('initialize', { protocolVersion: 1, clientCapabilities: {} });
      return work({ call, cancel, asked, updates });
    });
  } finally {
    child.kill('SIGKILL');
    await exited;
  }
}

const ask = (sessionId: unknown, text: string): object => ({ sessionId, prompt: [{ type: 'text', text }] });

/** What was said, by whom, and how calls ended. */
function summaryOf(updates: readonly Record<string, unknown>[]): readonly string[] {
  return updates.flatMap(({ sessionUpdate, content, title, status }) => {
    if (sessionUpdate === 'user_message_chunk') return [`user: ${textOf(content)}`];
    if (sessionUpdate === 'agent_message_chunk') return [textOf(content)];
    const isOver = status === 'completed' || status === 'failed';
    return isOver ? [typeof title === 'string' ? `${title} ${status}` : status] : [];
  });
}

function textOf(content: unknown): string {
  return (content as { readonly text: string }).text;
}

const edits = (path: string, from: string, to: string) => [
  calls('read', { path }),
  calls('edit', { path, oldText: from, newText: to }),
  says(`Wrote ${to}.`),
];

test('the official client goes through new, prompt, permission, edit, load, list and cancel', async () => {
  await using server = await ScriptServer.start(({ prompt, results }) => {
    if (prompt.includes('Wait')) return calls('execute', { command: 'echo > started; sleep 60' });
    const to = prompt.includes('denied') ? 'denied' : 'beta';
    return edits('notes.txt', 'alpha', to)[Math.min(results.length, 2)] ?? says('');
  });
  await using home = await CoderHome.open({ files: { 'notes.txt': 'alpha\n' }, env: modelAt(server) });
  const setup = { cwd: home.work, mcpServers: [] };
  const first = await drive(home, ['reject_once', 'allow_once'], async ({ call, asked, updates }) => {
    const { sessionId } = await call('session/new', setup);
    const denied = await call('session/prompt', ask(sessionId, 'Write denied.'));
    const before = await home.read('notes.txt');
    const allowed = await call('session/prompt', ask(sessionId, 'Write beta.'));
    const after = await home.read('notes.txt');
    return { sessionId, ends: [denied, allowed], texts: [before, after], asked, updates: summaryOf(updates) };
  });
  expect(first).toMatchObject({
    ends: [{ stopReason: 'end_turn' }, { stopReason: 'end_turn' }],
    texts: ['alpha\n', 'beta\n'],
    asked: ['Edit notes.txt', 'Edit notes.txt'],
    updates: ['completed', 'failed', 'Wrote denied.', 'completed', 'completed', 'Wrote beta.'],
  });
  const { sessionId } = first;
  const second = await drive(home, ['allow_once'], async ({ call, cancel, updates }) => {
    await call('session/load', { sessionId, ...setup });
    const replayed = summaryOf(updates);
    const { sessions } = await call('session/list', { cwd: home.work });
    const turn = call('session/prompt', ask(sessionId, 'Wait.'));
    await until(async () => (await home.files()).includes('started'));
    await cancel(String(sessionId));
    return { replayed, sessions, end: await turn };
  });
  expect(second).toMatchObject({
    replayed: [
      'user: Write denied.',
      'Read notes.txt completed',
      'Edit notes.txt failed',
      'Wrote denied.',
      'user: Write beta.',
      'Read notes.txt completed',
      'Edit notes.txt completed',
      'Wrote beta.',
    ],
    sessions: [{ sessionId, cwd: home.work, title: 'Write denied.' }],
    end: { stopReason: 'cancelled' },
  });
});

test('a prompt sent during a turn reaches the model at the next step, and both prompts are answered', async () => {
  await using server = await ScriptServer.start(({ prompt, results }) =>
    prompt.includes('And be quick.') || results.length > 0
      ? says(`Heard ${prompt.includes('And be quick.') ? 'both' : 'one'}.`)
      : calls('execute', { command: 'echo > started; while [ ! -e go ]; do sleep 0.05; done' }),
  );
  await using home = await CoderHome.open({ env: modelAt(server) });
  const outcome = await drive(home, ['allow_once'], async ({ call, updates }) => {
    const { sessionId } = await call('session/new', { cwd: home.work, mcpServers: [] });
    const turn = call('session/prompt', ask(sessionId, 'Wait for it.'));
    await until(async () => (await home.files()).includes('started'));
    const steering = call('session/prompt', ask(sessionId, 'And be quick.'));
    // Requests are handled in order: once this one is answered, the prompt was taken.
    await call('session/list', {});
    await home.put('work/go', '');
    return { ends: await Promise.all([turn, steering]), updates: summaryOf(updates) };
  });
  expect([outcome, server.asked.length]).toMatchObject([
    {
      ends: [{ stopReason: 'end_turn' }, { stopReason: 'end_turn' }],
      updates: ['completed', 'Heard both.'],
    },
    2,
  ]);
});
