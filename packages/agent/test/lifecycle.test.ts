import { invalidParams, ProtocolError } from '@turnwire/protocol';
import type { SessionUpdate } from '@turnwire/protocol';
import { expect, test } from 'vitest';
import { memoryStore } from '../src/index.ts';
import type { AgentDefinition, SessionEntry } from '../src/index.ts';
import { gate, numbered, pair } from './agent-pair.ts';

const started = (sessionId: string) => ({ sessionId, cwd: '/', mcpServers: [] });

/** What the agents of these tests do with a prompt. */
const prompt: AgentDefinition['prompt'] = async (turn) => {
  await turn.think('Hm.');
  await turn.say('You ');
  await turn.say(`said: ${turn.text}`);
  await turn.plan(['one', 'two']);
  const tool = turn.tool({ title: 'Look', kind: 'read', rawInput: { path: '/a' } });
  await tool.start();
  await tool.progress('half');
  await turn.plan([{ content: 'one', status: 'completed' }, 'two']);
  await tool.complete('whole', { lines: 1 });
  await turn.say('Done.');
};

/** What a client is shown of one such turn when the session is loaded. */
const shown = (text: string): SessionUpdate[] =>
  [
    { sessionUpdate: 'user_message_chunk', messageId: 'user', content: { type: 'text', text } },
    { sessionUpdate: 'agent_thought_chunk', messageId: 'thought', content: { type: 'text', text: 'Hm.' } },
    { sessionUpdate: 'agent_message_chunk', messageId: 'first', content: { type: 'text', text: `You said: ${text}` } },
    {
      sessionUpdate: 'tool_call',
      toolCallId: 'call',
      title: 'Look',
      kind: 'read',
      status: 'completed',
      rawInput: { path: '/a' },
      content: [{ type: 'content', content: { type: 'text', text: 'whole' } }],
      rawOutput: { lines: 1 },
    },
    {
      sessionUpdate: 'plan',
      entries: [
        { content: 'one', priority: 'medium', status: 'completed' },
        { content: 'two', priority: 'medium', status: 'pending' },
      ],
    },
    { sessionUpdate: 'agent_message_chunk', messageId: 'second', content: { type: 'text', text: 'Done.' } },
  ] as const as unknown as SessionUpdate[];

const idsOf = (updates: readonly unknown[]): readonly string[] =>
  [...JSON.stringify(updates).matchAll(/"(?:messageId|toolCallId)":"([^"]+)"/g)].map(([, id = '']) => id);

const withoutIds = (updates: readonly unknown[]): unknown =>
  JSON.parse(JSON.stringify(updates).replaceAll(/"(messageId|toolCallId)":"[^"]+"/g, '"$1":"an id"'));

test('an agent with a store offers load, list, resume and delete', async () => {
  const { client } = await pair({ store: memoryStore() });
  expect(client.remote?.agentCapabilities).toEqual({
    loadSession: true,
    promptCapabilities: {},
    mcpCapabilities: {},
    sessionCapabilities: { close: {}, list: {}, resume: {}, delete: {} },
    auth: {},
  });
  const plain = await pair({});
  await expect(plain.client.request('session/list', {})).rejects.toMatchObject({ code: 'not-advertised' });
});

test('a loaded session is replayed completely, in order and with its ids, before the answer', async () => {
  const store = memoryStore();
  const before = await pair({ store, prompt });
  const id = await before.open();
  await before.prompt(id, 'hello');
  await before.prompt(id, 'again');
  await before.agent.close();
  const after = await pair({ store, prompt });
  const answer = await after.client.request('session/load', started(id));
  const replayed = [...after.received];
  expect([answer, withoutIds(replayed)]).toEqual([{}, withoutIds([...shown('hello'), ...shown('again')])]);
  // The client met all ids but those of its own prompts while the turns ran.
  const met = new Set(idsOf(before.received));
  expect(
    idsOf(replayed.filter((update) => !('sessionUpdate' in update) || update.sessionUpdate !== 'user_message_chunk')),
  ).toEqual(idsOf(replayed).filter((replayedId) => met.has(replayedId)));
  expect(met.size).toBe(8);
  await after.client.request('session/load', started(id));
  expect(after.received.slice(replayed.length)).toEqual(replayed);
});

test('a resumed session continues without a replay', async () => {
  const store = memoryStore();
  const before = await pair({ store, prompt });
  const id = await before.open();
  await before.prompt(id, 'hello');
  await before.agent.close();
  const after = await pair({ store, prompt: (turn) => turn.say(turn.text) });
  expect(await after.client.request('session/resume', started(id))).toEqual({});
  await after.prompt(id, 'go on');
  expect(numbered(after.received)).toEqual([
    { sessionUpdate: 'agent_message_chunk', messageId: 'id-1', content: { type: 'text', text: 'go on' } },
    { stopReason: 'end_turn' },
  ]);
});

test('the agent gets its kept values back, with the current client and folders', async () => {
  const store = memoryStore();
  const seen: unknown[] = [];
  const definition: Partial<AgentDefinition> = {
    store,
    additionalDirectories: true,
    openSession: ({ restored, cwd, additionalDirectories }) => void seen.push({ restored, cwd, additionalDirectories }),
    prompt: ({ session, text }) => session.keep({ text }),
  };
  const before = await pair(definition);
  const id = await before.open();
  await before.prompt(id, 'one');
  await before.prompt(id, 'two');
  await before.agent.close();
  const after = await pair(definition);
  await after.client.request('session/resume', { sessionId: id, cwd: '/other', additionalDirectories: ['/more'] });
  expect(seen).toEqual([
    { restored: undefined, cwd: '/', additionalDirectories: [] },
    {
      restored: { kept: [{ text: 'one' }, { text: 'two' }], wasInterrupted: false },
      cwd: '/other',
      additionalDirectories: ['/more'],
    },
  ]);
});

test('commands are sent after the answer that sets the session up', async () => {
  const store = memoryStore();
  const commands = [{ name: 'web', description: 'Searches the web', input: { hint: 'what for' } }];
  const announced = gate();
  const { client, received } = await pair(
    { store, commands: async () => commands },
    {
      client: {
        'session/update': ({ update }) => {
          received.push(update);
          announced.open();
        },
      },
    },
  );
  const { sessionId } = await client.request('session/new', { cwd: '/', mcpServers: [] });
  expect(received).toEqual([]);
  await announced.opened;
  await client.request('session/load', started(sessionId));
  const before = received.length;
  await client.request('session/list', {});
  await new Promise((resolve) => setImmediate(resolve));
  expect([before, received]).toEqual([
    1,
    [
      { sessionUpdate: 'available_commands_update', availableCommands: commands },
      { sessionUpdate: 'available_commands_update', availableCommands: commands },
    ],
  ]);
});

test('the title of a session is listed, sent to the client, and sent again on a load', async () => {
  const store = memoryStore();
  const {
    client,
    open,
    prompt: ask,
    received,
  } = await pair({
    store,
    prompt: async ({ session, text }) => {
      await session.setTitle(text);
      await session.setTitle(text);
    },
  });
  const id = await open();
  await ask(id, 'Greetings');
  const updatedAt: unknown = expect.any(String);
  expect([received, await client.request('session/list', {})]).toEqual([
    [{ sessionUpdate: 'session_info_update', title: 'Greetings' }, { stopReason: 'end_turn' }],
    { sessions: [{ sessionId: id, cwd: '/', title: 'Greetings', updatedAt }] },
  ]);
  await client.request('session/close', { sessionId: id });
  received.length = 0;
  await client.request('session/load', started(id));
  expect(received.at(-1)).toEqual({ sessionUpdate: 'session_info_update', title: 'Greetings' });
});

test('lists are paged and filtered without opening a session', async () => {
  const { client, prompt: ask } = await pair({ store: memoryStore({ pageSize: 2 }), additionalDirectories: true });
  for (const cwd of ['/a', '/a', '/a', '/b'])
    await client.request('session/new', { cwd, additionalDirectories: ['/more'], mcpServers: [] });
  const first = await client.request('session/list', { cwd: '/a' });
  const second = await client.request('session/list', { cwd: '/a', cursor: first.nextCursor });
  expect([first.sessions.length, second.sessions.length, second.nextCursor, first.sessions[0]]).toEqual([
    2,
    1,
    undefined,
    { sessionId: expect.any(String), cwd: '/a', additionalDirectories: ['/more'], updatedAt: expect.any(String) },
  ]);
  expect(await client.request('session/list', { cwd: '/a/b' })).toEqual({ sessions: [] });
  await expect(client.request('session/list', { cursor: 'garbage' })).rejects.toMatchObject({ code: -32602 });
  const stored = second.sessions[0]!.sessionId;
  await client.request('session/close', { sessionId: stored });
  await expect(ask(stored, 'hello')).rejects.toMatchObject({ code: -32002 });
});

test('a deleted session is closed, no longer listed and cannot be loaded; deleting it again succeeds', async () => {
  const closed: string[] = [];
  const { client, open } = await pair({ store: memoryStore(), closeSession: ({ id }) => void closed.push(id) });
  const id = await open();
  expect([
    await client.request('session/delete', { sessionId: id }),
    await client.request('session/delete', { sessionId: id }),
    await client.request('session/delete', { sessionId: '../../etc/passwd' }),
    await client.request('session/list', {}),
    closed,
  ]).toEqual([{}, {}, {}, { sessions: [] }, [id]]);
  await expect(client.request('session/load', started(id))).rejects.toEqual(
    new ProtocolError(-32002, `Session not found: ${id}`, { sessionId: id }),
  );
});

test('a session that another process has open can be loaded and deleted only after it is closed there', async () => {
  const store = memoryStore({ openTimeout: 0 });
  const [here, there] = [await pair({ store }), await pair({ store })];
  const id = await here.open();
  const refusal = new ProtocolError(-32600, `Session ${id} is in use by this process: close it there first`);
  await expect(there.client.request('session/load', started(id))).rejects.toEqual(refusal);
  await expect(there.client.request('session/delete', { sessionId: id })).rejects.toEqual(refusal);
  await here.client.request('session/close', { sessionId: id });
  expect(await there.client.request('session/load', started(id))).toEqual({});
});

test('a session that is loaded while it runs is cancelled and closed first', async () => {
  const store = memoryStore();
  const running = gate();
  const {
    client,
    open,
    prompt: ask,
  } = await pair({
    store,
    prompt: ({ signal }) => {
      running.open();
      return new Promise((resolve) => signal.addEventListener('abort', () => resolve()));
    },
  });
  const id = await open();
  const answer = ask(id, 'hello');
  await running.opened;
  expect([await client.request('session/load', started(id)), await answer]).toEqual([{}, { stopReason: 'cancelled' }]);
});

test('a session that cannot be reopened stays stored and unlocked', async () => {
  const store = memoryStore();
  let opened = 0;
  const { client, open } = await pair({
    store,
    openSession: () => {
      opened += 1;
      if (opened === 2) throw invalidParams('not now');
    },
  });
  const id = await open();
  await client.request('session/close', { sessionId: id });
  await expect(client.request('session/load', started(id))).rejects.toThrow('not now');
  expect(await client.request('session/load', started(id))).toEqual({});
});

test('an interrupted turn is closed and reported on the first load', async () => {
  const store = memoryStore();
  const journal = await store.create({ id: 'one', cwd: '/', additionalDirectories: [], createdAt: '2026-01-01' });
  const entries: SessionEntry[] = [
    { type: 'prompt', messageId: 'm1', prompt: [{ type: 'text', text: 'go' }] },
    {
      type: 'update',
      update: {
        sessionUpdate: 'tool_call',
        toolCallId: 'c1',
        title: 'Run',
        content: [{ type: 'content', content: { type: 'text', text: 'half' } }],
      },
    },
    { type: 'unheard-of' } as never,
  ];
  for (const entry of entries) await journal.append(entry);
  await journal.close();
  const seen: unknown[] = [];
  const { client, received } = await pair({
    store,
    openSession: ({ restored }) => void seen.push(restored?.wasInterrupted),
  });
  await client.request('session/load', started('one'));
  const first = [...received];
  await client.request('session/load', started('one'));
  expect(numbered(first)).toEqual([
    { sessionUpdate: 'user_message_chunk', messageId: 'm1', content: { type: 'text', text: 'go' } },
    {
      sessionUpdate: 'tool_call',
      toolCallId: 'c1',
      title: 'Run',
      status: 'failed',
      content: [
        { type: 'content', content: { type: 'text', text: 'half' } },
        { type: 'content', content: { type: 'text', text: 'Interrupted before it completed.' } },
      ],
    },
    {
      sessionUpdate: 'agent_message_chunk',
      messageId: 'id-1',
      content: { type: 'text', text: 'The turn was interrupted: the agent ended before its answer was complete.' },
    },
  ]);
  expect([received.slice(first.length), seen]).toEqual([first, [true, false]]);
});

test('a client that disconnects during session setup leaves nothing open', async () => {
  const [opening, goOn] = [gate(), gate()];
  const closed: string[] = [];
  const store = memoryStore();
  const { agent, client } = await pair(
    {
      store,
      openSession: async () => {
        opening.open();
        await goOn.opened;
      },
      closeSession: ({ id }) => void closed.push(id),
    },
    { limits: { drain: 0 } },
  );
  const answer = client.request('session/new', { cwd: '/', mcpServers: [] }).catch((error: unknown) => error);
  await opening.opened;
  await client.close();
  await agent.closed;
  goOn.open();
  await answer;
  await expect.poll(() => closed.length).toBe(1);
  // Its id was never sent.
  await expect.poll(() => store.list({})).toEqual({ sessions: [] });
});
