import { mkdir, mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { type AgentDefinition, serveAgent } from '@turnwire/agent';
import { attachAgent } from '@turnwire/client';
import { protocolVersions } from '@turnwire/client/v2';
import { connectAgent, connectClient, type Handlers, type Peer, ProtocolError } from '@turnwire/protocol';
import { v2, type V2 } from '@turnwire/protocol/v2';
import { type HostedAgent, memoryStore } from '@turnwire/runtime';
import { memoryPair } from '@turnwire/transports/memory';
import { expect, test } from 'vitest';
import { Gateway } from '../src/index.ts';
import { testAgent } from './attached-agent.ts';
import { testClient, words } from './gateway-client.ts';
import { speaker } from './speaker.ts';

const cwd = tmpdir();
const info = { name: 'test', version: '1' };

interface Client {
  readonly peer: Peer<'client', V2>;
  /** Everything that was received, in short: updates, and questions with `?`. */
  readonly seen: string[];
  /** The updates, in short, with the ids of their messages and their cursors. */
  readonly updates: { readonly text: string; readonly id?: string | undefined; readonly cursor?: string | undefined }[];
}

/** A client of version 2. It answers permission requests with the first option of a kind. */
async function client(gateway: Gateway, answer = 'allow_once'): Promise<Client> {
  const [near, far] = memoryPair();
  gateway.attach(far, { principal: { tenant: 'local', scope: 'control' }, agent: 'test' });
  const seen: string[] = [];
  const updates: Client['updates'] = [];
  const handlers: Handlers<'client', V2> = {
    'session/update': ({ update, _meta }) => {
      const { messageId } = update as { readonly messageId?: string };
      const { cursor } = (_meta?.['turnwire'] ?? {}) as { readonly cursor?: string };
      updates.push({ text: short(update), id: messageId, cursor });
      seen.push(short(update));
    },
    'session/request_permission': ({ title, subject, options }) => {
      seen.push(`? ${title} ${subject?.type}`);
      const { optionId } = options.find(({ kind }) => kind === answer) ?? {};
      return { outcome: optionId === undefined ? { outcome: 'cancelled' } : { outcome: 'selected', optionId } };
    },
  };
  const peer = connectClient(near, handlers, { edition: v2 });
  await peer.request('initialize', { protocolVersion: 2, info });
  return { peer, seen, updates };
}

/** The kind of an update and what it says. */
function short(update: object): string {
  const { sessionUpdate, content, state, stopReason, status, error, title } = update as {
    readonly [key: string]: string | undefined;
  } & { readonly content?: { readonly text: string } | readonly { readonly text: string }[]; readonly error?: Error };
  const text = [content ?? []].flat().map((block) => (block as { readonly text?: string }).text);
  return [sessionUpdate, ...text, state, stopReason, status, error?.message, title].filter(Boolean).join(' ');
}

function gatewayOf(definition: AgentDefinition): Gateway {
  return new Gateway({ store: memoryStore(), agents: { test: testAgent(definition).hosted }, cwd });
}

test('a turn begins with the message and ends with the state', async () => {
  await using gateway = gatewayOf(speaker().definition);
  const { peer, seen } = await client(gateway);
  const { sessionId } = await peer.request('session/new', { cwd });
  const { messageId } = await peer.request('session/prompt', { sessionId, prompt: words('one two') });
  await expect.poll(() => seen.at(-1)).toBe('state_update idle end_turn');
  const { sessions } = await peer.request('session/list', {});
  expect({ messageId: typeof messageId, seen, sessions: sessions.map((each) => each.sessionId) }).toEqual({
    messageId: 'string',
    seen: [
      'user_message one two',
      'state_update running',
      'agent_message_chunk one',
      'agent_message_chunk two',
      'state_update idle end_turn',
    ],
    sessions: [sessionId],
  });
});

test('a question requires action until it is answered, and a rejected call goes back to the agent', async () => {
  await using gateway = gatewayOf(speaker().definition);
  const { peer, seen } = await client(gateway, 'reject_once');
  const { sessionId } = await peer.request('session/new', { cwd });
  await peer.request('session/prompt', { sessionId, prompt: words('ask') });
  await expect.poll(() => seen.at(-1)).toBe('state_update idle end_turn');
  expect(seen).toEqual([
    'user_message ask',
    'state_update running',
    'tool_call_update pending Run a thing',
    'state_update requires_action',
    '? Allow “Run a thing”? tool_call',
    'state_update running',
    'tool_call_update completed',
    'agent_message_chunk rejected',
    'state_update idle end_turn',
  ]);
});

test('a question follows its tool call also when the store is slow', async () => {
  const store = memoryStore();
  const append = store.append.bind(store);
  store.append = async (...args) => {
    await setTimeout(20);
    return await append(...args);
  };
  await using gateway = new Gateway({ store, agents: { test: testAgent(speaker().definition).hosted }, cwd });
  const { peer, seen } = await client(gateway);
  const { sessionId } = await peer.request('session/new', { cwd });
  await peer.request('session/prompt', { sessionId, prompt: words('one ask') });
  await expect.poll(() => seen.at(-1)).toBe('state_update idle end_turn');
  expect(seen.slice(2, -2)).toEqual([
    'agent_message_chunk one',
    'tool_call_update pending Run a thing',
    'state_update requires_action',
    '? Allow “Run a thing”? tool_call',
    'state_update running',
    'tool_call_update completed',
  ]);
});

test('a cancel ends the running turn, and the prompts that are not yet part of the conversation', async () => {
  await using gateway = gatewayOf(speaker().definition);
  const { peer, seen } = await client(gateway);
  const { sessionId } = await peer.request('session/new', { cwd });
  await peer.request('session/prompt', { sessionId, prompt: words('one wait') });
  const held = peer.request('session/prompt', { sessionId, prompt: words('two') }).catch((error: unknown) => error);
  await expect.poll(() => seen.at(-1)).toBe('agent_message_chunk one');
  await peer.notify('session/cancel', { sessionId });
  const refused = await held;
  await expect.poll(() => seen.at(-1)).toBe('state_update idle cancelled');
  expect([refused instanceof ProtocolError && refused.code, seen.filter((each) => each.startsWith('user'))]).toEqual([
    -32800,
    ['user_message one wait'],
  ]);
});

test('a prompt with the key of an earlier one has the same message and runs once', async () => {
  await using gateway = gatewayOf(speaker().definition);
  const { peer, seen } = await client(gateway);
  const { sessionId } = await peer.request('session/new', { cwd });
  const prompt = { sessionId, prompt: words('one'), idempotencyKey: 'a' };
  const first = await peer.request('session/prompt', prompt);
  await expect.poll(() => seen.at(-1)).toBe('state_update idle end_turn');
  expect([await peer.request('session/prompt', prompt), seen.length]).toEqual([first, 4]);
});

test.each([
  ['has more than 200 characters', 'k'.repeat(201)],
  ['contains NUL', 'a\0b'],
])('a prompt is refused if its key %s, and the session continues', async (_, idempotencyKey) => {
  await using gateway = gatewayOf(speaker().definition);
  const { peer, seen } = await client(gateway);
  const { sessionId } = await peer.request('session/new', { cwd });
  const refused = await peer
    .request('session/prompt', { sessionId, prompt: words('one'), idempotencyKey })
    .catch((error: unknown) => (error as Error).message);
  await peer.request('session/prompt', { sessionId, prompt: words('two'), idempotencyKey: 'b' });
  await expect.poll(() => seen.at(-1)).toBe('state_update idle end_turn');
  expect([refused, seen[0]]).toEqual([
    'idempotencyKey: a text of up to 200 characters, without NUL',
    'user_message two',
  ]);
});

const other = {
  code: -32602,
  message: 'another prompt of this session has the same key: a new prompt needs a new key',
};
const refusal = (error: unknown): object => {
  const { code, message } = error as ProtocolError;
  return { code, message };
};

test('a prompt with other content and the key of one that is held, runs or has ended is refused', async () => {
  const { definition, release } = speaker();
  await using gateway = gatewayOf(definition);
  const { peer, seen } = await client(gateway);
  const { sessionId } = await peer.request('session/new', { cwd });
  const prompt = (text: string, idempotencyKey: string): Promise<object> =>
    peer.request('session/prompt', { sessionId, prompt: words(text), idempotencyKey }).catch(refusal);
  const first = await prompt('one wait', 'a');
  const held = prompt('two', 'b');
  const whileHeld = [await prompt('other', 'a'), await prompt('other', 'b')];
  release();
  const second = await held;
  await expect.poll(() => seen.filter((each) => each.startsWith('state_update idle')).length).toBe(2);
  expect([whileHeld, await prompt('other', 'a'), await prompt('one wait', 'a'), await prompt('two', 'b')]).toEqual([
    [other, other],
    other,
    first,
    second,
  ]);
});

test('a repeated prompt is answered when the first one is inserted, also while the turn runs and on a later connection', async () => {
  const { definition, release } = speaker();
  await using gateway = gatewayOf(definition);
  const { peer } = await client(gateway);
  const { sessionId } = await peer.request('session/new', { cwd });
  const prompt = (text: string, idempotencyKey: string): Promise<object> =>
    peer.request('session/prompt', { sessionId, prompt: words(text), idempotencyKey });
  const first = await prompt('one wait', 'a');
  const again = await prompt('one wait', 'a');
  const held = [prompt('two', 'b'), prompt('two', 'b')];
  const later = await client(gateway);
  await later.peer.request('session/resume', { sessionId, cwd });
  const elsewhere = await later.peer.request('session/prompt', {
    sessionId,
    prompt: words('one wait'),
    idempotencyKey: 'a',
  });
  release();
  const [second, repeated] = await Promise.all(held);
  expect({ again, elsewhere, repeated, areDifferent: second !== first }).toEqual({
    again: first,
    elsewhere: first,
    repeated: second,
    areDifferent: true,
  });
});

test('a withdrawn request that repeats a held prompt does not withdraw that prompt', async () => {
  const { definition, release } = speaker();
  await using gateway = gatewayOf(definition);
  const { peer, seen } = await client(gateway);
  const { sessionId } = await peer.request('session/new', { cwd });
  await peer.request('session/prompt', { sessionId, prompt: words('one wait') });
  const prompt = { sessionId, prompt: words('two'), idempotencyKey: 'b' };
  const held = peer.request('session/prompt', prompt);
  const withdrawal = new AbortController();
  const repeated = peer.request('session/prompt', prompt, { signal: withdrawal.signal }).catch(refusal);
  // Both are held once a later request is answered.
  await peer.request('session/list', {});
  withdrawal.abort();
  await repeated;
  release();
  await held;
  await expect.poll(() => seen.filter((each) => each.startsWith('state_update idle')).length).toBe(2);
  expect(seen.filter((each) => each === 'user_message two')).toHaveLength(1);
});

test('a client cancels one tool call or terminal of an agent of version 2, which answers for those it cannot cancel', async () => {
  const cancels: unknown[] = [];
  const worker: Handlers<'agent', V2> = {
    initialize: () => ({ protocolVersion: 2, info, capabilities: { session: {} } }),
    'session/new': () => ({ sessionId: 's' }),
    'session/prompt': async ({ sessionId, prompt }, { peer }) => {
      const send = (update: object): Promise<void> => peer.raw.notify('session/update', { sessionId, update });
      await send({ sessionUpdate: 'user_message', messageId: 'u', content: prompt });
      await send({ sessionUpdate: 'state_update', state: 'running' });
      const call = { sessionUpdate: 'tool_call_update', toolCallId: 't', title: 'Build', status: 'in_progress' };
      await send({ ...call, capabilities: { cancel: {} } });
      await send({ sessionUpdate: 'terminal_update', terminalId: 'x', command: 'make', capabilities: { cancel: {} } });
      await send({ sessionUpdate: 'tool_call_update', toolCallId: 'fixed', title: 'Fixed', status: 'in_progress' });
      return { messageId: 'u' };
    },
    'session/cancel': ({ sessionId }, { peer }) => {
      const update = { sessionUpdate: 'state_update', state: 'idle', stopReason: 'cancelled' };
      void peer.raw.notify('session/update', { sessionId, update });
    },
    'tool_call/cancel': async ({ sessionId, toolCallId }, { peer }) => {
      cancels.push(toolCallId);
      await peer.raw.notify('session/update', {
        sessionId,
        update: { sessionUpdate: 'tool_call_update', toolCallId, status: 'cancelled', capabilities: null },
      });
      return {};
    },
    'terminal/cancel': async ({ sessionId, terminalId }, { peer }) => {
      cancels.push(terminalId);
      await peer.raw.notify('session/update', {
        sessionId,
        update: { sessionUpdate: 'terminal_update', terminalId, exitStatus: { signal: 'SIGTERM' } },
      });
      return {};
    },
  };
  const start: HostedAgent['start'] = (options) => {
    const [near, far] = memoryPair();
    connectAgent(far, worker, { edition: v2 });
    return attachAgent(near, { ...options, versions: protocolVersions([1, 2]) });
  };
  await using gateway = new Gateway({ store: memoryStore(), agents: { test: { start } }, cwd });
  const { peer, seen } = await client(gateway);
  const { sessionId } = await peer.request('session/new', { cwd });
  await peer.request('session/prompt', { sessionId, prompt: words('go') });
  await expect.poll(() => seen).toContain('tool_call_update in_progress Fixed');
  const cancelled = [
    await peer.request('tool_call/cancel', { sessionId, toolCallId: 't' }),
    await peer.request('terminal/cancel', { sessionId, terminalId: 'x' }),
    await peer.request('tool_call/cancel', { sessionId, toolCallId: 't' }).catch(refusal),
    await peer.request('tool_call/cancel', { sessionId, toolCallId: 'fixed' }).catch(refusal),
    await peer.request('terminal/cancel', { sessionId, terminalId: 'unknown' }).catch(refusal),
  ];
  await expect.poll(() => seen).toContain('tool_call_update cancelled');
  const cannot = (what: string): object => ({
    code: -32602,
    message: `The agent cannot cancel the ${what} separately`,
  });
  expect({ cancelled, cancels }).toEqual({
    cancelled: [{}, {}, cannot('tool call t'), cannot('tool call fixed'), cannot('terminal unknown')],
    cancels: ['t', 'x'],
  });
});

test('a tool call and a terminal of an agent of version 1 cannot be cancelled', async () => {
  await using gateway = gatewayOf(speaker().definition);
  const { peer } = await client(gateway);
  const { sessionId } = await peer.request('session/new', { cwd });
  const cannot = {
    code: -32602,
    message: 'An agent of version 1 can cancel only whole turns and child sessions',
  };
  expect([
    await peer.request('tool_call/cancel', { sessionId, toolCallId: 't' }).catch(refusal),
    await peer.request('terminal/cancel', { sessionId, terminalId: 'x' }).catch(refusal),
  ]).toEqual([cannot, cannot]);
});

test('a deleted session is not listed, and deleting it again succeeds', async () => {
  await using gateway = gatewayOf(speaker().definition);
  const { peer, seen } = await client(gateway);
  const { sessionId } = await peer.request('session/new', { cwd });
  await peer.request('session/prompt', { sessionId, prompt: words('one') });
  await expect.poll(() => seen.at(-1)).toBe('state_update idle end_turn');
  const answers = [
    await peer.request('session/delete', { sessionId }),
    await peer.request('session/delete', { sessionId }),
  ];
  expect({ answers, ...(await peer.request('session/list', {})) }).toEqual({ answers: [{}, {}], sessions: [] });
});

test('a failed turn ends with the error', async () => {
  await using gateway = gatewayOf(speaker().definition);
  const { peer, seen } = await client(gateway);
  const { sessionId } = await peer.request('session/new', { cwd });
  await peer.request('session/prompt', { sessionId, prompt: words('fail') });
  await expect.poll(() => seen.at(-1)).toMatch(/^state_update idle error The agent failed/);
});

test('clients of both versions share a session, and a replay has whole messages and ends with the state', async () => {
  const { definition, release } = speaker();
  await using gateway = gatewayOf(definition);
  const older = await testClient(gateway);
  const { sessionId } = await older.peer.request('session/new', { cwd, mcpServers: [] });
  await older.peer.request('session/prompt', { sessionId, prompt: words('one two') });
  const { peer, seen } = await client(gateway);
  const waits = older.peer.request('session/prompt', { sessionId, prompt: words('three wait four') });
  await expect.poll(() => older.seen.at(-1)).toBe('three');
  await peer.request('session/resume', { sessionId, cwd, replayFrom: { type: 'start' } });
  seen.push('answer');
  release();
  await waits;
  await expect.poll(() => seen.at(-1)).toBe('state_update idle end_turn');
  expect(seen).toEqual([
    'user_message one two',
    'agent_message one',
    'agent_message_chunk two',
    'user_message three wait four',
    'agent_message three',
    'replay_complete',
    'state_update running',
    'answer',
    'agent_message_chunk wait',
    'agent_message_chunk four',
    'state_update idle end_turn',
  ]);
});

test('messages that an agent of version 1 sends without ids have ids that survive a new connection, others in each turn', async () => {
  let finish = (): void => undefined;
  const finished = new Promise<void>((resolve) => (finish = resolve));
  const agent: Handlers<'agent'> = {
    initialize: () => ({ protocolVersion: 1, agentCapabilities: {} }),
    'session/new': () => ({ sessionId: 's' }),
    'session/prompt': async ({ sessionId }, { peer }) => {
      const say = (text: string): Promise<void> =>
        peer.notify('session/update', {
          sessionId,
          update: { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text } },
        });
      for (const text of ['a', 'b']) await say(text);
      await finished;
      await say('c');
      return { stopReason: 'end_turn' };
    },
  };
  const start: HostedAgent['start'] = (options) => {
    const [near, far] = memoryPair();
    connectAgent(far, agent);
    return attachAgent(near, options);
  };
  await using gateway = new Gateway({ store: memoryStore(), agents: { test: { start } }, cwd });
  const first = await client(gateway);
  const { sessionId } = await first.peer.request('session/new', { cwd });
  await first.peer.request('session/prompt', { sessionId, prompt: words('one') });
  await expect.poll(() => first.seen.at(-1)).toBe('agent_message_chunk b');
  const [a, b] = first.updates.slice(-2);
  const second = await client(gateway);
  const open = (of: Client, after?: string): Promise<unknown> =>
    of.peer.request('session/resume', {
      ...{ sessionId, cwd, replayFrom: { type: 'start' } },
      ...(after !== undefined && { _meta: { turnwire: { after } } }),
    });
  await open(second, a?.cursor);
  finish();
  await expect.poll(() => second.seen.at(-1)).toBe('state_update idle end_turn');
  await second.peer.request('session/prompt', { sessionId, prompt: words('two') });
  await expect.poll(() => second.seen.filter((each) => each === 'state_update idle end_turn').length).toBe(2);
  const fresh = await client(gateway);
  await open(fresh);
  const of = ({ updates }: Client): unknown =>
    updates.flatMap(({ text, id }) => (id === undefined ? [] : [[text, id]]));
  const [, one, , , , two] = fresh.updates.filter(({ id }) => id !== undefined);
  expect({
    isOne: [a?.id, b?.id],
    second: of(second),
    fresh: of(fresh),
    areTwo: one?.id !== two?.id,
  }).toEqual({
    isOne: [one?.id, one?.id],
    second: [
      ['agent_message_chunk b', one?.id],
      ['agent_message_chunk c', one?.id],
      ['user_message two', expect.any(String)],
      ['agent_message_chunk a', two?.id],
      ['agent_message_chunk b', two?.id],
      ['agent_message_chunk c', two?.id],
    ],
    fresh: [
      ['user_message one', expect.any(String)],
      ['agent_message a', one?.id],
      ['agent_message_chunk b', one?.id],
      ['agent_message_chunk c', one?.id],
      ['user_message two', expect.any(String)],
      ['agent_message a', two?.id],
      ['agent_message_chunk b', two?.id],
      ['agent_message_chunk c', two?.id],
    ],
    areTwo: true,
  });
});

test('the gateway serves files and terminals to an agent of version 1, within the folders of the session and after a question', async () => {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'turnwire-host-')));
  const [inside, outside] = [join(folder, 'project', 'notes.txt'), join(folder, 'outside.txt')];
  await mkdir(join(folder, 'project'));
  for (const path of [inside, outside]) await writeFile(path, 'before\n');
  const outcomes: unknown[] = [];
  const agent: Handlers<'agent'> = {
    initialize: ({ clientCapabilities }) => {
      outcomes.push([clientCapabilities?.fs, clientCapabilities?.terminal]);
      return { protocolVersion: 1, agentCapabilities: {} };
    },
    'session/new': () => ({ sessionId: 's' }),
    'session/prompt': async ({ sessionId }, { peer }) => {
      const note = (work: Promise<unknown>): Promise<unknown> =>
        work.then(
          (answer) => outcomes.push(answer),
          (error: unknown) => outcomes.push((error as ProtocolError).code),
        );
      for (const path of [inside, outside]) {
        await note(peer.request('fs/read_text_file', { sessionId, path }));
        await note(peer.request('fs/write_text_file', { sessionId, path, content: 'after\n' }));
      }
      const started = peer.request('terminal/create', { sessionId, command: 'cat', args: ['notes.txt'] });
      const { terminalId } = await started;
      await note(peer.request('terminal/wait_for_exit', { sessionId, terminalId }));
      return { stopReason: 'end_turn' };
    },
  };
  const start: HostedAgent['start'] = (options) => {
    const [near, far] = memoryPair();
    connectAgent(far, agent);
    return attachAgent(near, options);
  };
  await using gateway = new Gateway({ store: memoryStore(), agents: { test: { start } }, cwd: folder });
  const { peer, seen, updates } = await client(gateway);
  const { sessionId } = await peer.request('session/new', { cwd: join(folder, 'project') });
  await peer.request('session/prompt', { sessionId, prompt: words('go') });
  await expect.poll(() => seen.at(-1)).toBe('state_update idle end_turn');
  const files = await Promise.all([inside, outside].map((path) => readFile(path, 'utf8')));
  await rm(folder, { recursive: true });
  const questions = seen.filter((each) => each.startsWith('?')).map((each) => each.replaceAll(folder, ''));
  const shown = updates.map(({ text }) => text).filter((text) => text.startsWith('terminal'));
  expect({ offers: outcomes[0], outcomes: outcomes.slice(-5), questions, shown, files }).toEqual({
    offers: [{ readTextFile: true, writeTextFile: true }, true],
    // Nothing outside of the folders is read or written, and the user is not asked about it.
    outcomes: [{ content: 'before\n' }, {}, -32602, -32602, { exitCode: 0, signal: null }],
    questions: ['? Allow “edit /project/notes.txt”? undefined', '? Allow “cat notes.txt”? command'],
    shown: expect.arrayContaining(['terminal_update']) as unknown,
    files: ['after\n', 'before\n'],
  });
});

test('a session that is resumed without a replay brings only its state', async () => {
  await using gateway = gatewayOf(speaker().definition);
  const older = await testClient(gateway);
  const { sessionId } = await older.peer.request('session/new', { cwd, mcpServers: [] });
  await older.peer.request('session/prompt', { sessionId, prompt: words('one') });
  const { peer, seen } = await client(gateway);
  await peer.request('session/resume', { sessionId, cwd });
  expect(seen).toEqual(['state_update idle']);
});

test('the modes of an agent of version 1 are an option', async () => {
  const modes = [
    { id: 'ask', name: 'Ask' },
    { id: 'code', name: 'Code' },
  ];
  const { definition } = speaker();
  await using gateway = gatewayOf({ ...definition, modes });
  const { peer, seen } = await client(gateway);
  const { sessionId, configOptions } = await peer.request('session/new', { cwd });
  const set = await peer.request('session/set_config_option', {
    sessionId,
    configId: 'mode',
    type: 'id',
    value: 'code',
  });
  expect({
    configOptions,
    set: set.configOptions.map((each) => 'currentValue' in each && each.currentValue),
    seen,
  }).toEqual({
    configOptions: [expect.objectContaining({ configId: 'mode', category: 'mode', currentValue: 'ask' })],
    set: ['code'],
    seen: [],
  });
});

test('closing a session that works ends its turn first', async () => {
  await using gateway = gatewayOf(speaker().definition);
  const { peer, seen } = await client(gateway);
  const { sessionId } = await peer.request('session/new', { cwd });
  await peer.request('session/prompt', { sessionId, prompt: words('one wait') });
  await peer.request('session/close', { sessionId });
  seen.push('closed');
  expect([seen.slice(-2), await peer.request('session/close', { sessionId })]).toEqual([
    ['state_update idle cancelled', 'closed'],
    {},
  ]);
});

test('an agent of version 2 is passed on without its own echo of the prompt and its own states', async () => {
  const start: HostedAgent['start'] = (options) => {
    const [near, far] = memoryPair();
    serveAgent(speaker().definition, { transport: far, versions: [2], log: () => undefined });
    return attachAgent(near, { ...options, versions: protocolVersions([1, 2]) });
  };
  await using gateway = new Gateway({ store: memoryStore(), agents: { test: { start } }, cwd });
  const { peer, seen } = await client(gateway);
  const { sessionId } = await peer.request('session/new', { cwd });
  await peer.request('session/prompt', { sessionId, prompt: words('one two') });
  await expect.poll(() => seen.at(-1)).toBe('state_update idle end_turn');
  expect(seen).toEqual([
    'user_message one two',
    'state_update running',
    'agent_message_chunk one',
    'agent_message_chunk two',
    'state_update idle end_turn',
  ]);
});
