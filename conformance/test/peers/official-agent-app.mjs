import { randomUUID } from 'node:crypto';
import { agent, methods, ndJsonStream, RequestError } from '@agentclientprotocol/sdk';

const { session } = methods.agent;

/**
 * An agent with the official SDK, as its users would write one: a name, sessions, and a turn that says something and asks before it
 * changes a file.
 * @param {WritableStream} output
 * @param {ReadableStream} input
 */
export function serveOfficialAgent(output, input) {
  /** The state of the last turn, by session id. */
  const turns = new Map();
  agent({ name: 'official' })
    .onRequest(methods.agent.initialize, () => ({
      protocolVersion: 1,
      agentCapabilities: { loadSession: false },
      agentInfo: { name: 'official', version: '1.0.0' },
    }))
    .onRequest(session.new, () => {
      const sessionId = randomUUID();
      turns.set(sessionId, {});
      return { sessionId };
    })
    .onRequest(session.prompt, async ({ params, client }) => {
      const { sessionId, prompt } = params;
      if (!turns.has(sessionId)) throw new RequestError(-32002, 'Resource not found', { sessionId });
      const turn = { isCancelled: false, cancel: () => undefined };
      turns.set(sessionId, turn);
      const cancelled = new Promise((resolve) => (turn.cancel = resolve));
      await Promise.race([cancelled, work(turn, client, { sessionId, prompt })]);
      return { stopReason: turn.isCancelled ? 'cancelled' : 'end_turn' };
    })
    .onNotification(session.cancel, ({ params }) => {
      const turn = turns.get(params.sessionId);
      if (turn === undefined) return;
      turn.isCancelled = true;
      turn.cancel?.();
    })
    .connect(ndJsonStream(output, input));
}

async function work(turn, client, { sessionId, prompt }) {
  const tell = async (update) => {
    if (!turn.isCancelled) await client.notify('session/update', { sessionId, update });
  };
  const text = prompt.map((block) => (block.type === 'text' ? block.text : '')).join('');
  const [, path] = /^create (\S+) with /.exec(text) ?? [];
  if (path !== undefined)
    await change(path, tell, (question) => client.request('session/request_permission', { sessionId, ...question }));
  await tell({ sessionUpdate: 'agent_message_chunk', content: { type: 'text', text: 'Done.' } });
}

/** Asks for permission to change a file, and reports the change. */
async function change(path, tell, ask) {
  const toolCallId = randomUUID();
  const call = { toolCallId, title: `Write ${path}`, kind: 'edit', status: 'pending' };
  await tell({ sessionUpdate: 'tool_call', ...call });
  const options = [
    { optionId: 'yes', name: 'Yes', kind: 'allow_once' },
    { optionId: 'no', name: 'No', kind: 'reject_once' },
  ];
  const { outcome } = await ask({ toolCall: call, options });
  const isPermitted = outcome.outcome === 'selected' && outcome.optionId === 'yes';
  const statuses = isPermitted ? ['in_progress', 'completed'] : ['failed'];
  for (const status of statuses) await tell({ sessionUpdate: 'tool_call_update', toolCallId, status });
}
