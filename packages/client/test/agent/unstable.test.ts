import * as official from '@agentclientprotocol/sdk/unstable';
import { attachAgent } from '@turnwire/client';
import { v1Unstable } from '@turnwire/protocol/unstable';
import { webStreamTransport } from '@turnwire/transports/web-streams';
import { expect, test } from 'vitest';

test('a client with the unstable edition uses the offers of an agent made with the official SDK’s unstable entry', async () => {
  const [toAgent, toClient] = [new TransformStream<Uint8Array>(), new TransformStream<Uint8Array>()];
  const asked: unknown[] = [];
  official
    .agent({ name: 'forking' })
    .onRequest('initialize', ({ params }) => {
      asked.push(params.clientCapabilities);
      return {
        protocolVersion: 1,
        agentCapabilities: { sessionCapabilities: { fork: {}, status: {} }, auth: { status: {} } },
      };
    })
    .onRequest('session/new', () => ({ sessionId: 's' }))
    .onRequest('session/status', () => ({ status: 'open' }))
    .onRequest('session/fork', async ({ params, client }) => {
      await client.notify('auth/status_update', { state: 'authenticated' });
      return { sessionId: `${params.sessionId}-fork` };
    })
    .onRequest('session/prompt', async ({ params: { sessionId }, client }) => {
      await client.notify('session/update', {
        sessionId,
        update: { sessionUpdate: 'plan_update', plan: { type: 'markdown', planId: 'p', content: '# Plan' } },
      });
      return { stopReason: 'end_turn' };
    })
    .connect(official.ndJsonStream(toClient.writable, toAgent.readable));
  const states: string[] = [];
  await using agent = await attachAgent(
    webStreamTransport({ readable: toClient.readable, writable: toAgent.writable }),
    {
      edition: v1Unstable,
      capabilities: { plan: {} },
      extensions: { 'auth/status_update': ({ state }) => void states.push(state) },
    },
  );
  const session = await agent.newSession({ cwd: '/' });
  const offered = agent.capabilities.sessionCapabilities?.fork;
  const status = await agent.peer.request('session/status', { sessionId: session.id });
  const fork = await agent.peer.request('session/fork', { sessionId: session.id, cwd: '/', mcpServers: [] });
  const updates: unknown[] = [];
  for await (const update of session.prompt('Go')) updates.push(update);
  expect({ asked, offered, status, fork, states, updates }).toEqual({
    asked: [expect.objectContaining({ plan: {}, terminal: false })],
    offered: {},
    status: { status: 'open' },
    fork: { sessionId: 's-fork' },
    states: ['authenticated'],
    updates: [{ sessionUpdate: 'plan_update', plan: { type: 'markdown', planId: 'p', content: '# Plan' } }],
  });
});
