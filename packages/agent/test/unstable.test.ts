import * as official from '@agentclientprotocol/sdk/unstable';
import { connectClient, errorCodes } from '@turnwire/protocol';
import { v1Unstable } from '@turnwire/protocol/unstable';
import { memoryPair } from '@turnwire/transports/memory';
import { webStreamTransport } from '@turnwire/transports/web-streams';
import { expect, test } from 'vitest';
import { defineAgent, memoryStore, serveAgent } from '../src/index.ts';

/** Forks sessions, knows their status, reports the login, and sends a plan of Markdown to clients that show one. */
const forking = defineAgent({
  info: { name: 'forking', version: '1.0.0' },
  edition: v1Unstable,
  store: memoryStore(),
  capabilities: { sessionCapabilities: { fork: {}, status: {} }, auth: { status: {} } },
  extensions: {
    'session/fork': async ({ sessionId }, { peer }) => {
      await peer.notify('auth/status_update', { state: 'authenticated' });
      return { sessionId: `${sessionId}-fork` };
    },
    'session/status': () => ({ status: 'open' }),
  },
  prompt: async (turn) => {
    if (turn.client.capabilities.plan)
      await turn.update({ sessionUpdate: 'plan_update', plan: { type: 'markdown', planId: 'p', content: '# Plan' } });
    await turn.say('Done.');
  },
});

test('an agent that serves unstable methods is driven by the unstable entry of the official SDK', async () => {
  const [toAgent, toClient] = [new TransformStream<Uint8Array>(), new TransformStream<Uint8Array>()];
  const served = serveAgent(forking, {
    transport: webStreamTransport({ readable: toAgent.readable, writable: toClient.writable }),
  });
  const seen: unknown[] = [];
  const app = official
    .client({ name: 'driver' })
    .onNotification('session/update', ({ params }) => void seen.push(params.update))
    .onNotification('auth/status_update', ({ params }) => void seen.push(params));
  await app.connectWith(official.ndJsonStream(toAgent.writable, toClient.readable), async (agent) => {
    const { agentCapabilities } = await agent.request('initialize', {
      protocolVersion: 1,
      clientCapabilities: { plan: {} },
    });
    const { sessionId } = await agent.request('session/new', { cwd: '/', mcpServers: [] });
    const fork = await agent.request('session/fork', { sessionId, cwd: '/', mcpServers: [] });
    const status = await agent.request('session/status', { sessionId });
    const end = await agent.request('session/prompt', { sessionId, prompt: [{ type: 'text', text: 'Go' }] });
    expect({ agentCapabilities, fork, status, end, seen }).toEqual({
      agentCapabilities: {
        loadSession: true,
        promptCapabilities: {},
        mcpCapabilities: {},
        sessionCapabilities: { close: {}, list: {}, resume: {}, delete: {}, fork: {}, status: {} },
        auth: { status: {} },
      },
      fork: { sessionId: `${sessionId}-fork` },
      status: { status: 'open' },
      end: { stopReason: 'end_turn' },
      seen: [
        { state: 'authenticated' },
        { sessionUpdate: 'plan_update', plan: { type: 'markdown', planId: 'p', content: '# Plan' } },
        {
          sessionUpdate: 'agent_message_chunk',
          content: { type: 'text', text: 'Done.' },
          messageId: expect.any(String),
        },
      ],
    });
  });
  await served.close();
});

test('methods of the edition are refused if they are not advertised', async () => {
  const [here, there] = memoryPair();
  await using _served = serveAgent({ ...forking, capabilities: undefined }, { transport: there });
  const client = connectClient(here, {}, { gates: false });
  await client.request('initialize', { protocolVersion: 1 });
  const asked = client.raw.request('session/status', { sessionId: 's' });
  await expect(asked).rejects.toMatchObject({ code: errorCodes.methodNotFound });
});
