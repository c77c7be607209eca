import { tmpdir } from 'node:os';
import { connectClient, TurnwireError } from '@turnwire/protocol';
import { v2 } from '@turnwire/protocol/v2';
import { type HostedAgent, memoryStore, type SessionStore } from '@turnwire/runtime';
import { memoryPair } from '@turnwire/transports/memory';
import { expect, test } from 'vitest';
import { Gateway } from '../src/index.ts';
import { testAgent } from './attached-agent.ts';
import { testClient, words } from './gateway-client.ts';
import { speaker } from './speaker.ts';

const cwd = tmpdir();

/** A store that can hold up the next read of a session. */
function slowStore(): {
  readonly store: SessionStore;
  readonly hold: () => { read: Promise<void>; release: () => void };
} {
  const store = memoryStore();
  const find = store.find.bind(store);
  let next: (() => Promise<void>) | undefined;
  const held = async (tenant: string, id: string): ReturnType<SessionStore['find']> => {
    await next?.();
    return find(tenant, id);
  };
  return {
    store: Object.assign(store, { find: held }),
    hold: () => {
      let release = (): void => undefined;
      const released = new Promise<void>((resolve) => (release = resolve));
      const read = new Promise<void>((resolve) => {
        next = () => {
          resolve();
          return released;
        };
      });
      return { read, release: () => release() };
    },
  };
}

test('a client that loads a session twice at the same time receives later updates once', async () => {
  await using gateway = new Gateway({
    store: memoryStore(),
    agents: { test: testAgent(speaker().definition).hosted },
    cwd,
  });
  const { peer, seen } = await testClient(gateway);
  const { sessionId } = await peer.request('session/new', { cwd, mcpServers: [] });
  const load = (): Promise<unknown> => peer.request('session/load', { sessionId, cwd, mcpServers: [] });
  await Promise.all([load(), load(), load()]);
  await peer.request('session/prompt', { sessionId, prompt: words('one two') });
  expect(seen).toEqual(['one', 'two']);
});

test('a session whose client disconnects while it resumes ends its agent, as without clients', async () => {
  const { store, hold } = slowStore();
  await using gateway = new Gateway({
    ...{ store, agents: { test: testAgent(speaker().definition).hosted }, cwd },
    limits: { idle: 500 },
  });
  const first = await testClient(gateway);
  const { sessionId } = await first.peer.request('session/new', { cwd, mcpServers: [] });
  await first.peer.request('session/prompt', { sessionId, prompt: words('one') });
  const second = await testClient(gateway);
  const { read, release } = hold();
  const loading = second.peer.request('session/resume', { sessionId, cwd, mcpServers: [] }).catch(() => undefined);
  await read;
  second.destroy();
  await loading;
  release();
  first.destroy();
  await expect.poll(() => [gateway.sessions, gateway.agents]).toEqual([0, 0]);
});

test('if an agent cannot start, clients of both versions with waiting prompts each get the failure, and their next prompts work', async () => {
  let isBroken = false;
  let fail = (): void => undefined;
  const failing = new Promise<never>((_, reject) => {
    fail = () => reject(new TurnwireError('launch-failed', 'the program is missing'));
  });
  failing.catch(() => undefined);
  const agent = testAgent(speaker().definition);
  const start: HostedAgent['start'] = (...args) => (isBroken ? failing : agent.hosted.start(...args));
  await using gateway = new Gateway({ store: memoryStore(), agents: { test: { start } }, cwd });
  const old = await testClient(gateway);
  const { sessionId } = await old.peer.request('session/new', { cwd, mcpServers: [] });
  const [near, far] = memoryPair();
  gateway.attach(far, { principal: { tenant: 'local', scope: 'control' }, agent: 'test' });
  const seen: unknown[] = [];
  const peer = connectClient(
    near,
    {
      'session/update': ({ update }) => {
        const { sessionUpdate, state, error } = update as { readonly [key: string]: unknown };
        seen.push([sessionUpdate, state, (error as Error | undefined)?.message].filter(Boolean).join(' '));
      },
    },
    { edition: v2 },
  );
  await peer.request('initialize', { protocolVersion: 2, info: { name: 'new', version: '1' } });
  await peer.request('session/resume', { sessionId, cwd });
  isBroken = true;
  await agent.crash();
  const one = old.peer.request('session/prompt', { sessionId, prompt: words('one') }).catch(String);
  const two = peer.request('session/prompt', { sessionId, prompt: words('two') }).then(() => 'inserted', String);
  fail();
  const outcomes = [await one, await two];
  isBroken = false;
  await old.peer.request('session/prompt', { sessionId, prompt: words('three') });
  await expect.poll(() => seen.slice(-1)).toEqual(['state_update idle']);
  const failed = 'state_update idle the program is missing';
  expect({ outcomes, old: old.seen, seen }).toEqual({
    outcomes: ['ProtocolError: the program is missing', 'inserted'],
    old: ['> two', '[turnwire] the program is missing\n\n', 'three'],
    seen: [
      'state_update idle',
      ...['user_message', 'state_update running', failed],
      ...['user_message', 'state_update running', failed],
      ...['user_message', 'state_update running', 'agent_message_chunk', 'state_update idle'],
    ],
  });
});

test('a cancel that follows a prompt with a key at once ends that prompt, and not the turn of another client', async () => {
  const { definition, release } = speaker();
  await using gateway = new Gateway({
    store: memoryStore(),
    agents: { test: testAgent(definition).hosted },
    cwd,
  });
  const old = await testClient(gateway);
  const { sessionId } = await old.peer.request('session/new', { cwd, mcpServers: [] });
  const [near, far] = memoryPair();
  gateway.attach(far, { principal: { tenant: 'local', scope: 'control' }, agent: 'test' });
  const peer = connectClient(near, { 'session/update': () => undefined }, { edition: v2 });
  await peer.request('initialize', { protocolVersion: 2, info: { name: 'new', version: '1' } });
  await peer.request('session/resume', { sessionId, cwd });
  const running = old.peer.request('session/prompt', { sessionId, prompt: words('one wait two') });
  await expect.poll(() => old.seen).toEqual(['one']);
  const keyed = peer
    .request('session/prompt', { sessionId, prompt: words('three'), idempotencyKey: 'k' })
    .catch((error: unknown) => (error as { readonly code?: unknown }).code);
  await peer.notify('session/cancel', { sessionId });
  const cancelled = await keyed;
  release();
  const { stopReason } = await running;
  expect({ cancelled, stopReason, seen: old.seen }).toEqual({
    cancelled: -32_800,
    stopReason: 'end_turn',
    seen: ['one', 'wait', 'two'],
  });
});
