import { tmpdir } from 'node:os';
import { setTimeout } from 'node:timers/promises';
import { type AgentDefinition, serveAgent } from '@turnwire/agent';
import { attachAgent } from '@turnwire/client';
import { protocolVersions } from '@turnwire/client/v2';
import { connectClient, type Handlers, type Peer, ProtocolError } from '@turnwire/protocol';
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
}

/** A client of version 2. It answers permission requests with the first option of a kind. */
async function client(gateway: Gateway, answer = 'allow_once'): Promise<Client> {
  const [near, far] = memoryPair();
  gateway.attach(far, { principal: { tenant: 'local', scope: 'control' }, agent: 'test' });
  const seen: string[] = [];
  const handlers: Handlers<'client', V2> = {
    'session/update': ({ update }) => void seen.push(short(update)),
    'session/request_permission': ({ title, subject, options }) => {
      seen.push(`? ${title} ${subject?.type}`);
      const { optionId } = options.find(({ kind }) => kind === answer) ?? {};
      return { outcome: optionId === undefined ? { outcome: 'cancelled' } : { outcome: 'selected', optionId } };
    },
  };
  const peer = connectClient(near, handlers, { edition: v2 });
  await peer.request('initialize', { protocolVersion: 2, info });
  return { peer, seen };
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
