import { tmpdir } from 'node:os';
import { attachAgent } from '@turnwire/client';
import { protocolVersions } from '@turnwire/client/v2';
import { connectAgent, connectClient } from '@turnwire/protocol';
import { v2 } from '@turnwire/protocol/v2';
import { type HostedAgent, memoryStore } from '@turnwire/runtime';
import { memoryPair } from '@turnwire/transports/memory';
import { expect, test } from 'vitest';
import { Gateway } from '../src/index.ts';
import { words } from './gateway-client.ts';

const cwd = tmpdir();

/** An agent that finishes work of its own after it received a prompt, before it makes the prompt part of the conversation. */
const start: HostedAgent['start'] = (options) => {
  const [near, far] = memoryPair();
  connectAgent(
    far,
    {
      initialize: () => ({
        protocolVersion: 2,
        info: { name: 'busy', version: '1' },
        capabilities: { session: {} },
      }),
      'session/new': () => ({ sessionId: 's' }),
      'session/prompt': async ({ sessionId, prompt }, { peer }) => {
        const send = (update: object): Promise<void> => peer.raw.notify('session/update', { sessionId, update });
        const state = (name: string, more: object = {}): Promise<void> =>
          send({ sessionUpdate: 'state_update', state: name, ...more });
        const messageId = crypto.randomUUID();
        await state('running');
        await state('idle', { stopReason: 'end_turn', background: [] });
        await send({ sessionUpdate: 'user_message', messageId, content: prompt });
        await state('running');
        await send({ sessionUpdate: 'agent_message', messageId: 'm', content: words('done') });
        setTimeout(() => void state('idle', { stopReason: 'end_turn' }), 0);
        return { messageId };
      },
    },
    { edition: v2 },
  );
  return attachAgent(near, { ...options, versions: protocolVersions([1, 2]) });
};

test('a client does not see the end of earlier work of the agent as the end of its prompt, in the first turn and later', async () => {
  await using gateway = new Gateway({ store: memoryStore(), agents: { test: { start } }, cwd });
  const [near, far] = memoryPair();
  gateway.attach(far, { principal: { tenant: 'local', scope: 'control' }, agent: 'test' });
  const seen: unknown[] = [];
  const peer = connectClient(
    near,
    {
      'session/update': ({ update }) => {
        const { sessionUpdate, state } = update as { readonly sessionUpdate: string; readonly state?: string };
        seen.push(state ?? sessionUpdate);
      },
    },
    { edition: v2 },
  );
  await peer.request('initialize', { protocolVersion: 2, info: { name: 'test', version: '1' } });
  const { sessionId } = await peer.request('session/new', { cwd });
  for (const turn of [1, 2]) {
    await peer.request('session/prompt', { sessionId, prompt: words(`${turn}`) });
    await expect.poll(() => seen.filter((each) => each === 'agent_message').length).toBe(turn);
    await expect.poll(() => seen.at(-1)).toBe('idle');
  }
  const turn = ['user_message', 'running', 'agent_message', 'idle'];
  expect(seen).toEqual([...turn, ...turn]);
});
