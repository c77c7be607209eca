// An agent of version 2 on stdin and stdout, made with the official package. Prompts select what it does.
import { Readable, Writable } from 'node:stream';
import * as official from '@agentclientprotocol/sdk/experimental/v2';

const options = [
  { optionId: 'yes', name: 'Yes', kind: 'allow_once' },
  { optionId: 'no', name: 'No', kind: 'reject_once' },
];
const commands = [
  { type: 'command', name: 'plan', description: 'Plan the work', input: { type: 'text', hint: 'task' } },
];
const choices = [
  {
    configId: 'mode',
    name: 'Mode',
    type: 'select',
    category: 'mode',
    currentValue: 'ask',
    options: [
      { value: 'ask', name: 'Ask' },
      { value: 'code', name: 'Code' },
    ],
  },
];
let foreground = new AbortController();
let prompts = 0;
let background = [];

const sender = (client, sessionId) => (sessionUpdate, fields) =>
  client.notify('session/update', { sessionId, update: { sessionUpdate, ...fields } });

async function work(send, client, { sessionId, text }) {
  const { signal } = foreground;
  const idle = (fields) => send('state_update', { state: 'idle', ...fields });
  await send('state_update', { state: 'running' });
  if (text === 'fail')
    return idle({ stopReason: 'error', error: { code: -32603, message: 'The model is overloaded' } });
  if (text === 'background') return inBackground(send, client);
  await send('tool_call_update', { toolCallId: 't', title: 'Delete a.txt', kind: 'delete', status: 'in_progress' });
  await send('state_update', { state: 'requires_action' });
  const subject = { type: 'tool_call', toolCall: { toolCallId: 't', locations: [{ path: '/a.txt' }] } };
  const answer = await client
    .request(
      'session/request_permission',
      { sessionId, title: 'Delete it?', subject, options },
      { cancellationSignal: signal },
    )
    .catch(() => undefined);
  if (signal.aborted || answer.outcome.outcome === 'cancelled') {
    await send('tool_call_update', { toolCallId: 't', status: 'cancelled' });
    return idle({ stopReason: 'cancelled' });
  }
  await send('state_update', { state: 'running' });
  await send('tool_call_update', { toolCallId: 't', status: 'completed' });
  await send('agent_message', {
    messageId: `a${prompts}`,
    content: [{ type: 'text', text: answer.outcome.optionId }],
  });
  return idle({ stopReason: 'end_turn' });
}

/** A child session, a terminal and a tool call that continue after the turn, until they are cancelled. */
async function inBackground(send, client) {
  await send('subagent_update', {
    ...{ sessionId: 'child', title: 'Reviewer', capabilities: { cancel: {} }, state: { state: 'running' } },
  });
  await sender(client, 'child')('agent_message', { messageId: 'c1', content: [{ type: 'text', text: 'Reading' }] });
  await send('terminal_update', { terminalId: 'p', command: 'npm run dev', capabilities: { cancel: {} } });
  await send('tool_call_update', {
    ...{ toolCallId: 'b', title: 'Build it', status: 'in_progress', capabilities: { cancel: {} } },
  });
  background = [
    { type: 'subagent', sessionId: 'child' },
    { type: 'terminal', terminalId: 'p' },
    { type: 'tool_call', toolCallId: 'b' },
  ];
  return send('state_update', { state: 'idle', stopReason: 'end_turn', background });
}

const without = async (send, type) => {
  background = background.filter((work) => work.type !== type);
  await send('state_update', { state: 'idle', background });
};

official
  .agent()
  .onRequest('initialize', () => ({
    protocolVersion: 2,
    info: { name: 'official', version: '2.0.0' },
    capabilities: { session: { delete: {}, prompt: { image: {} }, mcp: { http: {} } } },
    authMethods: [{ type: 'agent', methodId: 'web', name: 'Web' }],
  }))
  .onRequest('auth/login', () => ({}))
  .onRequest('auth/logout', () => ({}))
  .onRequest('session/new', async ({ client }) => {
    await sender(client, 's')('session_info_update', { title: 'early' });
    return { sessionId: 's', configOptions: choices, availableCommands: commands };
  })
  .onRequest('session/list', () => ({ sessions: [{ sessionId: 's', cwd: '/', title: 'early' }] }))
  .onRequest('session/set_config_option', ({ params }) => ({
    configOptions: [{ ...choices[0], currentValue: params.value }],
  }))
  .onRequest('session/prompt', async ({ params: { sessionId, prompt }, client }) => {
    const messageId = `u${++prompts}`;
    const send = sender(client, sessionId);
    await send('user_message', { messageId, content: prompt });
    foreground = new AbortController();
    setTimeout(() => void work(send, client, { sessionId, text: prompt[0].text }), 0);
    return { messageId };
  })
  .onNotification('session/cancel', async ({ params: { sessionId }, client }) => {
    if (sessionId !== 'child') return foreground.abort();
    const send = sender(client, 's');
    await send('subagent_update', { sessionId, state: { state: 'idle', stopReason: 'cancelled' } });
    await without(send, 'subagent');
  })
  .onRequest('terminal/cancel', async ({ params: { sessionId, terminalId }, client }) => {
    const send = sender(client, sessionId);
    await send('terminal_update', { terminalId, exitStatus: { signal: 'SIGTERM' } });
    await without(send, 'terminal');
    return {};
  })
  .onRequest('tool_call/cancel', async ({ params: { sessionId, toolCallId }, client }) => {
    const send = sender(client, sessionId);
    await send('tool_call_update', { toolCallId, status: 'cancelled', capabilities: null });
    await without(send, 'tool_call');
    return {};
  })
  .onRequest('session/resume', async ({ params: { sessionId, replayFrom }, client }) => {
    const send = sender(client, sessionId);
    if (replayFrom) {
      await send('user_message', { messageId: 'u0', content: [{ type: 'text', text: 'Hello' }] });
      await send('agent_message', { messageId: 'a0', content: [] });
      await send('agent_message_chunk', { messageId: 'a0', content: { type: 'text', text: 'Hi' } });
      await send('agent_message', { messageId: 'a0', content: [{ type: 'text', text: 'Hi, all' }] });
      await send('replay_complete', {});
    }
    await send('session_info_update', { title: 'resumed' });
    await send('state_update', { state: 'idle' });
    return { configOptions: choices };
  })
  .onRequest('session/close', ({ params: { sessionId } }) => {
    throw new official.RequestError(-32002, 'unknown session', { sessionId });
  })
  .onRequest('session/delete', ({ params: { sessionId } }) => {
    throw new official.RequestError(-32002, 'unknown session', { sessionId });
  })
  .connect(official.ndJsonStream(Writable.toWeb(process.stdout), Readable.toWeb(process.stdin)));
