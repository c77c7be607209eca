import { expect, test } from 'vitest';
import { memoryStore } from '../src/index.ts';
import type { Session, SessionEntry } from '../src/index.ts';
import { gate, numbered, pair } from './agent-pair.ts';

const codeOf = (error: unknown): unknown => (error as { readonly code?: unknown }).code;
const started = (sessionId: string) => ({ sessionId, cwd: '/', mcpServers: [] });

test('setup and end of one session run in the requested order', async () => {
  const open: string[] = [];
  const happened: string[] = [];
  const { client, prompt } = await pair({
    store: memoryStore(),
    openSession: async ({ id, restored }) => {
      happened.push(restored ? 'opened again' : 'opened');
      expect(open).toEqual([]);
      open.push(id);
      await new Promise((resolve) => setImmediate(resolve));
    },
    closeSession: async ({ id }) => {
      await new Promise((resolve) => setImmediate(resolve));
      expect(open.splice(0)).toEqual([id]);
      happened.push('closed');
    },
    prompt: (turn) => turn.say(turn.text),
  });
  const { sessionId } = await client.request('session/new', { cwd: '/', mcpServers: [] });
  await prompt(sessionId, 'hello');
  const answers = await Promise.all([
    client.request('session/load', started(sessionId)),
    client.request('session/load', started(sessionId)),
    client.request('session/close', { sessionId }),
    client.request('session/resume', started(sessionId)),
    client.request('session/delete', { sessionId }),
    client.request('session/load', started(sessionId)).catch(codeOf),
  ]);
  expect([answers, happened]).toEqual([
    [{}, {}, {}, {}, {}, -32002],
    ['opened', 'closed', 'opened again', 'closed', 'opened again', 'closed', 'opened again', 'closed'],
  ]);
});

test('a cancelled load stops the replay and leaves the session closed', async () => {
  const store = memoryStore();
  const journal = await store.create({ id: 'one', cwd: '/', additionalDirectories: [], createdAt: '2026-01-01' });
  const prompted = { type: 'prompt', messageId: 'm', prompt: [{ type: 'text', text: 'go' }] } as const;
  for (let count = 0; count < 5000; count++) await journal.append(prompted);
  await journal.append({ type: 'end', stopReason: 'end_turn', title: null });
  await journal.close();
  const giveUp = new AbortController();
  let shown = 0;
  const { client, prompt } = await pair(
    { store },
    {
      client: {
        'session/update': () => {
          shown += 1;
          giveUp.abort();
        },
      },
    },
  );
  const load = client.request('session/load', started('one'), { signal: giveUp.signal });
  await expect(load).rejects.toMatchObject({ code: 'cancelled' });
  await expect(prompt('one', 'hello')).rejects.toMatchObject({ code: -32002 });
  expect(shown).toBeLessThan(5000);
});

test('a closed session sends and stores nothing', async () => {
  const store = memoryStore();
  const sessions: Session[] = [];
  const { client, open, prompt, received, logged } = await pair({
    store,
    modes: [
      { id: 'code', name: 'Code' },
      { id: 'ask', name: 'Ask' },
    ],
    prompt: ({ session }) => void sessions.push(session),
  });
  const id = await open();
  await prompt(id, 'hello');
  await client.request('session/close', { sessionId: id });
  for (const session of sessions) {
    await session.setTitle('Too late');
    await session.setMode('ask');
    await session.keep('too late');
  }
  const opened = await store.open(id);
  expect([received, opened?.entries.map(({ type }) => type), new Set(logged.map(({ event }) => event))]).toEqual([
    [{ stopReason: 'end_turn' }],
    ['prompt', 'end'],
    new Set(['an update was dropped because its session is closed']),
  ]);
});

test('commands that are found late do not replace newer ones', async () => {
  const found = gate();
  let asked = 0;
  const { client, received, logged } = await pair({
    store: memoryStore(),
    commands: async () => {
      asked += 1;
      const name = asked === 1 ? 'old' : 'new';
      if (name === 'old') await found.opened;
      return [{ name, description: name }];
    },
  });
  const { sessionId } = await client.request('session/new', { cwd: '/', mcpServers: [] });
  await client.request('session/load', started(sessionId));
  await expect.poll(() => received.length).toBe(1);
  found.open();
  await expect.poll(() => logged.length).toBe(1);
  expect(received).toEqual([
    { sessionUpdate: 'available_commands_update', availableCommands: [{ name: 'new', description: 'new' }] },
  ]);
});

test('a session is closed even if closeSession throws', async () => {
  const { client, open, logged } = await pair({
    store: memoryStore(),
    closeSession: () => {
      throw new Error('the server is gone');
    },
  });
  const sessionId = await open();
  expect([
    await client.request('session/load', started(sessionId)),
    await client.request('session/delete', { sessionId }),
    await client.request('session/list', {}),
    logged.map(({ event }) => event),
  ]).toEqual([{}, {}, { sessions: [] }, ['closeSession threw', 'closeSession threw']]);
});

test('a value that is not JSON is refused, and the rest is stored', async () => {
  const circle: unknown[] = [];
  circle.push(circle);
  const refusals: unknown[] = [];
  const kept: unknown[] = [];
  const { client, open, prompt } = await pair({
    store: memoryStore(),
    openSession: ({ restored }) => void kept.push(restored?.kept),
    prompt: async ({ session }) => {
      for (const value of [circle, { big: 1n }, undefined, () => 1])
        await session.keep(value).catch((error: unknown) => refusals.push(codeOf(error)));
      await session.keep(null);
    },
  });
  const sessionId = await open();
  await prompt(sessionId, 'hello');
  await client.request('session/load', started(sessionId));
  expect([refusals, kept]).toEqual([Array(4).fill('invalid-input'), [undefined, [null]]]);
});

test('a call without a stored end is shown as failed, at any position', async () => {
  const store = memoryStore();
  const journal = await store.create({ id: 'one', cwd: '/', additionalDirectories: [], createdAt: '2026-01-01' });
  const call = (toolCallId: string): SessionEntry => ({
    type: 'update',
    update: { sessionUpdate: 'tool_call', toolCallId, title: 'Run', status: 'in_progress' },
  });
  const entries: SessionEntry[] = [
    { type: 'prompt', messageId: 'm1', prompt: [{ type: 'text', text: 'go' }] },
    call('in a turn that is over'),
    { type: 'end', stopReason: 'end_turn', title: null },
    call('behind all turns'),
  ];
  for (const entry of entries) await journal.append(entry);
  await journal.close();
  const { client, received } = await pair({ store });
  await client.request('session/load', started('one'));
  const content = [{ type: 'content', content: { type: 'text', text: 'Interrupted before it completed.' } }];
  const failed = { sessionUpdate: 'tool_call', title: 'Run', status: 'failed', content };
  expect(numbered(received)).toEqual([
    { sessionUpdate: 'user_message_chunk', messageId: 'm1', content: { type: 'text', text: 'go' } },
    { ...failed, toolCallId: 'in a turn that is over' },
    { ...failed, toolCallId: 'behind all turns' },
  ]);
});
