// Both ends of the wire in one process, with nothing but the protocol: no agent or client package, no child process.
// Handlers and calls are keyed by the names the specification uses.
import { connectAgent, connectClient, protocolVersion } from '@turnwire/protocol';
import { memoryPair } from '@turnwire/transports/memory';

const [left, right] = memoryPair();

connectAgent(left, {
  initialize: () => ({ protocolVersion, agentInfo: { name: 'raw', version: '1.0.0' } }),
  'session/new': () => ({ sessionId: 'session-1' }),
  'session/prompt': async ({ sessionId, prompt }, { peer }) => {
    for (const content of prompt) {
      await peer.notify('session/update', { sessionId, update: { sessionUpdate: 'agent_message_chunk', content } });
    }
    return { stopReason: 'end_turn' };
  },
});

const client = connectClient(right, {
  'session/update': ({ update }) => console.log('update', JSON.stringify(update)),
});

const { agentInfo } = await client.request('initialize', { protocolVersion });
const { sessionId } = await client.request('session/new', { cwd: process.cwd(), mcpServers: [] });
const { stopReason } = await client.request('session/prompt', { sessionId, prompt: [{ type: 'text', text: 'Hello' }] });
console.log(`${agentInfo?.name} stopped with ${stopReason}`);
await client.close();
