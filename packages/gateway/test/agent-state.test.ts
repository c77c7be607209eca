import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type AgentDefinition, authenticationRequired, memoryStore as agentStore } from '@turnwire/agent';
import type { Handlers } from '@turnwire/protocol';
import { pause } from '@turnwire/machine/waits';
import { expect, test } from 'vitest';
import { Gateway } from '../src/index.ts';
import { memoryStore } from '@turnwire/runtime';
import { testAgent } from './attached-agent.ts';
import { type TestClient, testClient, words } from './gateway-client.ts';
import { speaker } from './speaker.ts';

const cwd = tmpdir();
const capabilities = { _meta: { turnwire: { events: true } } };

/** Everything that the gateway sends in addition to updates: the names of states, and short forms of events. */
function news(): { readonly seen: string[]; readonly handlers: Handlers<'client'> } {
  const seen: string[] = [];
  return {
    seen,
    handlers: {
      '_turnwire/state': (params) => {
        const { state } = params as { readonly state: { readonly name: string } };
        seen.push(state.name);
      },
      '_turnwire/event': (params) => {
        const { event } = params as { readonly event: { readonly type: string; readonly message?: string } };
        if (event.type === 'boundary' || event.type === 'turn-failed') seen.push(`${event.type}: ${event.message}`);
      },
    },
  };
}

async function opened(
  gateway: Gateway,
  handlers: Handlers<'client'> = {},
): Promise<TestClient & { sessionId: string }> {
  const client = await testClient(gateway, { capabilities, handlers });
  const { sessionId } = await client.peer.request('session/new', { cwd, mcpServers: [] });
  return { ...client, sessionId };
}

test('a client that reads events sees that the agent works, crashes and is started again', async () => {
  const { definition, release } = speaker();
  const agent = testAgent(definition);
  await using gateway = new Gateway({ store: memoryStore(), agents: { test: agent.hosted }, cwd });
  const { seen, handlers } = news();
  const { peer, sessionId } = await opened(gateway, handlers);
  const waits = peer.request('session/prompt', { sessionId, prompt: words('one wait') });
  await expect.poll(() => seen).toEqual(['working']);
  release();
  await waits;
  await expect.poll(() => seen).toEqual(['working', 'ready']);
  await agent.crash();
  await expect.poll(() => seen.at(-1)).toBe('dead');
  const status = await peer.request('_turnwire/status', { sessionId });
  await peer.request('_turnwire/restart', { sessionId });
  await expect.poll(() => seen.at(-1)).toBe('ready');
  // A short-lived state may be omitted.
  expect({ status, seen: seen.filter((name) => name !== 'starting') }).toEqual({
    status: { state: { name: 'dead', message: expect.stringContaining('the agent crashed') as string }, waiting: [] },
    seen: [
      'working',
      'ready',
      'dead',
      'boundary: The agent was restarted. It knows the earlier conversation.',
      'ready',
    ],
  });
});

test('an enqueued prompt runs without its client, and the next client learns of its failure', async () => {
  const { definition } = speaker();
  await using gateway = new Gateway({ store: memoryStore(), agents: { test: testAgent(definition).hosted }, cwd });
  const first = await opened(gateway);
  const { sessionId } = first;
  const accepted = await first.peer.request('_turnwire/enqueue', { sessionId, prompt: words('one wait fail') });
  first.destroy();
  const second = await testClient(gateway);
  await second.peer.request('session/resume', { sessionId, cwd });
  const runs = second.peer.request('_turnwire/status', { sessionId });
  await expect(second.peer.request('_turnwire/enqueue', { sessionId })).rejects.toThrow('{ sessionId, prompt }');
  expect([accepted, await runs]).toEqual([
    { turnId: '1-1' },
    { state: expect.objectContaining({ name: 'working', agent: definition.info }) as object, waiting: [] },
  ]);
});

test('the next client receives the events that no client was connected for, once', async () => {
  const { definition, release } = speaker();
  await using gateway = new Gateway({ store: memoryStore(), agents: { test: testAgent(definition).hosted }, cwd });
  const first = await opened(gateway);
  const { sessionId } = first;
  await first.peer.request('_turnwire/enqueue', { sessionId, prompt: words('wait fail') });
  first.destroy();
  await expect.poll(() => gateway.connections).toBe(0);
  release();
  await expect.poll(() => gateway.working).toBe(0);
  const told: (readonly string[])[] = [];
  for (const _ of [1, 2]) {
    const { seen, handlers } = news();
    const next = await testClient(gateway, { capabilities, handlers });
    await next.peer.request('session/resume', { sessionId, cwd });
    told.push(seen);
  }
  expect(told).toEqual([[expect.stringMatching(/^turn-failed: The agent failed/)], []]);
});

test('a client that resumes a session wakes its agent, and learns that the agent has lost the session', async () => {
  const { definition } = speaker();
  const store = memoryStore();
  const agent = testAgent(definition);
  await using before = new Gateway({ store, agents: { test: agent.hosted }, cwd });
  const { peer, sessionId } = await opened(before);
  await peer.request('session/prompt', { sessionId, prompt: words('one') });
  await before.close();
  // Another agent with its own memory, which does not contain the session.
  const other = testAgent(definition, agentStore());
  await using gateway = new Gateway({ store, agents: { test: other.hosted }, cwd });
  const { seen, handlers } = news();
  const client = await testClient(gateway, { capabilities, handlers });
  const resume = (turnwire: object): Promise<unknown> =>
    client.peer.request('session/resume', { sessionId, cwd, _meta: { turnwire } });
  await expect(resume({ wake: true, ifLost: 'fail' })).rejects.toThrow('Session not found');
  expect(await resume({ wake: true })).toMatchObject({ _meta: { turnwire: { state: { name: 'ready' } } } });
  expect(seen).toEqual([expect.stringContaining('The agent does not know the earlier conversation.')]);
});

test('a prompt with `ifLost: fail` is refused at its turn if the agent has lost the session', async () => {
  const { definition, release } = speaker();
  const forgetful = agentStore();
  forgetful.open = () => Promise.resolve(undefined);
  const agent = testAgent(definition, forgetful);
  await using gateway = new Gateway({ store: memoryStore(), agents: { test: agent.hosted }, cwd });
  const { peer, sessionId } = await opened(gateway);
  const running = peer.request('session/prompt', { sessionId, prompt: words('one wait') });
  running.catch(() => undefined);
  await expect.poll(() => gateway.working).toBe(1);
  const meta = { turnwire: { ifLost: 'fail' } };
  const waiting = peer.request('session/prompt', { sessionId, prompt: words('two'), _meta: meta });
  waiting.catch(() => undefined);
  await agent.crash();
  await peer.request('_turnwire/restart', { sessionId });
  await expect(waiting).rejects.toThrow('The prompt was not sent: the agent has lost the session');
  release();
});

test('a session whose agent needs a login continues after it', async () => {
  let isLoggedIn = false;
  const { definition } = speaker();
  const agent = testAgent({
    ...definition,
    auth: { methods: [{ id: 'key', name: 'Key' }], authenticate: () => void (isLoggedIn = true) },
    openSession: () => {
      if (!isLoggedIn) throw authenticationRequired();
    },
  });
  const store = memoryStore();
  isLoggedIn = true;
  await using before = new Gateway({ store, agents: { test: agent.hosted }, cwd });
  const { peer, sessionId } = await opened(before);
  await peer.request('session/prompt', { sessionId, prompt: words('one') });
  await before.close();
  isLoggedIn = false;
  await using gateway = new Gateway({ store, agents: { test: agent.hosted }, cwd });
  const { seen, handlers } = news();
  const client = await testClient(gateway, { capabilities, handlers });
  const wake = { sessionId, cwd, _meta: { turnwire: { wake: true } } };
  await expect(client.peer.request('session/resume', wake)).rejects.toMatchObject({ code: -32000 });
  await client.peer.request('session/resume', { sessionId, cwd });
  await client.peer.request('authenticate', { methodId: 'key' });
  await client.peer.request('session/prompt', { sessionId, prompt: words('two') });
  expect(seen).toContain('ready');
});

test('a state follows the events that led to it, even if storing them takes a while', async () => {
  const { definition, release } = speaker();
  const store = memoryStore();
  const append = store.append.bind(store);
  store.append = async (...given) => {
    await pause(20);
    return append(...given);
  };
  await using gateway = new Gateway({ store, agents: { test: testAgent(definition).hosted }, cwd });
  const seen: string[] = [];
  const { peer, sessionId } = await opened(gateway, {
    '_turnwire/state': (params) => void seen.push((params as { readonly state: { readonly name: string } }).state.name),
    '_turnwire/event': (params) => void seen.push((params as { readonly event: { readonly type: string } }).event.type),
  });
  const turn = peer.request('session/prompt', { sessionId, prompt: words('one wait') });
  await expect.poll(() => seen).toEqual(['working']);
  release();
  await turn;
  await expect.poll(() => seen).toHaveLength(3);
  expect(seen).toEqual(['working', 'turn-ended', 'ready']);
});

test('a cost limit that has no effect is reported once', async () => {
  const { definition } = speaker();
  await using gateway = new Gateway({ store: memoryStore(), agents: { test: testAgent(definition).hosted }, cwd });
  const remarks: unknown[] = [];
  const { peer, sessionId } = await opened(gateway, {
    '_turnwire/event': (params) => {
      const { event } = params as { readonly event: { readonly type: string; readonly title?: string } };
      if (event.type === 'remark') remarks.push(event.title);
    },
  });
  const _meta = { turnwire: { limits: { cost: 1 } } };
  for (const text of ['one', 'two']) await peer.request('session/prompt', { sessionId, prompt: words(text), _meta });
  expect(remarks).toEqual(['the agent reports no cost, so the limit of 1 has no effect']);
});

test('sessions created at the same time have separate agents, and each agent sends requests to the client of its session', async () => {
  const agent = testAgent(speaker().definition);
  await using gateway = new Gateway({ store: memoryStore(), agents: { test: agent.hosted }, cwd });
  const asked: string[] = [];
  const clients = await Promise.all(
    ['one', 'two'].map((name) =>
      testClient(gateway, {
        handlers: {
          'session/request_permission': ({ options, sessionId }) => {
            asked.push(`${name} ${sessionId}`);
            return { outcome: { outcome: 'selected', optionId: options[0]?.optionId ?? '' } };
          },
        },
      }),
    ),
  );
  const ids = await Promise.all(
    clients.map(async ({ peer }) => {
      const { sessionId } = await peer.request('session/new', { cwd, mcpServers: [] });
      return sessionId;
    }),
  );
  await Promise.all(
    clients.map(({ peer }, index) =>
      peer.request('session/prompt', { sessionId: ids[index] ?? '', prompt: words('ask') }),
    ),
  );
  expect([asked.toSorted(), agent.starts]).toEqual([[`one ${ids[0]}`, `two ${ids[1]}`], 2]);
});

test('a client may leave files to the gateway although it advertises them for any other agent', async () => {
  const reads: string[] = [];
  const definition: AgentDefinition = {
    info: { name: 'reader', version: '1.0.0' },
    prompt: async (turn) => turn.say(await turn.files.read(join(cwd, 'unsaved.txt')).catch(() => 'not there')),
  };
  await using gateway = new Gateway({ store: memoryStore(), agents: { test: testAgent(definition).hosted }, cwd });
  const answers = [undefined, false].map(async (services) => {
    const { peer, seen } = await testClient(gateway, {
      capabilities: { fs: { readTextFile: true }, _meta: { turnwire: { services } } },
      handlers: {
        'fs/read_text_file': () => {
          reads.push(String(services));
          return { content: 'unsaved words' };
        },
        'session/request_permission': ({ options }) => ({
          outcome: { outcome: 'selected', optionId: options[0]?.optionId ?? '' },
        }),
      },
    });
    const { sessionId } = await peer.request('session/new', { cwd, mcpServers: [] });
    await peer.request('session/prompt', { sessionId, prompt: words('read') });
    return seen;
  });
  expect([await Promise.all(answers), reads]).toEqual([[['unsaved words'], ['not there']], ['undefined']]);
});
