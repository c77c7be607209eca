import { tmpdir } from 'node:os';
import { memoryStore } from '@turnwire/runtime';
import { expect, test } from 'vitest';
import { Gateway } from '../src/index.ts';
import { testAgent } from './attached-agent.ts';
import { testClient, words } from './gateway-client.ts';

test('a prompt with a key that is sent again after a failure is in the history twice, and its end is that of the second turn', async () => {
  const cwd = tmpdir();
  let failures = 0;
  const { hosted } = testAgent({
    info: { name: 'busy', version: '1' },
    prompt: async (turn) => {
      if (failures++ === 0) throw new Error('the model is busy');
      await turn.say('done');
    },
  });
  await using gateway = new Gateway({ store: memoryStore(), agents: { test: hosted }, cwd });
  const { peer, seen } = await testClient(gateway, {
    capabilities: { _meta: { turnwire: { events: true, ownPrompts: true } } },
  });
  const { sessionId } = await peer.request('session/new', { cwd, mcpServers: [] });
  const turnwire = { key: 'k', limits: { retries: 1 } };
  const prompt = { sessionId, prompt: words('go'), _meta: { turnwire } };
  const first = await peer.request('session/prompt', prompt);
  // The gateway knows the end from its log alone.
  const again = await peer.request('session/prompt', prompt);
  const turnOf = ({ _meta }: typeof first): unknown => (_meta?.['turnwire'] as { readonly turnId?: string })?.turnId;
  expect([first.stopReason, again.stopReason, turnOf(first) === turnOf(again)]).toEqual(['end_turn', 'end_turn', true]);
  expect(seen.filter((each) => /prompt|turn|done/.test(each))).toEqual([
    'event prompt',
    'event turn-failed',
    'event prompt',
    'done',
    'event turn-ended',
  ]);
});

test('a client that sends its prompt again over a new connection cancels the turn at once', async () => {
  const cwd = tmpdir();
  const { hosted } = testAgent({
    info: { name: 'patient', version: '1' },
    prompt: async (turn) => {
      await turn.say('working');
      await new Promise((resolve) => turn.signal.addEventListener('abort', resolve));
    },
  });
  await using gateway = new Gateway({ store: memoryStore(), agents: { test: hosted }, cwd });
  const first = await testClient(gateway);
  const { sessionId } = await first.peer.request('session/new', { cwd, mcpServers: [] });
  const prompt = { sessionId, prompt: words('go'), _meta: { turnwire: { key: 'k' } } };
  const lost = first.peer.request('session/prompt', prompt).catch(() => undefined);
  await expect.poll(() => first.seen).toContain('working');
  const second = await testClient(gateway);
  await second.peer.request('session/resume', { cwd, sessionId, mcpServers: [] });
  await first.peer.close();
  await lost;
  const again = second.peer.request('session/prompt', prompt);
  await second.peer.notify('session/cancel', { sessionId });
  expect((await again).stopReason).toBe('cancelled');
});
