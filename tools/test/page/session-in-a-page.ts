// Runs in the page: a conversation of the client with an agent in the same page, recorded and played back.
import { attachAgent } from '@turnwire/client';
import { openConversation } from '@turnwire/client/conversation';
import { connectAgent, protocolVersion } from '@turnwire/protocol';
import { replayAgent, traceOf } from '@turnwire/trace';
import type { KnownFrame } from '@turnwire/trace';
import { memoryPair } from '@turnwire/transports/memory';

async function session(): Promise<unknown> {
  const [client, agent] = memoryPair();
  connectAgent(agent, {
    initialize: () => ({ protocolVersion, agentInfo: { name: 'page', version: '1.0.0' }, agentCapabilities: {} }),
    'session/new': () => ({ sessionId: 'one' }),
    'session/prompt': async ({ sessionId, prompt: [content] }, { peer }) => {
      if (content)
        await peer.notify('session/update', { sessionId, update: { sessionUpdate: 'agent_message_chunk', content } });
      return { stopReason: 'end_turn' };
    },
  });
  const frames: KnownFrame[] = [];
  const tap = (direction: 'in' | 'out', text: string): void => void frames.push({ at: frames.length, direction, text });
  const conversation = openConversation({ start: (signal) => attachAgent(client, { signal, tap }), cwd: '/page' });
  const { stopReason } = await conversation.prompt('hello');
  const shown = [...conversation.transcript.entries].map(({ type }) => type);
  await conversation.close();
  return { stopReason, shown, replayed: await replayed(frames) };
}

/** The same agent once more, from the trace. */
async function replayed(frames: readonly KnownFrame[]): Promise<unknown> {
  await using agent = await attachAgent(replayAgent(traceOf(frames)));
  const { id } = await agent.newSession({ cwd: '/page' });
  return { id, info: agent.info };
}

Object.assign(globalThis, { outcome: session() });
