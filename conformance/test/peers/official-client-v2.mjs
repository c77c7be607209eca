// A client of version 2 with the official SDK: AGENT CWD PROMPT prints the messages of the agent.
import { spawn } from 'node:child_process';
import { Readable, Writable } from 'node:stream';
import { client, methods, ndJsonStream } from '@agentclientprotocol/sdk/experimental/v2';

const [program, cwd, text] = process.argv.slice(2);
const child = spawn(program, { stdio: ['pipe', 'pipe', 'ignore'] });
const app = client({ name: 'official' }).onRequest(methods.client.session.requestPermission, () => ({
  outcome: { outcome: 'cancelled' },
}));

function print({ sessionUpdate, content }) {
  if (sessionUpdate === 'agent_message_chunk') console.log(content.text);
  if (sessionUpdate === 'agent_message') for (const block of content ?? []) console.log(block.text);
}

/** Resolves at the first idle state after the echo of the prompt, in any order with its answer. */
async function turn(session) {
  const [echoed, ended] = [new Set(), new Set()];
  let messageId;
  await new Promise((resolve, reject) => {
    const check = () => void (ended.has(messageId) && resolve());
    const read = async () => {
      for (;;) {
        const { kind, update, stopReason } = await session.nextUpdate();
        print(update);
        if (update.sessionUpdate.startsWith('user_message')) echoed.add(update.messageId);
        if (kind !== 'stop') continue;
        if (stopReason === 'error') throw new Error(update.error?.message ?? 'the turn failed');
        for (const id of echoed) ended.add(id);
        check();
      }
    };
    read().catch(reject);
    session.prompt(text).then((answer) => {
      messageId = answer.messageId;
      check();
    }, reject);
  });
}

async function run() {
  const stream = ndJsonStream(Writable.toWeb(child.stdin), Readable.toWeb(child.stdout));
  await app.connectWith(stream, async (agent) => {
    const { capabilities } = await agent.request(methods.agent.initialize, {
      protocolVersion: 2,
      info: { name: 'official', version: '2.0.0' },
      capabilities: {},
    });
    if (!capabilities?.session) throw new Error('the agent does not offer sessions');
    await turn(await agent.buildSession(cwd).start());
  });
}

try {
  await run();
  process.stdout.write('', () => process.exit());
} catch (error) {
  console.error(error.message);
  process.exit(1);
}
