// Three agents made with the official package: of version 1, of version 2, and of both. `node official-agents.mjs 1|2|both` serves one on
// stdin and stdout. The first word of a prompt selects what they do.
import { Readable, Writable } from 'node:stream';
import * as older from '@agentclientprotocol/sdk';
import * as newer from '@agentclientprotocol/sdk/experimental/v2';
import { agentProtocolRouter } from '@agentclientprotocol/sdk/experimental/v2';

const text = (value) => ({ type: 'text', text: value });
const info = { name: 'scripted', version: '1.0.0' };
const options = [
  { optionId: 'yes', name: 'Yes', kind: 'allow_once' },
  { optionId: 'no', name: 'No', kind: 'reject_once' },
];
const entries = [
  { content: 'Look', priority: 'high', status: 'completed' },
  { content: 'Edit', priority: 'medium', status: 'pending' },
];
const form = {
  mode: 'form',
  message: 'Which colour?',
  requestedSchema: {
    type: 'object',
    properties: { colour: { type: 'string', title: 'Colour' } },
    required: ['colour'],
  },
};
const patch = `diff --git /w/a.txt /w/a.txt
--- /w/a.txt
+++ /w/a.txt
@@ -1,1 +1,1 @@
-one
+two
`;
const failure = [-32603, 'The model is overloaded', { retryAfter: 5 }];
const modes = ['ask', 'code'].map((id) => ({ id, name: id }));

/** What one process remembers. */
function memory() {
  return { isLoggedIn: false, sessions: 0, prompts: 0, mode: 'ask', client: undefined, cancelled: new Map() };
}

/** Waits until the session is cancelled. */
function cancel(of, sessionId) {
  return new Promise((resolve) => of.cancelled.set(sessionId, resolve));
}

export function version1() {
  const of = memory();
  const turns = {
    async work({ client, send, sessionId, ask }) {
      await send('plan', { entries });
      await send('tool_call', {
        toolCallId: 't',
        title: 'Edit a.txt',
        kind: 'edit',
        locations: [{ path: '/w/a.txt' }],
      });
      const { outcome } = await ask({ toolCallId: 't' });
      const content = [{ type: 'diff', path: '/w/a.txt', oldText: 'one\n', newText: 'two\n' }];
      await send('tool_call_update', { toolCallId: 't', status: 'completed', content, title: null });
      const terminal = await client.request('terminal/create', { sessionId, command: 'printf', args: ['done'] });
      const shown = { sessionId, terminalId: terminal.terminalId };
      await send('tool_call', { toolCallId: 'c', title: 'printf done', kind: 'other', status: 'in_progress' });
      await send('tool_call_update', {
        toolCallId: 'c',
        content: [{ type: 'terminal', terminalId: shown.terminalId }],
      });
      const { exitCode } = await client.request('terminal/wait_for_exit', shown);
      const { output } = await client.request('terminal/output', shown);
      await client.request('terminal/release', shown);
      await send('tool_call_update', { toolCallId: 'c', status: 'completed' });
      await send('agent_thought_chunk', { content: text('Hm.') });
      await send('agent_message_chunk', { content: text(`${outcome.optionId} ${exitCode}`) });
      await send('agent_message_chunk', { content: text(` ${output}`) });
      return { stopReason: 'end_turn' };
    },
    async form({ client, send, sessionId }) {
      const { action, content } = await client.request('elicitation/create', { sessionId, ...form });
      await send('agent_message_chunk', { content: text(`${action} ${content?.colour}`) });
      return { stopReason: 'end_turn' };
    },
    fail() {
      throw new older.RequestError(...failure);
    },
    async wait({ send, sessionId }) {
      const cancelled = cancel(of, sessionId);
      await send('agent_message_chunk', { content: text('waiting') });
      await cancelled;
      return { stopReason: 'cancelled' };
    },
    async say({ send }, word) {
      await send('agent_message_chunk', { content: text(word) });
      return { stopReason: 'end_turn' };
    },
  };
  const setup = () => ({ modes: { currentModeId: of.mode, availableModes: modes } });
  return older
    .agent({ name: 'scripted' })
    .onRequest('initialize', () => ({
      protocolVersion: 1,
      agentInfo: info,
      agentCapabilities: { loadSession: true, sessionCapabilities: { list: {}, resume: {}, close: {} } },
      authMethods: [{ id: 'web', name: 'Web' }],
    }))
    .onRequest('authenticate', () => {
      of.isLoggedIn = true;
      return {};
    })
    .onRequest('session/new', () => {
      if (!of.isLoggedIn) throw older.RequestError.authRequired();
      return { sessionId: `own-${++of.sessions}`, ...setup() };
    })
    .onRequest('session/load', setup)
    .onRequest('session/resume', setup)
    .onRequest('session/close', () => ({}))
    .onRequest('session/set_mode', ({ params }) => {
      of.mode = params.modeId;
      return {};
    })
    .onNotification('session/cancel', ({ params }) => of.cancelled.get(params.sessionId)?.())
    .onRequest('session/prompt', ({ params: { sessionId, prompt }, client }) => {
      const send = (sessionUpdate, fields) =>
        client.notify('session/update', { sessionId, update: { sessionUpdate, ...fields } });
      const ask = (toolCall) => client.request('session/request_permission', { sessionId, toolCall, options });
      const [word] = prompt[0].text.split(' ');
      const turn = Object.hasOwn(turns, word) ? word : 'say';
      return turns[turn]({ client, send, sessionId, ask }, word);
    });
}

export function version2() {
  const of = memory();
  const choices = () => [
    {
      ...{ configId: 'mode', name: 'Mode', type: 'select', category: 'mode', currentValue: of.mode },
      options: modes.map(({ id, name }) => ({ value: id, name })),
    },
  ];
  const say = (send, messageId, words) => send('agent_message_chunk', { messageId, content: text(words) });
  const turns = {
    async work({ client, send, sessionId, id }) {
      await send('plan_update', { plan: { type: 'items', planId: 'p', entries } });
      await send('tool_call_update', {
        ...{ toolCallId: 't', title: 'Edit a.txt', kind: 'edit', locations: [{ path: '/w/a.txt' }] },
      });
      await send('state_update', { state: 'requires_action' });
      const subject = { type: 'tool_call', toolCall: { toolCallId: 't' } };
      const question = { sessionId, title: 'Edit the file?', description: 'It has one line.', subject, options };
      const { outcome } = await client.request('session/request_permission', question);
      await send('state_update', { state: 'running' });
      const content = [
        {
          type: 'diff',
          changes: [{ operation: 'modify', path: '/w/a.txt' }],
          patch: { format: 'git_patch', text: patch },
        },
      ];
      await send('tool_call_update', { toolCallId: 't', status: 'completed', content });
      await send('terminal_update', { terminalId: 'x', command: 'printf done', cwd: '/w' });
      await send('tool_call_update', {
        ...{ toolCallId: 'c', title: 'printf done', kind: 'execute', status: 'in_progress' },
        content: [{ type: 'terminal', terminalId: 'x' }],
      });
      await send('terminal_output_chunk', { terminalId: 'x', data: btoa('do') });
      await send('terminal_output_chunk', { terminalId: 'x', data: btoa('ne') });
      await send('terminal_update', { terminalId: 'x', exitStatus: { exitCode: 0 } });
      await send('tool_call_update', { toolCallId: 'c', status: 'completed' });
      await send('agent_thought', { messageId: `${id}t`, content: [text('Hm.')] });
      await say(send, `${id}a`, `${outcome.optionId} 0`);
      await say(send, `${id}a`, ' done');
      return { stopReason: 'end_turn' };
    },
    async form({ client, send, sessionId, id }) {
      const { action, content } = await client.request('elicitation/create', { sessionId, ...form });
      await say(send, `${id}a`, `${action} ${content?.colour}`);
      return { stopReason: 'end_turn' };
    },
    fail: () => {
      const [code, message, data] = failure;
      return { stopReason: 'error', error: { code, message, data } };
    },
    async wait({ send, sessionId, id }) {
      const cancelled = cancel(of, sessionId);
      await say(send, `${id}a`, 'waiting');
      await cancelled;
      return { stopReason: 'cancelled' };
    },
    async say({ send, id }, word) {
      await say(send, `${id}a`, word);
      return { stopReason: 'end_turn' };
    },
  };
  return newer
    .agent()
    .onRequest('initialize', () => ({
      ...{ protocolVersion: 2, info, capabilities: { session: {} } },
      authMethods: [{ type: 'agent', methodId: 'web', name: 'Web' }],
    }))
    .onRequest('auth/login', () => {
      of.isLoggedIn = true;
      return {};
    })
    .onRequest('auth/logout', () => ({}))
    .onRequest('session/new', () => {
      if (!of.isLoggedIn) throw newer.RequestError.authRequired();
      return { sessionId: `own-${++of.sessions}`, configOptions: choices() };
    })
    .onRequest('session/resume', async ({ params: { sessionId, replayFrom }, client }) => {
      const send = (update) => client.notify('session/update', { sessionId, update });
      if (replayFrom) await send({ sessionUpdate: 'replay_complete' });
      await send({ sessionUpdate: 'state_update', state: 'idle' });
      return { configOptions: choices() };
    })
    .onRequest('session/close', () => ({}))
    .onRequest('session/list', () => ({ sessions: [] }))
    .onRequest('session/set_config_option', ({ params }) => {
      of.mode = params.value;
      return { configOptions: choices() };
    })
    .onNotification('session/cancel', ({ params }) => of.cancelled.get(params.sessionId)?.())
    .onRequest('session/prompt', async ({ params: { sessionId, prompt }, client }) => {
      const id = `m${++of.prompts}`;
      const send = (sessionUpdate, fields) =>
        client.notify('session/update', { sessionId, update: { sessionUpdate, ...fields } });
      await send('user_message', { messageId: id, content: prompt });
      const [word] = prompt[0].text.split(' ');
      const turn = Object.hasOwn(turns, word) ? word : 'say';
      const work = async () => {
        await send('state_update', { state: 'running' });
        const end = await turns[turn]({ client, send, sessionId, id }, word);
        await send('state_update', { state: 'idle', ...end });
      };
      setTimeout(() => void work(), 0);
      return { messageId: id };
    });
}

/** The agents by their versions. */
export const agents = {
  1: version1,
  2: version2,
  both: () => agentProtocolRouter().withV1(version1()).withV2(version2()),
};

const [, program, spoken] = process.argv;
if (spoken !== undefined && program === new URL(import.meta.url).pathname)
  agents[spoken]().connect(older.ndJsonStream(Writable.toWeb(process.stdout), Readable.toWeb(process.stdin)));
