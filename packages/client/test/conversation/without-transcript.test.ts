import { setTimeout as delay } from 'node:timers/promises';
import { attachAgent } from '@turnwire/client';
import { openConversation } from '@turnwire/client/extensions';
import { connectAgent } from '@turnwire/protocol';
import { memoryPair } from '@turnwire/transports/memory';
import { expect, onTestFinished, test } from 'vitest';

test('a conversation that keeps no transcript notifies of its states, and not of updates', async () => {
  const [near, far] = memoryPair();
  const notified: string[] = [];
  let isRunning = (): void => undefined;
  const running = new Promise<void>((resolve) => (isRunning = resolve));
  connectAgent(far, {
    initialize: () => ({ protocolVersion: 1 }),
    'session/new': () => ({ sessionId: 'one' }),
    'session/prompt': async ({ sessionId }, { peer }) => {
      await running;
      await peer.notify('session/update', {
        sessionId,
        update: { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text: 'hello' } },
      });
      // Long enough for a notification that is due.
      await delay(20);
      notified.push('answered');
      return { stopReason: 'end_turn' };
    },
  });
  const received: string[] = [];
  const conversation = openConversation({
    start: () => attachAgent(near),
    cwd: '/',
    keepsTranscript: false,
    onEvent: ({ type }) => received.push(type),
  });
  onTestFinished(() => conversation.close());
  await conversation.opened;
  conversation.onChange(() => {
    notified.push(conversation.state.name);
    if (conversation.state.name === 'working') isRunning();
  });
  await conversation.prompt('hi');
  await delay(20);
  expect({ notified, received }).toEqual({
    notified: ['working', 'answered', 'ready'],
    received: ['setup', 'prompt', 'update', 'turn-ended'],
  });
});
