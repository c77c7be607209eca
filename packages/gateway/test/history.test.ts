import { tmpdir } from 'node:os';
import { defineAgent, serveAgent } from '@turnwire/agent';
import { attachAgent } from '@turnwire/client';
import { memoryPair } from '@turnwire/transports/memory';
import { expect, test } from 'vitest';
import type { SessionUpdate } from '@turnwire/protocol';
import { type HostedAgent, joinedTexts, memoryStore, type PlacedEvent } from '@turnwire/runtime';
import { Gateway } from '../src/index.ts';
import { testAgent } from './attached-agent.ts';
import { type TestClient, testClient, words } from './gateway-client.ts';
import { speaker } from './speaker.ts';

const cwd = tmpdir();

/** Reports its commands and its plan, then a word for each number up to the one in the prompt; `wait` keeps the turn open. */
const definition = defineAgent({
  info: { name: 'counting', version: '1.0.0' },
  prompt: async (turn) => {
    const [count = '0', waits] = turn.text.split(' ');
    await turn.update({
      sessionUpdate: 'available_commands_update',
      availableCommands: [{ name: 'count', description: 'counts' }],
    });
    await turn.update({ sessionUpdate: 'usage_update', used: 1, size: 10, cost: { amount: 2, currency: 'EUR' } });
    await turn.update({ sessionUpdate: 'usage_update', used: 5, size: 10 });
    for (let place = 0; place < Number(count); place++) await turn.say(`${place} `);
    if (waits) await new Promise((resolve) => turn.signal.addEventListener('abort', resolve));
  },
});

interface Logged {
  readonly cursor: string;
  readonly event: { readonly type: string; readonly update?: object; readonly content?: unknown };
}

interface Page {
  readonly start: string;
  readonly head: string;
  readonly events: readonly Logged[];
  readonly standing?: readonly Logged['event'][];
}

function history(client: TestClient, params: object): Promise<Page> {
  return client.peer.raw.request('_turnwire/history', params) as Promise<Page>;
}

function testGateway(): Gateway {
  return new Gateway({ store: memoryStore(), agents: { test: testAgent(definition).hosted }, cwd });
}

async function counted(client: TestClient, text: string): Promise<string> {
  const { sessionId } = await client.peer.request('session/new', { cwd, mcpServers: [] });
  await client.peer.request('session/prompt', { sessionId, prompt: words(text) });
  return sessionId;
}

/** A short form of an event: its kind and its text. */
function short({ type, update }: Logged['event']): string {
  const { sessionUpdate = type, content } = (update ?? {}) as {
    readonly sessionUpdate?: string;
    readonly content?: { readonly text: string };
  };
  return content ? content.text : sessionUpdate;
}

test('the end of a session is read without its beginning, with a snapshot of the state at that point', async () => {
  await using gateway = testGateway();
  const client = await testClient(gateway);
  const sessionId = await counted(client, '300');
  const prompted = client.peer.request('session/prompt', { sessionId, prompt: words('3 wait') });
  await expect.poll(() => client.seen.at(-1)).toBe('2 ');
  const page = await history(client, { sessionId, last: 2 });
  const [, sequence = 0] = page.head.split('.').map(Number);
  expect({
    ...page,
    events: page.events.map(({ event }) => short(event)),
    standing: page.standing?.map(short),
  }).toEqual({
    start: `1.${sequence - 2}`,
    head: `1.${sequence}`,
    events: ['1 ', '2 '],
    standing: [
      'session_info_update',
      'setup',
      'setup',
      'prompt',
      'available_commands_update',
      'usage_update',
      'usage_update',
    ],
  });
  await client.peer.notify('session/cancel', { sessionId });
  await prompted;
});

test('a session is read page by page from its beginning, and each page names the start of the next one', async () => {
  await using gateway = testGateway();
  const client = await testClient(gateway);
  const sessionId = await counted(client, '20');
  const read: string[] = [];
  let after: string | undefined;
  for (let head = ''; after !== head;) {
    const page: Page = await history(client, { sessionId, limit: 7, ...(after !== undefined && { after }) });
    ({ head } = page);
    after = page.events.at(-1)?.cursor ?? head;
    read.push(...page.events.map(({ event }) => short(event)));
  }
  const numbers = Array.from({ length: 20 }, (_, place) => `${place} `);
  const said = ['prompt', 'available_commands_update', 'usage_update', 'usage_update', ...numbers, 'turn-ended'];
  expect(read).toEqual(['setup', ...said]);
  const whole = await history(client, { sessionId, last: 1_000 });
  expect({ start: whole.start, read: whole.events.map(({ event }) => short(event)), standing: whole.standing }).toEqual(
    {
      start: '0.0',
      read,
      standing: [],
    },
  );
});

test('an invalid cursor and a session of another tenant are refused', async () => {
  await using gateway = testGateway();
  const client = await testClient(gateway);
  const sessionId = await counted(client, '1');
  const stranger = await testClient(gateway, { principal: { tenant: 'other', scope: 'control' } });
  const refusal = (asked: Promise<unknown>): Promise<unknown> =>
    asked.then(
      () => 'none',
      (error: unknown) => (error as { readonly code: number }).code,
    );
  expect({
    cursor: await refusal(history(client, { sessionId, after: 'here' })),
    unknown: await refusal(history(client, { sessionId, after: '7.2' })),
    last: await refusal(history(client, { sessionId, last: 0 })),
    nothing: await refusal(history(client, {})),
    stranger: await refusal(history(stranger, { sessionId })),
  }).toEqual({ cursor: -32602, unknown: -32602, last: -32602, nothing: -32602, stranger: -32002 });
});

test('a client that reads batches gets every event once, in order, including its own prompts, with joined texts', async () => {
  await using gateway = testGateway();
  const batches: Logged[][] = [];
  const client = await testClient(gateway, {
    capabilities: { _meta: { turnwire: { events: true, batches: true } } },
    handlers: { '_turnwire/events': (params) => void batches.push([...(params as Page).events]) },
  });
  const sessionId = await counted(client, '600');
  const live = batches.flat();
  await client.peer.request('session/load', { sessionId, cwd, mcpServers: [] });
  const replayed = batches.flat().slice(live.length);
  const { events, head } = await history(client, { sessionId });
  const said = (logged: readonly Logged[]): string =>
    logged
      .map(({ event }) => `${short(event)} `)
      .join('')
      .replaceAll(/ +/g, ' ');
  expect({ live: said(live), replayed: said(replayed), updates: client.seen }).toEqual({
    live: said(events.slice(1)),
    replayed: said(events),
    updates: [],
  });
  expect([live.at(-1)?.cursor, replayed.at(-1)?.cursor]).toEqual([head, head]);
  expect(replayed.length).toBeLessThan(20);
});

test('only plain texts of one message are joined', () => {
  const said = (sequence: number, text: string, more: object = {}, content: object = {}): PlacedEvent => ({
    epoch: 1,
    sequence,
    event: {
      at: sequence,
      type: 'update',
      update: {
        sessionUpdate: 'agent_message_chunk',
        content: { type: 'text', text, ...content },
        ...more,
      } as SessionUpdate,
    },
  });
  const thought = { sessionUpdate: 'agent_thought_chunk' };
  const [noted, marked] = [{ _meta: { a: 1 } }, { annotations: { audience: ['user' as const] } }];
  const prompt: PlacedEvent = { epoch: 1, sequence: 12, event: { at: 12, type: 'prompt', turnId: '1', content: [] } };
  const joined = joinedTexts([
    said(1, 'a'),
    said(2, 'b'),
    said(3, 'c', thought),
    said(4, 'd', thought),
    said(5, 'e', { messageId: '1' }),
    said(6, 'f', { messageId: '2' }),
    said(7, 'g', { messageId: '2' }),
    said(8, 'h', noted),
    said(9, 'i', noted),
    said(10, 'j', {}, marked),
    said(11, 'k', {}, marked),
    prompt,
    said(13, 'l'),
  ]);
  const at = (event: PlacedEvent, time: number): PlacedEvent => ({ ...event, event: { ...event.event, at: time } });
  expect(joined).toEqual([
    at(said(2, 'ab'), 1),
    at(said(4, 'cd', thought), 3),
    said(5, 'e', { messageId: '1' }),
    at(said(7, 'fg', { messageId: '2' }), 6),
    said(8, 'h', noted),
    said(9, 'i', noted),
    said(10, 'j', {}, marked),
    said(11, 'k', {}, marked),
    prompt,
    said(13, 'l'),
  ]);
});

test('the history of an agent without storage is loaded whole by a client without cursors, in another gateway too', async () => {
  const loads: boolean[] = [];
  const forgetful: HostedAgent = {
    start: async (options) => {
      const [near, wire] = memoryPair();
      serveAgent({ ...speaker().definition, store: undefined }, { transport: wire, log: () => undefined });
      const agent = await attachAgent(near, options);
      loads.push(agent.loadSession !== undefined || agent.resumeSession !== undefined);
      return agent;
    },
  };
  const parts = { store: memoryStore(), agents: { test: forgetful }, cwd };
  const before = new Gateway(parts);
  const first = await testClient(before);
  const { sessionId } = await first.peer.request('session/new', { cwd, mcpServers: [] });
  await first.peer.request('session/prompt', { sessionId, prompt: words('one two') });
  await before.close();
  await using gateway = new Gateway(parts);
  const second = await testClient(gateway);
  await second.peer.request('session/load', { sessionId, cwd, mcpServers: [] });
  await second.peer.request('session/prompt', { sessionId, prompt: words('three') });
  expect({ loads: new Set(loads), seen: second.seen }).toEqual({
    loads: new Set([false]),
    seen: ['> one two', 'one', 'two', expect.stringContaining('[turnwire] '), 'three'],
  });
});

test('every client sees the prompts and answers with their authors, in the same order', async () => {
  await using gateway = new Gateway({
    store: memoryStore(),
    agents: { test: testAgent(speaker().definition).hosted },
    cwd,
  });
  const watched = async (name: string, answers: boolean): Promise<{ client: TestClient; causes: string[] }> => {
    const causes: string[] = [];
    const client = await testClient(gateway, {
      name,
      capabilities: { _meta: { turnwire: { events: true, ownPrompts: true } } },
      handlers: {
        '_turnwire/event': (params) => {
          const { event } = params as { readonly event: { readonly type: string; readonly by?: { client: string } } };
          causes.push(`${event.type} ${event.by?.client}`);
        },
        'session/request_permission': ({ options: [option] }) =>
          answers
            ? { outcome: { outcome: 'selected', optionId: option?.optionId ?? '' } }
            : new Promise(() => undefined),
      },
    });
    return { client, causes };
  };
  const [laptop, phone] = [await watched('laptop', false), await watched('phone', true)];
  const { sessionId } = await laptop.client.peer.request('session/new', { cwd, mcpServers: [] });
  await phone.client.peer.request('session/resume', { sessionId, cwd });
  await laptop.client.peer.request('session/prompt', { sessionId, prompt: words('ask') });
  await expect.poll(() => phone.causes.at(-1)).toMatch(/^turn-ended/);
  expect(laptop.causes).toEqual(phone.causes);
  expect(laptop.causes).toEqual(expect.arrayContaining(['prompt laptop', 'permission-answered phone']));
});
