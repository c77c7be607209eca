import { tmpdir } from 'node:os';
import { approveAll, attachAgent } from '@turnwire/client';
import { protocolVersions } from '@turnwire/client/v2';
import {
  connectAgent,
  type Handlers,
  type RequestPermissionRequest,
  type SessionNotification,
  type SessionUpdate,
} from '@turnwire/protocol';
import { v2, type V2 } from '@turnwire/protocol/v2';
import { type HostedAgent, memoryStore } from '@turnwire/runtime';
import { memoryPair } from '@turnwire/transports/memory';
import { expect, test } from 'vitest';
import { Gateway } from '../src/index.ts';
import { type Loss, losses, plainUpdate } from '@turnwire/protocol/translation';

const cwd = tmpdir();
const text = (value: string): { readonly type: 'text'; readonly text: string } => ({ type: 'text', text: value });

const option = (currentValue: string): object => ({
  ...{ configId: 'approval', name: 'Approval', category: 'mode', type: 'select', currentValue },
  options: [
    { value: 'ask', name: 'Ask' },
    { value: 'auto', name: 'Auto' },
  ],
});

/** The updates of a turn: values that version 1 does not have, and kinds of updates that it does not have. */
const turn: readonly object[] = [
  { sessionUpdate: 'state_update', state: 'running' },
  { sessionUpdate: 'agent_message', messageId: 'm', content: [text('working'), { type: 'video', data: '' }] },
  { sessionUpdate: 'agent_message', messageId: 'm', content: [text('replaced')] },
  { sessionUpdate: 'tool_call_update', toolCallId: 't', title: 'Paint', kind: 'paint', status: 'in_progress' },
  { sessionUpdate: 'tool_call_update', toolCallId: 't', capabilities: { cancel: {} } },
  { sessionUpdate: 'tool_call_update', toolCallId: 't', status: 'paused', content: [{ type: 'session', id: 'x' }] },
  { sessionUpdate: 'tool_call_update', toolCallId: 't', status: 'cancelled' },
  { sessionUpdate: 'plan_update', plan: { type: 'items', planId: 'p', entries: [planEntry('urgent', 'cancelled')] } },
  { sessionUpdate: 'terminal_update', terminalId: 'x', exitStatus: { exitCode: 0 } },
  { sessionUpdate: 'notice', severity: 'info', title: 'For clients that announce notices' },
  {
    sessionUpdate: 'config_option_update',
    configOptions: [option('auto'), { type: 'dial', configId: 'd', name: 'D' }],
  },
  { sessionUpdate: '_painter/colour', colour: 'red' },
];

function planEntry(priority: string, status: string): object {
  return { content: 'Paint it', priority, status };
}

/** The handlers of an agent that speaks only version 2. */
const painter: Handlers<'agent', V2> = {
  initialize: () => ({
    protocolVersion: 2,
    info: { name: 'painter', version: '1' },
    capabilities: { session: {} },
    authMethods: [{ type: 'scan', methodId: 'scan', name: 'Scan' } as never],
  }),
  'session/new': () => ({ sessionId: 's', configOptions: [option('ask') as never] }),
  'session/prompt': async ({ sessionId, prompt }, { peer }) => {
    const send = (update: object): Promise<void> => peer.raw.notify('session/update', { sessionId, update });
    await send({ sessionUpdate: 'user_message', messageId: 'u', content: prompt });
    for (const update of turn) await send(update);
    await peer.request('session/request_permission', {
      sessionId,
      title: 'Paint the wall?',
      subject: { type: 'command', command: 'paint', cwd: '/' },
      options: [
        { optionId: 'yes', name: 'Yes', kind: 'allow_once' },
        { optionId: 'week', name: 'For a week', kind: 'allow_week' },
      ],
    });
    setTimeout(() => void send({ sessionUpdate: 'state_update', state: 'idle', stopReason: '_dry' }), 0);
    return { messageId: 'u' };
  },
};

/** The text about something that the client does not see, and the update without content that has it in `_meta`. */
function told(loss: Loss): readonly SessionUpdate[] {
  return [
    { sessionUpdate: 'agent_message_chunk', content: text(`[turnwire] ${losses[loss]}\n\n`) },
    { sessionUpdate: 'session_info_update' },
  ];
}

/** A gateway with this agent. */
function gatewayOfVersion2(): Gateway {
  const start: HostedAgent['start'] = (options) => {
    const [near, far] = memoryPair();
    connectAgent(far, painter, { edition: v2 });
    return attachAgent(near, { ...options, versions: protocolVersions([1, 2]) });
  };
  return new Gateway({ store: memoryStore(), agents: { test: { start } }, cwd });
}

test('a client of version 1 receives valid messages of version 1 from an agent of version 2', async () => {
  await using gateway = gatewayOfVersion2();
  const [near, far] = memoryPair();
  gateway.attach(far, { principal: { tenant: 'local', scope: 'control' }, agent: 'test' });
  const frames: { readonly method?: string; readonly params?: unknown }[] = [];
  await using agent = await attachAgent(near, {
    tap: (direction, frame) => {
      if (direction === 'in') frames.push(JSON.parse(frame) as object);
    },
    permission: approveAll,
  });
  const session = await agent.newSession({ cwd });
  const { stopReason } = await session.prompt('paint').result;
  const updates = frames.flatMap(({ method, params }) =>
    method === 'session/update' ? [(params as SessionNotification).update] : [],
  );
  const lost = frames.flatMap(({ method, params }) => {
    const { _meta } = (params ?? {}) as { readonly _meta?: { readonly turnwire?: { readonly lost?: object } } };
    return method === 'session/update' && _meta?.turnwire?.lost ? [_meta.turnwire.lost] : [];
  });
  // What version 1 does not have is in `_meta`, as the agent sent it.
  expect(lost).toEqual([
    { sessionUpdate: 'agent_message_chunk', messageId: 'm', content: { type: 'video', data: '' } },
    ...[2, 5, 6, 8, 10].map((index) => turn[index]),
  ]);
  const { authMethods, version } = agent;
  const asked = frames.find(({ method }) => method === 'session/request_permission')?.params;
  const { options } = asked as RequestPermissionRequest;
  expect({
    version,
    authMethods,
    modes: session.modes?.current,
    stopReason,
    asked: options.map(({ kind }) => kind),
  }).toEqual({
    version: 1,
    authMethods: [],
    modes: 'auto',
    stopReason: 'end_turn',
    asked: ['allow_once', 'allow_once'],
  });
  expect(updates).toEqual([
    { sessionUpdate: 'agent_message_chunk', messageId: 'm', content: text('working') },
    ...told('content'),
    ...told('message'),
    { sessionUpdate: 'tool_call', toolCallId: 't', title: 'Paint', kind: 'other', status: 'in_progress' },
    { sessionUpdate: 'tool_call_update', toolCallId: 't' },
    { sessionUpdate: 'tool_call_update', toolCallId: 't', status: 'in_progress', content: [] },
    ...told('cancelled').slice(0, 1),
    { sessionUpdate: 'tool_call_update', toolCallId: 't', status: 'failed' },
    {
      sessionUpdate: 'plan_update',
      plan: {
        type: 'items',
        planId: 'p',
        entries: [{ content: 'Paint it (cancelled)', priority: 'medium', status: 'completed' }],
      },
    },
    ...told('terminal'),
    { sessionUpdate: 'notice', severity: 'info', title: 'For clients that announce notices' },
    ...told('option').slice(0, 1),
    {
      sessionUpdate: 'config_option_update',
      configOptions: [
        {
          ...{ id: 'approval', name: 'Approval', category: 'mode', type: 'select', currentValue: 'auto' },
          options: [
            { value: 'ask', name: 'Ask' },
            { value: 'auto', name: 'Auto' },
          ],
        },
      ],
    },
    { sessionUpdate: 'current_mode_update', currentModeId: 'auto' },
    { sessionUpdate: '_painter/colour', colour: 'red' },
    { sessionUpdate: 'tool_call_update', toolCallId: 'question-1', status: 'completed' },
  ]);
});

test('an update of version 1 is passed on as it is, and a notice only to clients that announced that they read it', () => {
  const update: SessionUpdate = {
    sessionUpdate: 'tool_call',
    toolCallId: 't',
    title: 'Read',
    kind: 'read',
    status: 'completed',
    content: [{ type: 'content', content: text('read') }],
  };
  const notice: SessionUpdate = { sessionUpdate: 'notice', severity: 'info', title: 'Note' };
  expect(plainUpdate(update, {})).toBe(update);
  expect([plainUpdate(notice, {}), plainUpdate(notice, { session: { notices: {} } })]).toEqual([undefined, notice]);
});
