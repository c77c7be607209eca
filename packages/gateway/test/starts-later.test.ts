import { tmpdir } from 'node:os';
import { authenticationRequired, memoryStore as agentStore } from '@turnwire/agent';
import { type AgentState, TurnwireError } from '@turnwire/protocol';
import { expect, test } from 'vitest';
import { Gateway } from '../src/index.ts';
import { type HostedAgent, memoryStore } from '@turnwire/runtime';
import { testAgent } from './attached-agent.ts';
import { testClient, words } from './gateway-client.ts';
import { speaker } from './speaker.ts';

const cwd = tmpdir();
const admin = { tenant: 'local', scope: 'admin', isOwner: true } as const;

type LoggedEvents = readonly { readonly event: { readonly type: string; readonly [key: string]: unknown } }[];

/** A client that has a session before its agent runs. */
async function early(gateway: Gateway, turnwire: object = {}) {
  const states: AgentState[] = [];
  const events: LoggedEvents[number]['event'][] = [];
  const { peer } = await testClient(gateway, {
    principal: admin,
    capabilities: { _meta: { turnwire: { events: true, batches: true, startsLater: true } } },
    handlers: {
      '_turnwire/state': (params) => void states.push((params as { readonly state: AgentState }).state),
      '_turnwire/events': (params) =>
        void events.push(...(params as { readonly events: LoggedEvents }).events.map(({ event }) => event)),
    },
  });
  const { sessionId } = await peer.request('session/new', { cwd, mcpServers: [], _meta: { turnwire } });
  return { peer, sessionId, states, events };
}

function gatewayOf(hosted: HostedAgent): Gateway {
  return new Gateway({ store: memoryStore(), agents: { test: hosted }, cwd });
}

test("a client may have a session before its agent runs, and learns the agent's capabilities once it does", async () => {
  const { definition } = speaker();
  const agent = testAgent(definition);
  await using gateway = gatewayOf(agent.hosted);
  const { peer, sessionId, states } = await early(gateway);
  const before = agent.starts;
  await peer.request('_turnwire/restart', { sessionId });
  await expect.poll(() => states.at(-1)?.name).toBe('ready');
  expect({ before, state: states.at(-1) }).toEqual({
    before: 0,
    state: {
      name: 'ready',
      agent: definition.info,
      offers: { capabilities: expect.objectContaining({ loadSession: true }) as object, authMethods: [] },
    },
  });
});

test('an agent that cannot be started is reported as dead, with the reason, until the next prompt starts it', async () => {
  const { definition } = speaker();
  const { hosted } = testAgent(definition);
  let isBroken = true;
  await using gateway = gatewayOf({
    ...hosted,
    start: (options, place) => {
      if (isBroken) throw new TurnwireError('launch-failed', 'no such program');
      return hosted.start(options, place);
    },
  });
  const { peer, sessionId, states } = await early(gateway);
  await expect(peer.request('_turnwire/restart', { sessionId })).rejects.toThrow('no such program');
  await expect.poll(() => states.at(-1)).toEqual({ name: 'dead', message: 'no such program' });
  isBroken = false;
  const { stopReason } = await peer.request('session/prompt', { sessionId, prompt: words('one') });
  expect(stopReason).toBe('end_turn');
});

test('a start that fails for a temporary reason is retried, if that option is set', async () => {
  const { definition } = speaker();
  const { hosted } = testAgent(definition);
  let failures = 2;
  await using gateway = gatewayOf({
    ...hosted,
    start: (options, place) => {
      if (failures-- > 0) throw new TurnwireError('connection-closed', 'it fell over');
      return hosted.start(options, place);
    },
    retry: { attempts: 3, sleep: () => Promise.resolve() },
  });
  const { peer, sessionId, events } = await early(gateway);
  await peer.request('_turnwire/restart', { sessionId });
  expect(events.flatMap(({ type, description }) => (type === 'remark' ? [description] : []))).toEqual([
    'it fell over',
    'it fell over',
  ]);
});

test('a session logs in at its agent, then continues and accepts settings', async () => {
  let isLoggedIn = false;
  const { definition } = speaker();
  const { hosted } = testAgent({
    ...definition,
    auth: { methods: [{ id: 'key', name: 'Key' }], authenticate: () => void (isLoggedIn = true) },
    modes: [
      { id: 'ask', name: 'Ask' },
      { id: 'code', name: 'Code' },
    ],
    openSession: () => {
      if (!isLoggedIn) throw authenticationRequired();
    },
  });
  await using gateway = gatewayOf(hosted);
  const { peer, sessionId, states } = await early(gateway);
  await expect(peer.request('_turnwire/authenticate', { sessionId, methodId: 'key' })).rejects.toThrow(
    'start it first',
  );
  await expect(peer.request('_turnwire/restart', { sessionId })).rejects.toMatchObject({ code: -32000 });
  await expect.poll(() => states.at(-1)?.name).toBe('login-needed');
  const waiting = states.at(-1);
  await peer.request('_turnwire/authenticate', { sessionId, methodId: 'key' });
  await peer.request('session/set_mode', { sessionId, modeId: 'code' });
  await expect.poll(() => states.at(-1)?.name).toBe('ready');
  expect(waiting?.offers?.authMethods).toEqual([{ id: 'key', name: 'Key' }]);
});

test("the agent's own sessions are listed, without the current one, and can be continued", async () => {
  const { definition } = speaker();
  const store = agentStore();
  await using earlier = gatewayOf(testAgent(definition, store).hosted);
  const first = await early(earlier);
  await first.peer.request('session/prompt', { sessionId: first.sessionId, prompt: words('one') });
  await earlier.close();
  await using gateway = gatewayOf(testAgent(definition, store).hosted);
  const second = await early(gateway);
  await second.peer.request('session/prompt', { sessionId: second.sessionId, prompt: words('two') });
  const listed = (await second.peer.request('_turnwire/sessions', { sessionId: second.sessionId, cwd })) as {
    readonly sessions: readonly { readonly sessionId: string }[];
  };
  const [own] = listed.sessions;
  const third = await early(gateway, { agentSessionId: own?.sessionId });
  await third.peer.request('_turnwire/restart', { sessionId: third.sessionId });
  const replayed = (): readonly unknown[] =>
    third.events.flatMap(({ type, update, isReplay }) => {
      const { content } = (update ?? {}) as { readonly content?: { readonly text: string } };
      return type === 'update' && content ? [{ text: content.text, isReplay }] : [];
    });
  // An answer may arrive before a client has handled the messages in front of it.
  await expect
    .poll(() => ({ count: listed.sessions.length, replayed: replayed() }))
    .toEqual({
      count: 1,
      replayed: [
        { text: 'one', isReplay: true },
        { text: 'one', isReplay: true },
      ],
    });
});

test("only the owner reaches the agent's own sessions", async () => {
  const { definition } = speaker();
  await using gateway = gatewayOf(testAgent(definition).hosted);
  const { peer } = await testClient(gateway, { principal: { tenant: 'blue', scope: 'admin' } });
  const { sessionId } = await peer.request('session/new', { cwd, mcpServers: [] });
  const refused = 'this needs a token of scope admin that the owner of the server made';
  await expect(peer.request('_turnwire/sessions', { sessionId, cwd })).rejects.toThrow(refused);
  const meta = { turnwire: { agentSessionId: 'another' } };
  await expect(peer.request('session/new', { cwd, mcpServers: [], _meta: meta })).rejects.toThrow(refused);
});

test('a client that starts an agent without permission requests is warned once', async () => {
  const { definition } = speaker();
  const { hosted } = testAgent(definition);
  await using gateway = gatewayOf({ ...hosted, differences: { asking: { by: 'nothing' } } });
  const { peer, sessionId, events } = await early(gateway);
  await peer.request('_turnwire/restart', { sessionId });
  await peer.request('session/prompt', { sessionId, prompt: words('one') });
  expect(events.flatMap(({ type, title }) => (type === 'remark' ? [title] : []))).toEqual([
    'this agent never asks for permission',
  ]);
});
