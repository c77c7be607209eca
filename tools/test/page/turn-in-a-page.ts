// Runs in the page: both ends of a connection, joined by a message channel, do one turn.
import { connectAgent, connectClient, protocolVersion } from '@turnwire/protocol';
import type { Handlers, SessionUpdate } from '@turnwire/protocol';
import { messagePortTransport } from '@turnwire/transports/message-port';

const agentHandlers: Handlers<'agent'> = {
  initialize: () => ({ protocolVersion, agentInfo: { name: 'page', version: '1.0.0' }, agentCapabilities: {} }),
  'session/new': () => ({ sessionId: 'one' }),
  'session/prompt': async ({ sessionId, prompt }, { peer }) => {
    for (const content of prompt) {
      await peer.notify('session/update', { sessionId, update: { sessionUpdate: 'agent_message_chunk', content } });
    }
    return { stopReason: 'end_turn' };
  },
};

/** One turn, and the answer to a bad request. */
async function turn(): Promise<unknown> {
  const { port1, port2 } = new MessageChannel();
  const updates: SessionUpdate[] = [];
  const agent = connectAgent(messagePortTransport(port1), agentHandlers);
  const client = connectClient(messagePortTransport(port2), {
    'session/update': ({ update }) => void updates.push(update),
  });
  const { agentInfo } = await client.request('initialize', { protocolVersion, clientCapabilities: {} });
  const { sessionId } = await client.request('session/new', { cwd: '/page', mcpServers: [] });
  const { stopReason } = await client.request('session/prompt', {
    sessionId,
    prompt: [{ type: 'text', text: 'hello' }],
  });
  await client.close();
  return { agentInfo, sessionId, updates, stopReason, ended: (await agent.closed).by, evaluation: evaluation() };
}

/** How the page's security policy reacts to code from text. */
function evaluation(): string {
  try {
    // oxlint-disable-next-line typescript/no-implied-eval -- the policy must refuse it
    return String(new Function('return "allowed"')());
  } catch (error) {
    return (error as Error).name;
  }
}

Object.assign(globalThis, { outcome: turn() });
