import { tmpdir } from 'node:os';
import { attachAgent } from '@turnwire/client';
import { connectAgent } from '@turnwire/protocol';
import { memoryPair } from '@turnwire/transports/memory';
import { expect, test } from 'vitest';
import { type AuditEntry, Gateway, type HostedAgent } from '../src/index.ts';
import { memoryStore } from '../src/store/memory-store.ts';
import { testAgent } from './attached-agent.ts';
import { testClient, words } from './gateway-client.ts';
import { speaker } from './speaker.ts';

const cwd = tmpdir();

test('who connects, and what is asked and answered, is noted without what was said', async () => {
  const { definition } = speaker();
  const entries: AuditEntry[] = [];
  const gateway = new Gateway({
    store: memoryStore(),
    agents: { test: testAgent(definition).hosted },
    cwd,
    audit: (entry) => entries.push(entry),
  });
  const client = await testClient(gateway, {
    handlers: {
      'session/request_permission': ({ options }) => ({
        outcome: { outcome: 'selected', optionId: options[0]?.optionId as string },
      }),
    },
  });
  const { sessionId } = await client.peer.request('session/new', { cwd, mcpServers: [] });
  await client.peer.request('session/prompt', { sessionId, prompt: words('secret ask') });
  await client.peer.request('session/delete', { sessionId });
  await gateway.close();
  const { connection } = entries[0] as AuditEntry;
  const asked = { connection, client: 'test', tenant: 'local', session: sessionId };
  const tool = expect.stringMatching(/ allowed: /);
  expect(entries.map(({ at: _, ...entry }) => entry)).toEqual([
    { what: 'connected', tenant: 'local', connection, agent: 'test' },
    { what: 'created', tenant: 'local', session: sessionId, agent: 'test', cwd },
    { what: 'prompt', ...asked, detail: '1-1' },
    { what: 'permission-asked', tenant: 'local', session: sessionId, detail: 'Run a thing' },
    { what: 'permission-answered', ...asked, detail: tool },
    { what: 'turn-ended', ...asked, detail: '1-1 end_turn' },
    { what: 'deleted', tenant: 'local', session: sessionId },
    { what: 'disconnected', tenant: 'local', connection, agent: 'test' },
  ]);
});

test('what a prompt has in _meta reaches the agent, for that turn, without what is ours', async () => {
  const received: unknown[] = [];
  const start: HostedAgent['start'] = (options) => {
    const [near, far] = memoryPair();
    connectAgent(far, {
      initialize: () => ({ protocolVersion: 1 }),
      'session/new': () => ({ sessionId: 's' }),
      'session/prompt': ({ _meta }) => {
        received.push(_meta);
        return { stopReason: 'end_turn' };
      },
    });
    return attachAgent(near, options);
  };
  await using gateway = new Gateway({ store: memoryStore(), agents: { test: { start } }, cwd });
  const { peer } = await testClient(gateway);
  const { sessionId } = await peer.request('session/new', { cwd, mcpServers: [] });
  const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
  const _meta = { traceparent, turnwire: { key: 'k1' } };
  await peer.request('session/prompt', { sessionId, prompt: words('one'), _meta });
  await peer.request('session/prompt', { sessionId, prompt: words('two') });
  expect(received).toEqual([{ traceparent }, undefined]);
});
