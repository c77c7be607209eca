// A client made with the official SDK for an agent that is reached by a URL: URL CWD PROMPT prints what the agent says.
import { client, methods } from '@agentclientprotocol/sdk';
import { createHttpStream } from '@agentclientprotocol/sdk/experimental/http-client';
import { createWebSocketStream } from '@agentclientprotocol/sdk/experimental/ws-client';
import { WebSocket } from 'ws';

const [url, cwd, prompt] = process.argv.slice(2);
const stream = url.startsWith('ws') ? createWebSocketStream(url, { WebSocket }) : createHttpStream(url);

async function run() {
  try {
    const connection = client({ name: 'official' })
      .onNotification(methods.client.session.update, ({ params: { update } }) => {
        if (update.sessionUpdate === 'agent_message_chunk') console.log(update.content.text);
      })
      .onRequest(methods.client.session.requestPermission, () => ({ outcome: { outcome: 'cancelled' } }))
      .connect(stream);
    const { agent } = connection;
    await agent.request(methods.agent.initialize, {
      protocolVersion: 1,
      clientInfo: { name: 'official', version: '1.0.0' },
      clientCapabilities: {},
    });
    const { sessionId } = await agent.request(methods.agent.session.new, { cwd, mcpServers: [] });
    await agent.request(methods.agent.session.prompt, { sessionId, prompt: [{ type: 'text', text: prompt }] });
    connection.close();
  } catch (error) {
    console.error(error.message);
    process.exitCode = 1;
  }
}

void run().then(() => setTimeout(() => process.exit(), 500).unref());
