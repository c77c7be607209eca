// An agent made with the official SDK, as its users write one: a name, sessions, a turn that says something and asks before it changes a file.
import { randomUUID } from 'node:crypto';
import { Readable, Writable } from 'node:stream';
import { agent, methods, ndJsonStream, RequestError } from '@agentclientprotocol/sdk';

const { session } = methods.agent;
/** Session ids, each with what ends its running turn. */
const turns = new Map();

agent({ name: 'official' })
  .onRequest(methods.agent.initialize, () => ({
    protocolVersion: 1,
    agentCapabilities: { loadSession: false },
    agentInfo: { name: 'official', version: '1.0.0' },
  }))
  .onRequest(session.new, () => {
    const sessionId = randomUUID();
    turns.set(sessionId, () => undefined);
    return { sessionId };
  })
  .onRequest(session.prompt, async ({ params, client }) => {
    const { sessionId, prompt } = params;
    if (!turns.has(sessionId)) throw new RequestError(-32002, 'Resource not found', { sessionId });
    const cancelled = new Promise((resolve) => turns.set(sessionId, () => resolve('cancelled')));
    return { stopReason: await Promise.race([cancelled, turn(client, sessionId, prompt)]) };
  })
  .onNotification(session.cancel, ({ params }) => turns.get(params.sessionId)?.())
  .connect(ndJsonStream(Writable.toWeb(process.stdout), Readable.toWeb(process.stdin)));

async function turn(client, sessionId, prompt) {
  const tell = (update) => client.notify('session/update', { sessionId, update });
  const text = prompt.map((block) => (block.type === 'text' ? block.text : '')).join('');
  const [, path] = /^create (\S+) with /.exec(text) ?? [];
  if (path !== undefined) {
    const call = { toolCallId: randomUUID(), title: `Write ${path}`, kind: 'edit', status: 'pending' };
    await tell({ sessionUpdate: 'tool_call', ...call });
    const options = [
      { optionId: 'yes', name: 'Yes', kind: 'allow_once' },
      { optionId: 'no', name: 'No', kind: 'reject_once' },
    ];
    const { outcome } = await client.request('session/request_permission', { sessionId, toolCall: call, options });
    const status = outcome.outcome === 'selected' && outcome.optionId === 'yes' ? 'completed' : 'failed';
    await tell({ sessionUpdate: 'tool_call_update', toolCallId: call.toolCallId, status });
  }
  await tell({ sessionUpdate: 'agent_message_chunk', content: { type: 'text', text: 'Done.' } });
  return 'end_turn';
}
