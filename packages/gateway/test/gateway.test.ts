import { tmpdir } from 'node:os';
import type { AgentDefinition } from '@turnwire/agent';
import {
  type Handlers,
  type McpServer,
  ProtocolError,
  type ResumeSessionRequest,
  type SessionConfigOption,
  type WaitingPrompt,
} from '@turnwire/protocol';
import { expect, test } from 'vitest';
import { createPermissions } from '@turnwire/permissions';
import { Gateway, type Principal } from '../src/index.ts';
import { memoryStore, type SessionRules } from '@turnwire/runtime';
import { testAgent } from './attached-agent.ts';
import { type TestClient, testClient, words } from './gateway-client.ts';
import { speaker } from './speaker.ts';

const cwd = tmpdir();

test('a client uses a session through the gateway as it would use the agent itself', async () => {
  await using gateway = new Gateway({
    store: memoryStore(),
    agents: { test: testAgent(speaker().definition).hosted },
    cwd,
  });
  const client = await testClient(gateway);
  expect(client.peer.remote?.agentInfo).toEqual({ name: 'speaker', version: '1.0.0' });
  const { sessionId } = await client.peer.request('session/new', { cwd, mcpServers: [] });
  const answer = await client.peer.request('session/prompt', { sessionId, prompt: words('one two') });
  expect(answer.stopReason).toBe('end_turn');
  expect(client.seen).toEqual(['one', 'two']);
});

test('two clients see the same turn, and one answers the permission request that both received', async () => {
  const { definition } = speaker();
  await using gateway = new Gateway({ store: memoryStore(), agents: { test: testAgent(definition).hosted }, cwd });
  const cancelled: string[] = [];
  let askFirst = (): void => undefined;
  const firstIsAsked = new Promise<void>((resolve) => (askFirst = resolve));
  const first = await testClient(gateway, {
    handlers: {
      'session/request_permission': (_, { signal }) =>
        new Promise((resolve) => {
          askFirst();
          signal.addEventListener('abort', () => {
            cancelled.push('first');
            resolve({ outcome: { outcome: 'cancelled' } });
          });
        }),
    },
  });
  const second = await testClient(gateway, {
    handlers: {
      'session/request_permission': async ({ options }) => {
        await firstIsAsked;
        const once = options.find(({ kind }) => kind === 'allow_once');
        return { outcome: { outcome: 'selected', optionId: once?.optionId as string } };
      },
    },
  });
  const { sessionId } = await first.peer.request('session/new', { cwd, mcpServers: [] });
  await second.peer.request('session/resume', { sessionId, cwd });
  const { stopReason } = await first.peer.request('session/prompt', { sessionId, prompt: words('a ask b') });
  await expect.poll(() => second.seen.at(-1)).toBe('b');
  expect({ stopReason, cancelled, first: first.seen, second: second.seen }).toEqual({
    stopReason: 'end_turn',
    cancelled: ['first'],
    first: ['a', 'tool_call', 'tool_call_update', 'allowed', 'b'],
    second: ['> a ask b', 'a', 'tool_call', 'tool_call_update', 'allowed', 'b'],
  });
});

test('a turn continues without its client, and a client that reconnects with a cursor misses nothing', async () => {
  const { definition, release } = speaker();
  await using gateway = new Gateway({ store: memoryStore(), agents: { test: testAgent(definition).hosted }, cwd });
  const lost = await testClient(gateway);
  const { sessionId } = await lost.peer.request('session/new', { cwd, mcpServers: [] });
  const prompted = lost.peer.request('session/prompt', { sessionId, prompt: words('one wait two') });
  prompted.catch(() => undefined);
  await expect.poll(() => lost.seen).toEqual(['one']);
  lost.destroy();
  release();
  const back = await testClient(gateway);
  const after = { turnwire: { after: lost.cursor } };
  await back.peer.request('session/resume', { sessionId, cwd, _meta: after });
  await expect.poll(() => back.seen).toEqual(['wait', 'two']);
  const loaded = await testClient(gateway);
  await loaded.peer.request('session/load', { sessionId, cwd, mcpServers: [] });
  expect(loaded.seen).toEqual(['> one wait two', 'one', 'wait', 'two']);
});

test('a client that asks for it receives its own prompts in the order of the log, and the time of each event', async () => {
  const { definition } = speaker();
  await using gateway = new Gateway({ store: memoryStore(), agents: { test: testAgent(definition).hosted }, cwd });
  const times: unknown[] = [];
  const client = await testClient(gateway, {
    capabilities: { _meta: { turnwire: { events: true, ownPrompts: true } } },
    handlers: {
      'session/update': ({ _meta }) =>
        void times.push((_meta?.['turnwire'] as { readonly at?: unknown } | undefined)?.at),
    },
  });
  const { sessionId } = await client.peer.request('session/new', { cwd, mcpServers: [] });
  await client.peer.request('session/prompt', { sessionId, prompt: words('one two') });
  expect({ seen: client.seen, times }).toEqual({
    seen: ['event prompt', 'event turn-ended'],
    times: [expect.any(Number), expect.any(Number)],
  });
});

test('a permission request waits for a client that reconnects, and its answer counts once', async () => {
  const { definition } = speaker();
  await using gateway = new Gateway({ store: memoryStore(), agents: { test: testAgent(definition).hosted }, cwd });
  const asked: string[] = [];
  const lost = await testClient(gateway, {
    handlers: { 'session/request_permission': () => (asked.push('lost'), new Promise(() => undefined)) },
  });
  const { sessionId } = await lost.peer.request('session/new', { cwd, mcpServers: [] });
  lost.peer.request('session/prompt', { sessionId, prompt: words('ask end') }).catch(() => undefined);
  await expect.poll(() => asked).toEqual(['lost']);
  lost.destroy();
  const back = await testClient(gateway, {
    handlers: {
      'session/request_permission': ({ options }) => {
        asked.push('back');
        return { outcome: { outcome: 'selected', optionId: options[0]?.optionId as string } };
      },
    },
  });
  await back.peer.request('session/load', { sessionId, cwd, mcpServers: [] });
  await expect.poll(() => back.seen.at(-1)).toBe('end');
  expect({ asked, seen: back.seen }).toEqual({
    asked: ['lost', 'back'],
    seen: ['> ask end', 'tool_call', 'tool_call_update', 'allowed', 'end'],
  });
});

test('a permission request without an answer in time is rejected', async () => {
  const { definition } = speaker();
  await using gateway = new Gateway({
    store: memoryStore(),
    agents: { test: testAgent(definition).hosted },
    cwd,
    limits: { question: 1 },
  });
  const client = await testClient(gateway, {
    handlers: { 'session/request_permission': () => new Promise(() => undefined) },
  });
  const { sessionId } = await client.peer.request('session/new', { cwd, mcpServers: [] });
  await client.peer.request('session/prompt', { sessionId, prompt: words('ask end') });
  expect(client.seen).toEqual(['tool_call', 'tool_call_update', 'rejected', 'end']);
});

test('two prompts with the same key are one turn', async () => {
  const { definition, release } = speaker();
  await using gateway = new Gateway({ store: memoryStore(), agents: { test: testAgent(definition).hosted }, cwd });
  const client = await testClient(gateway);
  const { sessionId } = await client.peer.request('session/new', { cwd, mcpServers: [] });
  const prompt = { sessionId, prompt: words('one wait two'), _meta: { turnwire: { key: 'k1' } } };
  const [first, second] = [
    client.peer.request('session/prompt', prompt),
    client.peer.request('session/prompt', prompt),
  ];
  release();
  const both = await Promise.all([first, second]);
  const later = await client.peer.request('session/prompt', prompt);
  const reasons = [...both, later].map(({ stopReason }) => stopReason);
  expect({ reasons, seen: client.seen }).toEqual({
    reasons: ['end_turn', 'end_turn', 'end_turn'],
    seen: ['one', 'wait', 'two'],
  });
});

test('a session continues in another gateway, which closes the turn that was running', async () => {
  const { definition } = speaker();
  const store = memoryStore();
  const agent = testAgent(definition);
  const gone = new Gateway({ store, agents: { test: agent.hosted }, cwd });
  const before = await testClient(gone);
  const { sessionId } = await before.peer.request('session/new', { cwd, mcpServers: [] });
  before.peer.request('session/prompt', { sessionId, prompt: words('one wait') }).catch(() => undefined);
  await expect.poll(() => before.seen).toEqual(['one']);

  await using gateway = new Gateway({ store, agents: { test: agent.hosted }, cwd });
  const client = await testClient(gateway);
  await client.peer.request('session/load', { sessionId, cwd, mcpServers: [] });
  expect(client.seen).toEqual(['> one wait', 'one', '[turnwire] The turn was interrupted: its host ended.\n\n']);
  // The agent of the first gateway would still have the session.
  await agent.crash('first');
  await client.peer.request('session/prompt', { sessionId, prompt: words('two') });
  expect(client.seen.slice(3)).toEqual(['two']);
  await gone.close();
});

test('an agent that crashes fails its turn, and the next prompt starts another agent with the session', async () => {
  const { definition } = speaker();
  const agent = testAgent(definition);
  await using gateway = new Gateway({ store: memoryStore(), agents: { test: agent.hosted }, cwd });
  const client = await testClient(gateway);
  const { sessionId } = await client.peer.request('session/new', { cwd, mcpServers: [] });
  const prompted = client.peer.request('session/prompt', { sessionId, prompt: words('one wait') });
  prompted.catch(() => undefined);
  await expect.poll(() => client.seen).toEqual(['one']);
  await agent.crash();
  await expect(prompted).rejects.toThrow('crashed');
  await client.peer.request('session/prompt', { sessionId, prompt: words('two') });
  expect({ starts: agent.starts, seen: client.seen }).toEqual({ starts: 2, seen: ['one', 'two'] });
});

test('an observer sees everything and may change nothing', async () => {
  const { definition } = speaker();
  await using gateway = new Gateway({ store: memoryStore(), agents: { test: testAgent(definition).hosted }, cwd });
  const client = await testClient(gateway);
  const { sessionId } = await client.peer.request('session/new', { cwd, mcpServers: [] });
  const watcher = await testClient(gateway, { principal: { tenant: 'local', scope: 'observe' } });
  await watcher.peer.request('session/load', { sessionId, cwd, mcpServers: [] });
  await client.peer.request('session/prompt', { sessionId, prompt: words('one') });
  await expect.poll(() => watcher.seen).toEqual(['> one', 'one']);
  const refusal = 'This client may only watch: it is connected as an observer';
  const { peer } = watcher;
  await expect(peer.request('session/prompt', { sessionId, prompt: words('x') })).rejects.toThrow(refusal);
  await expect(peer.request('session/new', { cwd, mcpServers: [] })).rejects.toThrow(refusal);
  await expect(peer.request('session/close', { sessionId })).rejects.toThrow(refusal);
  await expect(peer.request('session/delete', { sessionId })).rejects.toThrow(refusal);
});

test('sessions of another tenant are refused like sessions that do not exist', async () => {
  const { definition } = speaker();
  await using gateway = new Gateway({ store: memoryStore(), agents: { test: testAgent(definition).hosted }, cwd });
  const client = await testClient(gateway);
  const { sessionId } = await client.peer.request('session/new', { cwd, mcpServers: [] });
  await client.peer.request('session/prompt', { sessionId, prompt: words('one') });
  const stranger = await testClient(gateway, { principal: { tenant: 'other', scope: 'admin' } });
  const refused = (id: string): Promise<unknown> =>
    stranger.peer
      .request('session/load', { sessionId: id, cwd, mcpServers: [] })
      .catch((error: unknown) => (error as Error).message);
  expect([await refused(sessionId), await refused('x')]).toEqual([
    `There is no session ${sessionId}`,
    'There is no session x',
  ]);
  const lists = [client, stranger].map(async ({ peer }) => (await peer.request('session/list', {})).sessions.length);
  expect(await Promise.all(lists)).toEqual([1, 0]);
});

test('a session without clients stops its agent after a while, and the next prompt starts another one', async () => {
  const { definition } = speaker();
  const agent = testAgent(definition);
  await using gateway = new Gateway({
    store: memoryStore(),
    agents: { test: agent.hosted },
    cwd,
    limits: { idle: 1 },
  });
  const first = await testClient(gateway);
  const { sessionId } = await first.peer.request('session/new', { cwd, mcpServers: [] });
  await first.peer.request('session/prompt', { sessionId, prompt: words('one') });
  first.destroy();
  await expect.poll(() => gateway.sessions).toBe(0);
  const client = await testClient(gateway);
  await client.peer.request('session/load', { sessionId, cwd, mcpServers: [] });
  expect({ starts: agent.starts, seen: client.seen }).toEqual({ starts: 1, seen: ['> one', 'one'] });
  await client.peer.request('session/prompt', { sessionId, prompt: words('two') });
  expect({ starts: agent.starts, seen: client.seen }).toEqual({ starts: 2, seen: ['> one', 'one', 'two'] });
});

test('a queued prompt that is cancelled never runs', async () => {
  const { definition, release } = speaker();
  await using gateway = new Gateway({ store: memoryStore(), agents: { test: testAgent(definition).hosted }, cwd });
  const client = await testClient(gateway);
  const { sessionId } = await client.peer.request('session/new', { cwd, mcpServers: [] });
  const running = client.peer.request('session/prompt', { sessionId, prompt: words('wait one') });
  const cancel = new AbortController();
  const waiting = client.peer.request('session/prompt', { sessionId, prompt: words('two') }, { signal: cancel.signal });
  cancel.abort();
  await expect(waiting).resolves.toMatchObject({ stopReason: 'cancelled' });
  release();
  await running;
  expect(client.seen).toEqual(['wait', 'one']);
});

test('every client that reads events sees the queued prompts and their authors, and any controlling client withdraws one', async () => {
  const { definition, release } = speaker();
  await using gateway = new Gateway({ store: memoryStore(), agents: { test: testAgent(definition).hosted }, cwd });
  const capabilities = { _meta: { turnwire: { events: true } } };
  const lists: string[][] = [];
  const handlers: Handlers<'client'> = {
    '_turnwire/queue': (params) => {
      const { waiting } = params as { readonly waiting: readonly WaitingPrompt[] };
      lists.push(waiting.map(({ text, by, turnId }) => `${turnId} ${by.client}: ${text}`));
    },
  };
  const first = await testClient(gateway, { name: 'first' });
  const second = await testClient(gateway, { name: 'second' });
  const watcher = await testClient(gateway, { name: 'watcher', capabilities, handlers });
  const { sessionId } = await first.peer.request('session/new', { cwd, mcpServers: [] });
  const prompt = ({ peer }: TestClient, text: string): Promise<unknown> =>
    peer.request('session/prompt', { sessionId, prompt: words(text) }).then(({ stopReason }) => stopReason);
  const running = prompt(first, 'one wait');
  await second.peer.request('session/resume', { sessionId, cwd });
  const waiting = [prompt(second, 'two')];
  await expect.poll(() => first.seen).toEqual(['one']);
  await watcher.peer.request('session/load', { sessionId, cwd, mcpServers: [] });
  await expect.poll(() => lists.at(-1)).toEqual(['1-2 second: two']);
  waiting.push(prompt(first, 'three'));
  await expect.poll(() => lists.at(-1)).toEqual(['1-2 second: two', '1-3 first: three']);
  const withdraw = (turnId: string): Promise<unknown> =>
    first.peer.request('_turnwire/withdraw', { sessionId, turnId });
  expect([await withdraw('1-2'), await withdraw('1-1'), await withdraw('x')]).toEqual([
    { withdrawn: true },
    { withdrawn: false },
    { withdrawn: false },
  ]);
  await expect.poll(() => lists.at(-1)).toEqual(['1-3 first: three']);
  release();
  expect(await Promise.all([running, ...waiting])).toEqual(['end_turn', 'cancelled', 'end_turn']);
  await expect.poll(() => lists.at(-1)).toEqual([]);
  await expect.poll(() => second.seen.slice(-2)).toEqual(['> three', 'three']);
});

test('any controlling client can move a queued prompt to the start of the queue', async () => {
  const { definition, release } = speaker();
  await using gateway = new Gateway({ store: memoryStore(), agents: { test: testAgent(definition).hosted }, cwd });
  const [first, second] = [await testClient(gateway), await testClient(gateway)];
  const { sessionId } = await first.peer.request('session/new', { cwd, mcpServers: [] });
  const prompt = ({ peer }: TestClient, text: string): Promise<unknown> =>
    peer.request('session/prompt', { sessionId, prompt: words(text) });
  const running = prompt(first, 'one wait');
  await second.peer.request('session/resume', { sessionId, cwd });
  await expect.poll(() => first.seen).toEqual(['one']);
  const waiting = [prompt(first, 'two'), prompt(first, 'three'), prompt(first, 'four')];
  const advance = (turnId: string): Promise<unknown> => second.peer.request('_turnwire/advance', { sessionId, turnId });
  expect([await advance('1-4'), await advance('1-3'), await advance('1-1'), await advance('x')]).toEqual([
    { advanced: true },
    { advanced: true },
    { advanced: false },
    { advanced: false },
  ]);
  const shown = async (): Promise<readonly string[]> => {
    const status = await second.peer.request('_turnwire/status', { sessionId });
    return (status as { readonly waiting: readonly WaitingPrompt[] }).waiting.map(({ text }) => text);
  };
  await expect.poll(shown).toEqual(['three', 'four', 'two']);
  release();
  await Promise.all([running, ...waiting]);
  expect(first.seen.filter((text) => !text.startsWith('>'))).toEqual(['one', 'wait', 'three', 'four', 'two']);
});

test('an observer cannot withdraw a prompt', async () => {
  const { definition, release } = speaker();
  await using gateway = new Gateway({ store: memoryStore(), agents: { test: testAgent(definition).hosted }, cwd });
  const client = await testClient(gateway);
  const { sessionId } = await client.peer.request('session/new', { cwd, mcpServers: [] });
  const both = ['wait one', 'two'].map((text) =>
    client.peer.request('session/prompt', { sessionId, prompt: words(text) }),
  );
  const watcher = await testClient(gateway, { principal: { tenant: 'local', scope: 'observe' } });
  await watcher.peer.request('session/load', { sessionId, cwd, mcpServers: [] });
  await expect(watcher.peer.request('_turnwire/withdraw', { sessionId, turnId: '1-2' })).rejects.toThrow('only watch');
  await expect(client.peer.request('_turnwire/withdraw', { sessionId })).rejects.toThrow('{ sessionId, turnId }');
  release();
  await Promise.all(both);
  expect(client.seen).toEqual(['wait', 'one', 'two']);
});

test('an agent that does not request permissions by default is switched to a mode that does', async () => {
  const { definition } = speaker();
  const modes = [
    { id: 'free', name: 'Free' },
    { id: 'asking', name: 'Asking' },
  ];
  const agent = testAgent({ ...definition, modes });
  const differences = { asking: { by: 'mode', modeId: 'asking' } } as const;
  await using gateway = new Gateway({ store: memoryStore(), agents: { test: { ...agent.hosted, differences } }, cwd });
  const client = await testClient(gateway);
  const { sessionId, modes: first } = await client.peer.request('session/new', { cwd, mcpServers: [] });
  expect(first?.currentModeId).toBe('asking');
  await client.peer.request('session/set_mode', { sessionId, modeId: 'free' });
  await client.peer.request('session/prompt', { sessionId, prompt: words('one') });
  const loaded = await client.peer.request('session/load', { sessionId, cwd, mcpServers: [] });
  expect(loaded.modes?.currentModeId).toBe('free');
});

test('a client receives boolean options only if it declares support for them', async () => {
  const { definition } = speaker();
  const choice = {
    type: 'select',
    id: 'pace',
    name: 'Pace',
    currentValue: 'slow',
    options: [{ value: 'slow', name: 'Slow' }],
  };
  const toggle = { type: 'boolean', id: 'loud', name: 'Loud', currentValue: true };
  const agent = testAgent({ ...definition, configOptions: () => [choice, toggle] as SessionConfigOption[] });
  await using gateway = new Gateway({ store: memoryStore(), agents: { test: agent.hosted }, cwd });
  const plain = await testClient(gateway);
  const knowing = await testClient(gateway, { capabilities: { session: { configOptions: { boolean: {} } } } });
  const { sessionId, configOptions } = await plain.peer.request('session/new', { cwd, mcpServers: [] });
  const other = await knowing.peer.request('session/resume', { sessionId, cwd });
  const set = await plain.peer.request('session/set_config_option', { sessionId, configId: 'pace', value: 'slow' });
  const ids = [configOptions, other.configOptions, set.configOptions].map((options) => options?.map(({ id }) => id));
  expect(ids).toEqual([['pace'], ['pace', 'loud'], ['pace']]);
});

test('a client that closes a session leaves it to the others, and the last one ends it', async () => {
  const { definition } = speaker();
  await using gateway = new Gateway({ store: memoryStore(), agents: { test: testAgent(definition).hosted }, cwd });
  const [first, second] = [await testClient(gateway), await testClient(gateway)];
  const { sessionId } = await first.peer.request('session/new', { cwd, mcpServers: [] });
  await second.peer.request('session/resume', { sessionId, cwd });
  await first.peer.request('session/close', { sessionId });
  await second.peer.request('session/prompt', { sessionId, prompt: words('one') });
  await expect(first.peer.request('session/prompt', { sessionId, prompt: words('two') })).rejects.toThrow(
    `The session ${sessionId} is not open here: load or resume it first`,
  );
  const before = gateway.agents;
  await second.peer.request('session/close', { sessionId });
  expect({ seen: second.seen, first: first.seen, before, after: gateway.agents }).toEqual({
    seen: ['one'],
    first: [],
    before: 1,
    after: 0,
  });
});

test('a session that was never prompted is not listed after it closes', async () => {
  const { definition } = speaker();
  await using gateway = new Gateway({ store: memoryStore(), agents: { test: testAgent(definition).hosted }, cwd });
  const { peer } = await testClient(gateway);
  const { sessionId: empty } = await peer.request('session/new', { cwd, mcpServers: [] });
  const { sessionId: used } = await peer.request('session/new', { cwd, mcpServers: [] });
  await peer.request('session/prompt', { sessionId: used, prompt: words('one') });
  await peer.request('session/close', { sessionId: empty });
  await peer.request('session/close', { sessionId: used });
  const { sessions } = await peer.request('session/list', {});
  expect(sessions.map(({ sessionId, title }) => ({ sessionId, title }))).toEqual([{ sessionId: used, title: 'one' }]);
});

test('clients that open a closed session at once share one agent and one log', async () => {
  const { definition } = speaker();
  const [store, agent] = [memoryStore(), testAgent(definition)];
  const before = new Gateway({ store, agents: { test: agent.hosted }, cwd });
  const first = await testClient(before);
  const { sessionId } = await first.peer.request('session/new', { cwd, mcpServers: [] });
  await first.peer.request('session/prompt', { sessionId, prompt: words('one') });
  await before.close();

  await using gateway = new Gateway({ store, agents: { test: agent.hosted }, cwd });
  const [second, third] = [await testClient(gateway), await testClient(gateway)];
  await Promise.all(
    [second, third].map(({ peer }) => peer.request('session/load', { sessionId, cwd, mcpServers: [] })),
  );
  await second.peer.request('session/prompt', { sessionId, prompt: words('two') });
  await expect.poll(() => third.seen).toEqual(['> one', 'one', '> two', 'two']);
  expect({ second: second.seen, sessions: gateway.sessions }).toEqual({
    second: ['> one', 'one', 'two'],
    sessions: 1,
  });
});

test('a stored session in a folder that is not allowed is not listed, loaded or deleted', async () => {
  const { definition } = speaker();
  const [store, agent] = [memoryStore(), testAgent(definition)];
  const anywhere = new Gateway({ store, agents: { test: agent.hosted }, cwd });
  const owner = await testClient(anywhere);
  const { sessionId } = await owner.peer.request('session/new', { cwd, mcpServers: [] });
  await owner.peer.request('session/prompt', { sessionId, prompt: words('one') });
  await anywhere.close();

  const admit = (): never => {
    throw new ProtocolError(-32602, 'not in this folder');
  };
  await using gateway = new Gateway({ store, agents: { test: agent.hosted }, cwd, admit });
  const { peer } = await testClient(gateway);
  for (const refused of [
    peer.request('session/load', { sessionId, cwd, mcpServers: [] }),
    peer.request('session/resume', { sessionId, cwd }),
    peer.request('session/delete', { sessionId }),
  ])
    await expect(refused).rejects.toThrow('not in this folder');
  expect(await peer.request('session/list', {})).toEqual({ sessions: [] });
  expect((await store.find('local', sessionId))?.title).toBe('one');
});

test('a client that opens a session again gives it its folders and MCP servers, unless another client uses it or reads events', async () => {
  const opened: unknown[] = [];
  const { definition } = speaker();
  const noted: AgentDefinition = {
    ...definition,
    additionalDirectories: true,
    openSession: ({ additionalDirectories, mcpServers }) =>
      void opened.push([additionalDirectories, mcpServers.map(({ name }) => name)]),
  };
  const { hosted } = testAgent(noted);
  await using gateway = new Gateway({ store: memoryStore(), agents: { test: hosted }, cwd });
  const [first, second] = [await testClient(gateway), await testClient(gateway)];
  const reader = await testClient(gateway, { capabilities: { _meta: { turnwire: { events: true } } } });
  const server = (name: string): McpServer => ({ name, command: '/bin/true', args: [], env: [] });
  const { sessionId } = await first.peer.request('session/new', {
    ...{ cwd, additionalDirectories: ['/one'] },
    mcpServers: [server('a')],
  });
  await first.peer.request('session/prompt', { sessionId, prompt: words('one') });
  const again = async ({ peer }: TestClient, setUp: Partial<ResumeSessionRequest>): Promise<void> => {
    await peer.request('session/resume', { sessionId, cwd, ...setUp });
    await peer.request('session/prompt', { sessionId, prompt: words('next') });
  };
  await again(second, { mcpServers: [server('b')] });
  await second.peer.request('session/close', { sessionId });
  await again(first, { additionalDirectories: ['/two'], mcpServers: [server('b')] });
  await first.peer.request('session/close', { sessionId });
  await again(reader, {});
  await reader.peer.request('session/close', { sessionId });
  await again(second, {});
  expect(opened).toEqual([
    [['/one'], ['a']],
    [['/two'], ['b']],
    [['/two'], ['b']],
    [[], []],
  ]);
});

test('a prompt sets limits, and its answer reports the reason for the end of the turn and its permission decisions', async () => {
  await using gateway = new Gateway({
    store: memoryStore(),
    agents: { test: testAgent(speaker().definition).hosted },
    cwd,
  });
  const client = await testClient(gateway, {
    handlers: {
      'session/request_permission': ({ options }) => ({
        outcome: { outcome: 'selected', optionId: options.at(-1)?.optionId ?? '' },
      }),
    },
  });
  const { sessionId } = await client.peer.request('session/new', { cwd, mcpServers: [] });
  const ended = async (text: string, turnwire: object): Promise<unknown> => {
    const prompt = { sessionId, prompt: words(text), _meta: { turnwire } };
    const { stopReason, _meta } = await client.peer.request('session/prompt', prompt);
    const { decisions, stopped } = (_meta?.['turnwire'] ?? {}) as Record<string, unknown>;
    return { stopReason, decisions, ...(stopped !== undefined && { stopped }) };
  };
  expect([
    await ended('ask wait', { limits: { seconds: 0.2 } }),
    await ended('one', { limits: { seconds: 60, cost: 5 } }),
  ]).toEqual([
    {
      stopReason: 'cancelled',
      decisions: { asked: 1, allowed: 0 },
      stopped: { reason: 'seconds', message: 'stopped: it took longer than 0.2 s' },
    },
    { stopReason: 'end_turn', decisions: { asked: 0, allowed: 0 } },
  ]);
  await expect(ended('one', { limits: { seconds: 'many' } })).rejects.toThrow(
    '_meta.turnwire.limits.seconds: a number',
  );
});

test("only the owner's prompts may carry rules, which may end the turn", async () => {
  const given: unknown[] = [];
  const rules: SessionRules = (record, parts) => {
    given.push(parts.given);
    const stops = async (): Promise<undefined> => parts.stop('stopped: nobody may be asked') as undefined;
    return createPermissions({ project: record.cwd, ask: parts.given === 'unattended' ? stops : parts.ask });
  };
  const agents = { test: testAgent(speaker().definition).hosted };
  await using gateway = new Gateway({ store: memoryStore(), agents, cwd, rules });
  const prompted = async (principal: Principal): Promise<unknown> => {
    const client = await testClient(gateway, { principal });
    const { sessionId } = await client.peer.request('session/new', { cwd, mcpServers: [] });
    const prompt = { sessionId, prompt: words('ask'), _meta: { turnwire: { rules: 'unattended' } } };
    const { _meta } = await client.peer.request('session/prompt', prompt);
    return (_meta?.['turnwire'] as { readonly stopped?: unknown } | undefined)?.stopped;
  };
  expect(await prompted({ tenant: 'local', scope: 'admin', isOwner: true })).toEqual({
    reason: 'rules',
    message: 'stopped: nobody may be asked',
  });
  expect(given).toEqual([undefined, 'unattended']);
  for (const principal of [
    { tenant: 'local', scope: 'control' },
    { tenant: 'blue', scope: 'admin' },
  ] as const)
    await expect(prompted(principal)).rejects.toThrow('only clients of the owner may give rules');
});

test('a client without a user receives no permission requests: they wait for a client with a user', async () => {
  await using gateway = new Gateway({
    store: memoryStore(),
    agents: { test: testAgent(speaker().definition).hosted },
    cwd,
  });
  const script = await testClient(gateway, { capabilities: { _meta: { turnwire: { asks: false } } } });
  const { sessionId } = await script.peer.request('session/new', { cwd, mcpServers: [] });
  const answer = script.peer.request('session/prompt', { sessionId, prompt: words('ask') });
  const user = await testClient(gateway, {
    handlers: {
      'session/request_permission': ({ options }) => ({
        outcome: { outcome: 'selected', optionId: options[0]?.optionId ?? '' },
      }),
    },
  });
  await user.peer.request('session/resume', { sessionId, cwd, mcpServers: [] });
  expect((await answer).stopReason).toBe('end_turn');
  expect(script.seen.at(-1)).toBe('allowed');
});
