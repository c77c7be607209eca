import { tmpdir } from 'node:os';
import { expect, test } from 'vitest';
import { Gateway } from '../src/index.ts';
import { memoryStore } from '../src/store/memory-store.ts';
import { testAgent } from './attached-agent.ts';
import { testClient, words } from './gateway-client.ts';

const cwd = tmpdir();

test('a client that comes while a session ends that could not be stored has it opened anew', async () => {
  const store = memoryStore();
  const append = store.append.bind(store);
  let hasFailed = (): void => undefined;
  const failed = new Promise<void>((resolve) => (hasFailed = resolve));
  store.append = (claim, events) => {
    if (!events.some(({ payload }) => payload.includes('lost'))) return append(claim, events);
    hasFailed();
    return Promise.reject(new Error('the disk is full'));
  };
  let end = (): void => undefined;
  const mayEnd = new Promise<void>((resolve) => (end = resolve));
  const { hosted } = testAgent({
    info: { name: 'test', version: '1' },
    prompt: async (turn) => {
      await turn.say(turn.text);
      if (turn.text === 'lost') await mayEnd;
    },
  });
  await using gateway = new Gateway({ store, agents: { test: hosted }, cwd });
  const first = await testClient(gateway);
  const { sessionId } = await first.peer.request('session/new', { cwd, mcpServers: [] });
  await first.peer.request('session/prompt', { sessionId, prompt: words('kept') });
  const lost = first.peer.request('session/prompt', { sessionId, prompt: words('lost') });
  lost.catch(() => undefined);
  await failed;
  const second = await testClient(gateway);
  const loaded = second.peer.request('session/load', { sessionId, cwd, mcpServers: [] });
  end();
  await loaded;
  await expect(second.peer.request('session/prompt', { sessionId, prompt: words('room') })).resolves.toMatchObject({
    stopReason: 'end_turn',
  });
  await expect(lost).rejects.toThrow('The disk is full. Nothing is shown that is not stored');
});
