// A client with the official SDK: AGENT CWD PROMPT prints the messages of the agent. READER selects one of the two ways in which the SDK
// reads updates.
import { spawn } from 'node:child_process';
import { Readable, Writable } from 'node:stream';
import { client, methods, ndJsonStream } from '@agentclientprotocol/sdk';

const [program, cwd, text] = process.argv.slice(2);
const { READER: reader = 'session' } = process.env;
const child = spawn(program, { stdio: ['pipe', 'pipe', 'ignore'] });
const app = client({ name: 'official' }).onRequest(methods.client.session.requestPermission, () => ({
  outcome: { outcome: 'cancelled' },
}));
const print = (update) => {
  if (update.sessionUpdate === 'agent_message_chunk') console.log(update.content.text);
};
if (reader === 'handler') {
  // Programs have their own handlers, and the SDK tries each of them first.
  for (let nth = 0; nth < 8; nth++)
    app.onNotification(
      `_official/${nth}`,
      (params) => params,
      () => undefined,
    );
  app.onNotification(methods.client.session.update, ({ params: { update } }) => print(update));
}

async function run() {
  const stream = ndJsonStream(Writable.toWeb(child.stdin), Readable.toWeb(child.stdout));
  await app.connectWith(stream, async (agent) => {
    await agent.request(methods.agent.initialize, {
      protocolVersion: 1,
      clientInfo: { name: 'official', version: '1.0.0' },
      clientCapabilities: {},
    });
    if (reader === 'handler') {
      const { sessionId } = await agent.request(methods.agent.session.new, { cwd, mcpServers: [] });
      await agent.request(methods.agent.session.prompt, { sessionId, prompt: [{ type: 'text', text }] });
      return;
    }
    const session = await agent.buildSession(cwd).start();
    const turn = session.prompt(text);
    for (let next = await session.nextUpdate(); next.kind !== 'stop'; next = await session.nextUpdate())
      print(next.update);
    await turn;
  });
}

try {
  await run();
  process.stdout.write('', () => process.exit());
} catch (error) {
  console.error(error.message);
  process.exit(1);
}
