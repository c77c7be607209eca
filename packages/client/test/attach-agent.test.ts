import { attachAgent } from '@turnwire/client';
import { connectAgent } from '@turnwire/protocol';
import { memoryPair } from '@turnwire/transports/memory';
import { expect, test } from 'vitest';
import { collect, textOf } from './scripted.ts';

test('an agent in the same process is driven like any other', async () => {
  const [ours, theirs] = memoryPair();
  connectAgent(theirs, {
    initialize: () => ({ protocolVersion: 1, agentInfo: { name: 'inner', version: '2.0.0' } }),
    'session/new': () => ({ sessionId: 'one' }),
    'session/prompt': async ({ sessionId, prompt }, { peer }) => {
      await peer.notify('session/update', {
        sessionId,
        update: { sessionUpdate: 'agent_message_chunk', content: prompt[0] ?? { type: 'text', text: '' } },
      });
      return { stopReason: 'end_turn' };
    },
  });
  const agent = await attachAgent(ours);
  const session = await agent.newSession({ cwd: '/' });
  const turn = session.prompt([{ type: 'text', text: 'echo' }]);
  const text = textOf(await collect(turn));
  const end = await agent.close();
  expect({ name: agent.info?.name, text, result: await turn, end }).toEqual({
    name: 'inner',
    text: 'echo',
    result: { stopReason: 'end_turn' },
    end: { by: 'local' },
  });
});
