import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { v1Unstable } from '@turnwire/protocol/unstable';
import { v2Unstable } from '@turnwire/protocol/v2/unstable';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { memoryStore } from '../../src/index.ts';
import { numbered } from '../agent-pair.ts';
import { type Frame, rawV2 } from './raw-client.ts';

let cwd = '';

beforeEach(async () => {
  cwd = await realpath(await mkdtemp(join(tmpdir(), 'agent-v2-')));
});

afterEach(() => rm(cwd, { recursive: true, force: true }));

const text = (content: string): object => ({ type: 'text', text: content });
const updatesOf = (frames: readonly Frame[]): readonly { readonly [key: string]: unknown }[] =>
  frames.flatMap(({ method, params }) =>
    method === 'session/update' ? [params?.['update'] as { readonly [key: string]: unknown }] : [],
  );

test('a resumed session is replayed with its ids, then complete, idle and answered', async () => {
  const definition = {
    store: memoryStore(),
    prompt: async (turn) => {
      await turn.say('Hel');
      await turn.say('lo');
      await turn.notice({ severity: 'info', title: 'Not history' });
      await turn.tool({ title: 'Read' }).complete('Done');
      await turn.session.setTitle('Title');
    },
  } satisfies Parameters<typeof rawV2>[0];
  const first = rawV2(definition);
  const sessionId = await first.begin();
  first.prompt(sessionId, 'Hi');
  await first.idle();
  const live = updatesOf(first.frames);
  await first.agent.close();
  const agent = rawV2(definition);
  await agent.introduce();
  await agent.ask('session/resume', { sessionId, cwd, replayFrom: { type: 'start' } });
  expect(agent.frames.slice(1).map(({ result, params }) => result ?? params?.['update'])).toEqual([
    { sessionUpdate: 'user_message', messageId: live[0]?.['messageId'], content: [text('Hi')] },
    { sessionUpdate: 'agent_message', messageId: live[2]?.['messageId'], content: [text('Hello')] },
    {
      sessionUpdate: 'tool_call_update',
      toolCallId: live[5]?.['toolCallId'],
      title: 'Read',
      status: 'completed',
      content: [{ type: 'content', content: text('Done') }],
    },
    { sessionUpdate: 'session_info_update', title: 'Title' },
    { sessionUpdate: 'replay_complete' },
    { sessionUpdate: 'state_update', state: 'idle' },
    {},
  ]);
});

test('a session that is resumed without a replay has no history, and other cursors and sessions are refused', async () => {
  const agent = rawV2({ store: memoryStore() });
  const sessionId = await agent.begin();
  agent.prompt(sessionId, 'Hi');
  await agent.idle();
  const before = agent.frames.length;
  const resumed = await agent.ask('session/resume', { sessionId, cwd: process.cwd() });
  const came = updatesOf(agent.frames.slice(before));
  expect([
    resumed,
    came,
    await agent.ask('session/resume', { sessionId, cwd, replayFrom: { type: 'cursor' } }),
    await agent.ask('session/resume', { sessionId: 'other', cwd }),
  ]).toEqual([
    {},
    [{ sessionUpdate: 'state_update', state: 'idle' }],
    { code: -32602, message: 'replayFrom: "cursor" is not supported; use "start"' },
    { code: -32002, message: 'Session not found: other', data: { sessionId: 'other' } },
  ]);
});

test('sessions are listed, closed and deleted, and closing or deleting twice succeeds', async () => {
  const agent = rawV2({ store: memoryStore() });
  const sessionId = await agent.begin();
  const list = async (): Promise<unknown> =>
    ((await agent.ask('session/list', { cwd: process.cwd() })) as { readonly sessions: object[] }).sessions.length;
  expect([
    await list(),
    await agent.ask('session/close', { sessionId }),
    await agent.ask('session/close', { sessionId }),
    await list(),
    await agent.ask('session/delete', { sessionId }),
    await agent.ask('session/delete', { sessionId }),
    await list(),
  ]).toEqual([1, {}, {}, 1, {}, {}, 0]);
});

test('an agent without a store lists and resumes the sessions that are open', async () => {
  const agent = rawV2({ commands: [{ name: 'go', description: 'Goes' }] });
  const sessionId = await agent.begin();
  const before = agent.frames.length;
  const resumed = await agent.ask('session/resume', { sessionId, cwd, replayFrom: { type: 'start' } });
  const listed = await agent.ask('session/list');
  await agent.ask('session/close', { sessionId });
  expect([
    updatesOf(agent.frames.slice(before)),
    resumed,
    listed,
    await agent.ask('session/resume', { sessionId, cwd }),
  ]).toEqual([
    [{ sessionUpdate: 'replay_complete' }, { sessionUpdate: 'state_update', state: 'idle' }],
    { availableCommands: [{ type: 'command', name: 'go', description: 'Goes' }] },
    { sessions: [{ sessionId, cwd: process.cwd() }] },
    { code: -32002, message: `Session not found: ${sessionId}`, data: { sessionId } },
  ]);
});

test('a closed session cancels its turn before the answer, and sends nothing later', async () => {
  const agent = rawV2((turn) => new Promise((resolve) => turn.signal.addEventListener('abort', () => resolve())));
  const sessionId = await agent.begin();
  agent.prompt(sessionId, 'Hi');
  const held = agent.prompt(sessionId, 'Held');
  await agent.until(({ id }) => id === 2);
  await agent.ask('session/close', { sessionId });
  expect([agent.frames.at(-2), agent.frames.find(({ id }) => id === held)?.error?.code]).toEqual([
    expect.objectContaining({
      params: { sessionId, update: { sessionUpdate: 'state_update', state: 'idle', stopReason: 'cancelled' } },
    }),
    -32800,
  ]);
});

test('modes are an option, options have values of two types, and every answer has all of them', async () => {
  const agent = rawV2({
    modes: [
      { id: 'ask', name: 'Ask' },
      { id: 'do', name: 'Do' },
    ],
    configOptions: [
      { id: 'fast', name: 'Fast', type: 'boolean', currentValue: false },
      {
        id: 'model',
        name: 'Model',
        type: 'select',
        currentValue: 'a',
        options: [{ group: 'g', name: 'G', options: [{ value: 'a', name: 'A' }] }],
      },
    ],
  });
  await agent.introduce();
  const created = (await agent.ask('session/new', { cwd })) as { readonly sessionId: string };
  const { sessionId } = created;
  const set = (configId: string, type: string, value: unknown): Promise<unknown> =>
    agent.ask('session/set_config_option', { sessionId, configId, type, value });
  const options = (mode: string, fast: boolean): object => ({
    configOptions: [
      {
        configId: 'mode',
        name: 'Mode',
        category: 'mode',
        type: 'select',
        currentValue: mode,
        options: [
          { value: 'ask', name: 'Ask' },
          { value: 'do', name: 'Do' },
        ],
      },
      { configId: 'fast', name: 'Fast', type: 'boolean', currentValue: fast },
      {
        configId: 'model',
        name: 'Model',
        type: 'select',
        currentValue: 'a',
        options: [{ groupId: 'g', name: 'G', options: [{ value: 'a', name: 'A' }] }],
      },
    ],
  });
  expect([
    created,
    await set('mode', 'id', 'do'),
    await set('fast', 'boolean', true),
    await set('fast', '_other', 1),
    updatesOf(agent.frames),
  ]).toEqual([
    { sessionId, ...options('ask', false) },
    options('do', false),
    options('do', true),
    { code: -32602, message: 'type: "_other" is neither "id" nor "boolean"' },
    [{ sessionUpdate: 'config_option_update', ...options('do', false) }],
  ]);
});

test('a login and a logout reach the definition', async () => {
  const calls: unknown[] = [];
  const agent = rawV2({
    auth: {
      methods: [{ id: 'key', name: 'Key' }],
      authenticate: async (id, login) => {
        const answer = await login.askUser?.form?.({
          message: 'Who?',
          form: { type: 'object', properties: { name: { type: 'string' } } },
        });
        calls.push(id, login.client.clientInfo, answer?.outcome);
      },
      logout: () => void calls.push('logout'),
    },
  });
  await agent.introduce({ elicitation: { form: {} } });
  const login = agent.ask('auth/login', { methodId: 'key' });
  const { id, params } = await agent.until(({ method }) => method === 'elicitation/create');
  agent.answer(id, { action: 'accept', content: { name: 'n' } });
  expect([await login, await agent.ask('auth/logout'), params, calls]).toEqual([
    {},
    {},
    {
      mode: 'form',
      message: 'Who?',
      requestId: 1,
      requestedSchema: { type: 'object', properties: { name: { type: 'string' } } },
    },
    ['key', { name: 'raw', version: '1.0.0' }, 'answered', 'logout'],
  ]);
});

test('files are those of this machine, and commands are terminals of the agent', async () => {
  const agent = rawV2(async (turn) => {
    await turn.files.write('a.txt', 'A');
    const tool = turn.tool({
      title: 'Run',
      content: [{ type: 'diff', path: '/a', oldText: 'one\n', newText: 'two\n' }],
    });
    const { exitCode, output } = await turn.commands.run(tool, {
      command: process.execPath,
      args: ['-e', "process.stdout.write('ü'); process.exitCode = 3"],
    });
    await tool.complete();
    await turn.say(`${exitCode} ${output} ${await turn.files.read('a.txt')}`);
  });
  await agent.introduce();
  const { sessionId } = (await agent.ask('session/new', { cwd })) as { readonly sessionId: string };
  agent.prompt(sessionId, 'Hi');
  await agent.idle();
  const call = { sessionUpdate: 'tool_call_update', toolCallId: 'id-2' };
  const terminal = { sessionUpdate: 'terminal_update', terminalId: 'id-3' };
  const updates = numbered(updatesOf(agent.frames));
  expect(updates.slice(2, -1)).toEqual([
    {
      ...call,
      title: 'Run',
      status: 'pending',
      content: [
        {
          type: 'diff',
          changes: [{ operation: 'modify', path: '/a', fileType: 'text' }],
          patch: {
            format: 'git_patch',
            text: 'diff --git /a /a\n--- /a\n+++ /a\n@@ -1,1 +1,1 @@\n-one\n+two\n',
          },
        },
      ],
    },
    { ...call, status: 'in_progress' },
    { ...call, capabilities: { cancel: {} } },
    { ...terminal, cwd, capabilities: { cancel: {} } },
    { ...call, content: [{ type: 'terminal', terminalId: 'id-3' }] },
    { sessionUpdate: 'terminal_output_chunk', terminalId: 'id-3', data: Buffer.from('ü').toString('base64') },
    { ...terminal, exitStatus: { exitCode: 3, signal: null }, capabilities: null },
    { ...call, capabilities: null },
    { ...call, status: 'completed' },
    { sessionUpdate: 'agent_message_chunk', messageId: 'id-4', content: text('3 ü A') },
  ]);
});

test('a client ends a command by its terminal or its tool call, and the turn continues', async () => {
  const agent = rawV2(async (turn) => {
    for (const title of ['One', 'Two']) {
      const tool = turn.tool({ title });
      const { signal } = await turn.commands.run(tool, {
        command: process.execPath,
        args: ['-e', 'setInterval(() => undefined, 1000)'],
      });
      await tool.fail(`Ended by ${signal}`);
    }
  });
  const sessionId = await agent.begin();
  agent.prompt(sessionId, 'Hi');
  const terminal = async (nth: number): Promise<{ readonly [key: string]: unknown }> => {
    const opened = (frame: Frame): boolean => Boolean(updatesOf([frame])[0]?.['cwd']);
    const frame = await agent.until((each) => each === agent.frames.filter(opened)[nth]);
    return updatesOf([frame])[0] as { readonly [key: string]: unknown };
  };
  const { terminalId } = await terminal(0);
  const ended = await agent.ask('terminal/cancel', { sessionId, terminalId });
  await terminal(1);
  const { toolCallId } = updatesOf(agent.frames).find(({ title }) => title === 'Two') ?? {};
  const cancelled = await agent.ask('tool_call/cancel', { sessionId, toolCallId });
  await agent.idle();
  const updates = updatesOf(agent.frames);
  expect([
    ended,
    cancelled,
    updates.flatMap(({ exitStatus }) => (exitStatus ? [exitStatus] : [])),
    updates.flatMap(({ status }) => (status ? [status] : [])),
    updates.at(-1),
    await agent.ask('terminal/cancel', { sessionId, terminalId }),
    await agent.ask('tool_call/cancel', { sessionId, toolCallId }),
  ]).toEqual([
    {},
    {},
    [
      { exitCode: null, signal: 'SIGTERM' },
      { exitCode: null, signal: 'SIGTERM' },
    ],
    ['pending', 'in_progress', 'failed', 'pending', 'in_progress', 'cancelled'],
    { sessionUpdate: 'state_update', state: 'idle', stopReason: 'end_turn' },
    expect.objectContaining({ code: -32602 }),
    expect.objectContaining({ code: -32602 }),
  ]);
});

test('two MCP servers with one name are refused', async () => {
  const agent = rawV2({});
  await agent.introduce();
  const server = { type: 'stdio', name: 'files', command: '/bin/files' };
  const other = { ...server, name: 'other' };
  expect(await agent.ask('session/new', { cwd: '/', mcpServers: [server, other, server] })).toEqual({
    code: -32602,
    message: 'mcpServers[2]: another server has the name "files"',
  });
});

test('an agent with the unstable edition of version 2 forks sessions and serves the unstable methods among its extensions', async () => {
  const agent = rawV2({
    edition: v1Unstable as never,
    editionV2: v2Unstable,
    store: memoryStore(),
    capabilities: { sessionCapabilities: { status: {}, close: {} } } as never,
    extensions: { 'session/status': () => ({ status: 'open' }), 'session/set_model': () => ({}) } as never,
    sessionForked: (_, { source }) => ({ source: source?.id }),
    prompt: (turn) => turn.say('Hello'),
  });
  const { capabilities } = (await agent.introduce()) as { readonly capabilities: object };
  const { sessionId } = (await agent.ask('session/new', { cwd })) as { readonly sessionId: string };
  agent.prompt(sessionId, 'Hi');
  await agent.idle();
  const forked = (await agent.ask('session/fork', { sessionId, cwd })) as { readonly sessionId: string };
  const replayFrom = { type: 'start' };
  await agent.ask('session/resume', { sessionId: forked.sessionId, cwd, replayFrom });
  const replayed = agent.frames.flatMap(({ params }) =>
    params?.['sessionId'] === forked.sessionId
      ? [(params['update'] as { readonly sessionUpdate: string }).sessionUpdate]
      : [],
  );
  expect(
    numbered({
      capabilities,
      forked,
      replayed,
      status: await agent.ask('session/status', { sessionId }),
      other: await agent.ask('session/set_model', { sessionId }),
    }),
  ).toEqual({
    capabilities: {
      session: {
        prompt: {},
        mcp: { stdio: {} },
        delete: {},
        status: {},
        fork: { _meta: { turnwire: { withoutLast: true } } },
      },
    },
    forked: { sessionId: 'id-1', _meta: { source: 'id-2' } },
    replayed: ['state_update', 'user_message', 'agent_message', 'replay_complete', 'state_update'],
    status: { status: 'open' },
    other: { code: -32601, message: 'Method not found: session/set_model', data: { method: 'session/set_model' } },
  });
});
