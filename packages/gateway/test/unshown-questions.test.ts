import { tmpdir } from 'node:os';
import type { CreateElicitationResponse } from '@turnwire/protocol';
import { memoryStore } from '@turnwire/runtime';
import { expect, test } from 'vitest';
import { Gateway } from '../src/index.ts';
import { testAgent } from './attached-agent.ts';
import { testClient, type TestClient, words } from './gateway-client.ts';

const cwd = tmpdir();
const warning =
  '[turnwire] The agent asked a question that no connected client can show, and got no answer: “Which port?”. ' +
  'Open this session in a chat or a page to answer such questions.\n\n';

/** A gateway whose agent asks with a form, and says how the form ended. */
function gateway(): Gateway {
  const { hosted } = testAgent({
    info: { name: 'curious', version: '1' },
    prompt: async (turn) => {
      const answer = await turn.askUser({
        message: 'Which port?',
        form: { type: 'object', properties: { port: { type: 'string', title: 'Port' } } },
      });
      await turn.say(JSON.stringify(answer));
    },
  });
  return new Gateway({ store: memoryStore(), agents: { test: hosted }, cwd, limits: { absence: 50 } });
}

/** A client that shows forms, and answers none before it leaves. */
async function silentClient(served: Gateway): Promise<{ readonly client: TestClient; readonly asked: Promise<void> }> {
  let onAsked = (): void => undefined;
  const asked = new Promise<void>((resolve) => (onAsked = resolve));
  const client = await testClient(served, {
    capabilities: { elicitation: { form: {} } },
    handlers: {
      'elicitation/create': () => {
        onAsked();
        return new Promise<CreateElicitationResponse>(() => undefined);
      },
    },
  });
  return { client, asked };
}

test('a form ends at once with a warning if the only client cannot show it', async () => {
  await using served = gateway();
  const { peer, seen } = await testClient(served);
  const { sessionId } = await peer.request('session/new', { cwd, mcpServers: [] });
  const { stopReason } = await peer.request('session/prompt', { sessionId, prompt: words('go') });
  expect([stopReason, seen]).toEqual(['end_turn', [warning, '{"outcome":"cancelled"}']]);
});

test('a form ends with a warning if the client that shows it leaves, and only a client without forms is left', async () => {
  await using served = gateway();
  const { peer, seen } = await testClient(served);
  const { sessionId } = await peer.request('session/new', { cwd, mcpServers: [] });
  const { client, asked } = await silentClient(served);
  await client.peer.request('session/resume', { sessionId, cwd, mcpServers: [] });
  const turn = peer.request('session/prompt', { sessionId, prompt: words('go') });
  await asked;
  client.destroy();
  expect([(await turn).stopReason, seen]).toEqual(['end_turn', [warning, '{"outcome":"cancelled"}']]);
});

test('a form that was asked without clients ends with a warning when only a client without forms attaches', async () => {
  await using served = gateway();
  const { client, asked } = await silentClient(served);
  const { sessionId } = await client.peer.request('session/new', { cwd, mcpServers: [] });
  void client.peer.request('session/prompt', { sessionId, prompt: words('go') }).catch(() => undefined);
  await asked;
  client.destroy();
  const { peer, seen } = await testClient(served);
  await peer.request('session/resume', { sessionId, cwd, mcpServers: [] });
  await expect.poll(() => seen).toEqual([warning, '{"outcome":"cancelled"}']);
});
