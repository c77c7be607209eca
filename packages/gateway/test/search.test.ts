import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { defineAgent } from '@turnwire/agent';
import type { TurnwireMethods } from '@turnwire/protocol';
import { memoryStore, sqliteStore, type SessionStore } from '@turnwire/runtime';
import { mkdtemp } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { Gateway, type Principal } from '../src/index.ts';
import { testAgent } from './attached-agent.ts';
import { testClient, type TestClient, words } from './gateway-client.ts';

const cwd = tmpdir();

/** Runs a command, and answers with the prompt in upper case, word by word. `die`: the turn stays open. */
const definition = defineAgent({
  info: { name: 'loud', version: '1.0.0' },
  prompt: async (turn) => {
    await turn.update({
      ...{ sessionUpdate: 'tool_call', toolCallId: `call ${turn.text}`, title: 'Run a command', kind: 'execute' },
      rawInput: { command: `grep ${turn.text.split(' ').at(-1)}` },
    });
    for (const word of turn.text.toUpperCase().split(/(?<= )/)) await turn.say(word);
    if (turn.text.startsWith('die')) await new Promise((resolve) => turn.signal.addEventListener('abort', resolve));
  },
});

function testGateway(store: SessionStore = memoryStore()): Gateway {
  return new Gateway({ store, agents: { test: testAgent(definition).hosted }, cwd });
}

async function prompted(client: TestClient, text: string): Promise<string> {
  const { sessionId } = await client.peer.request('session/new', { cwd, mcpServers: [] });
  await client.peer.request('session/prompt', { sessionId, prompt: words(text) });
  return sessionId;
}

type Found = TurnwireMethods['_turnwire/search']['result'];

function search(client: TestClient, params: object): Promise<Found> {
  return client.peer.raw.request('_turnwire/search', params) as Promise<Found>;
}

/** The kinds and the snippets of the found texts, by session. */
async function foundTexts(client: TestClient, text: string): Promise<Readonly<Record<string, readonly string[]>>> {
  const { sessions } = await search(client, { text });
  return Object.fromEntries(
    sessions.map(({ session, matches }) => [session.sessionId, matches.map((each) => `${each.kind}: ${each.text}`)]),
  );
}

test('a client finds prompts, messages, calls and titles of its sessions, with marks and cursors', async () => {
  await using gateway = testGateway();
  const client = await testClient(gateway);
  const sessionId = await prompted(client, 'fix the flaky parser');
  const { sessions } = await search(client, { text: 'PARS fix' });
  const [found] = sessions;
  expect(found?.session).toMatchObject({ sessionId, cwd, title: 'fix the flaky parser', _meta: { turnwire: {} } });
  expect(found?.matches.map(({ kind, text, marks }) => ({ kind, text, marks }))).toEqual([
    ...[
      {
        kind: 'title',
        text: 'fix the flaky parser',
        marks: [
          [0, 3],
          [14, 20],
        ],
      },
    ],
    ...[
      {
        kind: 'message',
        text: 'FIX THE FLAKY PARSER',
        marks: [
          [0, 3],
          [14, 20],
        ],
      },
    ],
    ...[
      {
        kind: 'prompt',
        text: 'fix the flaky parser',
        marks: [
          [0, 3],
          [14, 20],
        ],
      },
    ],
  ]);
  expect(await foundTexts(client, 'grep')).toEqual({ [sessionId]: ['call: Run a command grep parser'] });
  // The cursor of a message is the place of its first event in the history.
  const cursor = found?.matches[1]?.cursor ?? '';
  const [epoch, sequence] = cursor.split('.').map(Number);
  const page = (await client.peer.raw.request('_turnwire/history', {
    ...{ sessionId, after: `${epoch}.${(sequence ?? 0) - 1}`, limit: 1 },
  })) as { readonly events: readonly object[] };
  expect(page.events).toMatchObject([{ cursor, event: { update: { content: { text: 'FIX ' } } } }]);
});

test('a renamed session is found by its new title alone, and a deleted one by nothing', async () => {
  await using gateway = testGateway();
  const client = await testClient(gateway);
  const sessionId = await prompted(client, 'alpha');
  await client.peer.raw.request('_turnwire/rename', { sessionId, title: 'beta' });
  await client.peer.request('session/prompt', { sessionId, prompt: words('gamma') });
  expect(await foundTexts(client, 'beta')).toEqual({ [sessionId]: ['title: beta'] });
  expect((await foundTexts(client, 'alpha'))[sessionId]).not.toContain('title: alpha');
  await client.peer.raw.request('session/delete', { sessionId });
  for (const text of ['alpha', 'beta', 'gamma', 'grep']) expect(await foundTexts(client, text)).toEqual({});
});

const strangers: readonly (readonly [string, (session: string) => Principal, boolean])[] = [
  ['another tenant', () => ({ tenant: 'red', scope: 'admin' }), false],
  ['another tenant that names the session', (session) => ({ tenant: 'red', scope: 'observe', session }), false],
  ['the same tenant limited to another session', () => ({ tenant: 'blue', scope: 'observe', session: 'x' }), false],
  ['the same tenant limited to the session', (session) => ({ tenant: 'blue', scope: 'observe', session }), true],
];

test.each(strangers)('%s finds exactly what its list shows', async (_, principalOf, isShown) => {
  await using gateway = testGateway();
  const owner = await testClient(gateway, { principal: { tenant: 'blue', scope: 'admin' } });
  const sessionId = await prompted(owner, 'secret plan');
  await prompted(owner, 'secret recipe');
  const client = await testClient(gateway, { principal: principalOf(sessionId) });
  const listed = await client.peer.request('session/list', {});
  const ids = [sessionId].filter(() => isShown);
  expect(listed.sessions.map((each) => each.sessionId)).toEqual(ids);
  for (const text of ['secret', 's', 'grep', 'Run']) expect(Object.keys(await foundTexts(client, text))).toEqual(ids);
});

test('sessions in folders that the gateway does not allow are not found', async () => {
  const store = memoryStore();
  await using gateway = testGateway(store);
  await prompted(await testClient(gateway), 'alpha');
  await using other = new Gateway({
    ...{ store, agents: { test: testAgent(definition).hosted }, cwd },
    admit: () => Promise.reject(new Error('not here')),
  });
  expect(await foundTexts(await testClient(other), 'alpha')).toEqual({});
});

test('the texts of a turn whose gateway was killed are found once another one opens the session', async () => {
  const path = join(await mkdtemp(join(cwd, 'turnwire-search-')), 'sessions.sqlite');
  const store = sqliteStore({ path });
  const lost = testGateway(store);
  const client = await testClient(lost);
  const { sessionId } = await client.peer.request('session/new', { cwd, mcpServers: [] });
  client.peer.request('session/prompt', { sessionId, prompt: words('die slowly') }).catch(() => undefined);
  await expect.poll(() => client.seen.join('')).toContain('SLOWLY');

  // The first gateway has lost its claim, as if it were dead.
  await using gateway = testGateway(sqliteStore({ path }));
  const next = await testClient(gateway);
  expect(await foundTexts(next, 'slowly')).toEqual({});
  await next.peer.request('session/load', { sessionId, cwd, mcpServers: [] });
  expect(await foundTexts(next, 'slowly')).toEqual({
    [sessionId]: ['title: die slowly', 'message: DIE SLOWLY', 'call: Run a command grep slowly'],
  });
  await lost.close();
  await store.close();
});

test.each([
  [{}, '_turnwire/search: { text } is needed, with up to 1000 characters'],
  [{ text: 'x'.repeat(1_001) }, '_turnwire/search: { text } is needed, with up to 1000 characters'],
  [{ text: 'x', limit: 51 }, '_turnwire/search: limit is a whole number from 1 to 50'],
])('the search refuses invalid parameters', async (params, message) => {
  await using gateway = testGateway();
  await expect(search(await testClient(gateway), params)).rejects.toThrow(message);
});
