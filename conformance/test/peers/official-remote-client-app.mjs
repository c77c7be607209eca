import { client, methods } from '@agentclientprotocol/sdk';
import { createHttpStream } from '@agentclientprotocol/sdk/experimental/http-client';
import { createWebSocketStream } from '@agentclientprotocol/sdk/experimental/ws-client';
import { WebSocket } from 'ws';

/**
 * Makes a client with the official SDK prompt a remote agent, and prints the messages of the agent. Rejects if the prompt is refused.
 * @param {{ url: string, cwd: string, prompt: string, print: (text: string) => void, signal?: AbortSignal }} order
 */
export async function promptOfficially({ url, cwd, prompt, print, signal }) {
  const isWebSocket = url.startsWith('ws');
  let farewell = () => undefined;
  const saidFarewell = new Promise((resolve) => (farewell = resolve));
  const fetchNoting = async (...request) => {
    const answer = fetch(...request);
    if (request[1]?.method === 'DELETE') await answer.finally(farewell);
    return answer;
  };
  const stream = isWebSocket
    ? createWebSocketStream(url, { WebSocket })
    : createHttpStream(url, { fetch: fetchNoting });
  const connection = client({ name: 'official' })
    .onNotification(methods.client.session.update, ({ params: { update } }) => {
      if (update.sessionUpdate === 'agent_message_chunk') print(update.content.text);
    })
    .onRequest(methods.client.session.requestPermission, () => ({ outcome: { outcome: 'cancelled' } }))
    .connect(stream);
  signal?.addEventListener('abort', () => connection.close());
  const { agent } = connection;
  await agent.request(methods.agent.initialize, {
    protocolVersion: 1,
    clientInfo: { name: 'official', version: '1.0.0' },
    clientCapabilities: {},
  });
  const { sessionId } = await agent.request(methods.agent.session.new, { cwd, mcpServers: [] });
  await agent.request(methods.agent.session.prompt, { sessionId, prompt: [{ type: 'text', text: prompt }] });
  connection.close();
  // The SDK ends the connection asynchronously and does not report when it is done.
  if (!isWebSocket) await saidFarewell;
}
