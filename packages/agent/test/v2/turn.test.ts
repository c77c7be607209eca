import { expect, test } from 'vitest';
import { memoryStore } from '../../src/index.ts';
import { gate } from '../agent-pair.ts';
import { rawV2 } from './raw-client.ts';

const update = (state: string, more: object = {}): object => ({ sessionUpdate: 'state_update', state, ...more });
const user = (messageId: string, text: string): object => ({
  sessionUpdate: 'user_message',
  messageId,
  content: [{ type: 'text', text }],
});
const said = (messageId: string, text: string): object => ({
  sessionUpdate: 'agent_message_chunk',
  messageId,
  content: { type: 'text', text },
});
const cancelled = {
  code: -32800,
  message: 'The prompt was cancelled before it became part of the conversation',
};

test('initialize is answered in the form of the version that the client asked for', async () => {
  const definition = {
    promptCapabilities: { image: true },
    mcpCapabilities: { http: true },
    store: memoryStore(),
    auth: {
      methods: [
        { id: 'key', name: 'Key' },
        { type: 'terminal', id: 'terminal', name: 'Terminal', env: { A: 'b' } },
      ],
      authenticate: () => undefined,
    },
  } as const;
  const old = rawV2(definition);
  const now = rawV2(definition);
  expect([
    await old.ask('initialize', { protocolVersion: 1 }),
    await now.introduce({ auth: { terminal: {} } }),
    await rawV2(definition, { versions: [2] }).ask('initialize', { protocolVersion: 1 }),
    await rawV2(definition, { versions: [1] }).ask('initialize', { protocolVersion: 2 }),
  ]).toEqual([
    expect.objectContaining({ protocolVersion: 1, agentInfo: { name: 'test', version: '1.0.0' } }),
    {
      protocolVersion: 2,
      info: { name: 'test', version: '1.0.0' },
      capabilities: { session: { prompt: { image: {} }, mcp: { stdio: {}, http: {} }, delete: {} } },
      authMethods: [
        { type: 'agent', methodId: 'key', name: 'Key' },
        { type: 'terminal', methodId: 'terminal', name: 'Terminal', env: [{ name: 'A', value: 'b' }] },
      ],
    },
    {
      code: -32022,
      message: 'Unsupported protocol version 1: this agent speaks 2',
      data: { requested: 1, supported: [2] },
    },
    expect.objectContaining({ protocolVersion: 1 }),
  ]);
});

test('a prompt is echoed and answered at the beginning of its turn, whose end is an update', async () => {
  const agent = rawV2(async (turn) => {
    await turn.say('Hello');
    await turn.plan(['One']);
    await turn.usage({ used: 1, size: 2 });
    await turn.notice({ severity: 'info', title: 'Note' });
    await turn.think('Hm');
    return 'max_tokens' as const;
  });
  const sessionId = await agent.begin();
  agent.prompt(sessionId, 'Hi');
  await agent.idle();
  expect(agent.seen()).toEqual({
    messages: [
      user('id-1', 'Hi'),
      update('running'),
      said('id-2', 'Hello'),
      {
        sessionUpdate: 'plan_update',
        plan: { type: 'items', planId: 'plan', entries: [{ content: 'One', priority: 'medium', status: 'pending' }] },
      },
      { sessionUpdate: 'usage_update', used: 1, size: 2 },
      { sessionUpdate: 'notice', severity: 'info', title: 'Note' },
      { sessionUpdate: 'agent_thought_chunk', messageId: 'id-3', content: { type: 'text', text: 'Hm' } },
      update('idle', { stopReason: 'max_tokens' }),
    ],
    answers: [{ id: 2, messageId: 'id-1' }],
  });
});

test('prompts that wait are inserted in order, and one that is withdrawn is not inserted', async () => {
  const go = gate();
  const agent = rawV2(async (turn) => {
    if (turn.text === 'one') await go.opened;
    await turn.say(turn.text.toUpperCase());
  });
  const sessionId = await agent.begin();
  agent.prompt(sessionId, 'one');
  const withdrawn = agent.prompt(sessionId, 'two');
  agent.prompt(sessionId, 'three');
  agent.notify('$/cancel_request', { requestId: withdrawn });
  await agent.until(({ id }) => id === withdrawn);
  go.open();
  await agent.idle(2);
  expect(agent.seen()).toEqual({
    messages: [
      user('id-1', 'one'),
      update('running'),
      said('id-2', 'ONE'),
      update('idle', { stopReason: 'end_turn' }),
      user('id-3', 'three'),
      update('running'),
      said('id-4', 'THREE'),
      update('idle', { stopReason: 'end_turn' }),
    ],
    answers: [
      { id: 2, messageId: 'id-1' },
      { id: 3, ...cancelled },
      { id: 4, messageId: 'id-3' },
    ],
  });
});

test('session/cancel ends the turn and the prompts that wait, and nothing else', async () => {
  const agent = rawV2(async (turn) => {
    if (turn.text === 'after') return;
    void turn.tool({ title: 'Wait' }).start();
    await new Promise((resolve) => turn.signal.addEventListener('abort', resolve));
  });
  const sessionId = await agent.begin();
  agent.prompt(sessionId, 'one');
  const held = agent.prompt(sessionId, 'two');
  await agent.until(({ id }) => id === 2);
  agent.notify('session/cancel', { sessionId });
  agent.prompt(sessionId, 'after');
  await agent.idle(2);
  agent.notify('session/cancel', { sessionId });
  await agent.ask('session/list');
  const call = { sessionUpdate: 'tool_call_update', toolCallId: 'id-2' };
  expect(agent.seen()).toEqual({
    messages: [
      user('id-1', 'one'),
      update('running'),
      { ...call, title: 'Wait', status: 'pending' },
      { ...call, status: 'in_progress' },
      {
        ...call,
        status: 'cancelled',
        content: [{ type: 'content', content: { type: 'text', text: 'Cancelled.' } }],
      },
      update('idle', { stopReason: 'cancelled' }),
      user('id-3', 'after'),
      update('running'),
      update('idle', { stopReason: 'end_turn' }),
    ],
    answers: [
      { id: 2, messageId: 'id-1' },
      { id: held, ...cancelled },
      { id: 4, messageId: 'id-3' },
      { id: 5, sessions: [{ sessionId: 'id-4', cwd: process.cwd() }] },
    ],
  });
});

test('a turn that fails after its prompt was inserted ends with an error, and the answer stays', async () => {
  const agent = rawV2(() => {
    throw new Error('secret');
  });
  const sessionId = await agent.begin();
  agent.prompt(sessionId, 'Hi');
  await agent.idle();
  await agent.ask('session/prompt', { sessionId, prompt: [] });
  await agent.ask('session/prompt', { sessionId: 'other', prompt: [{ type: 'text', text: 'Hi' }] });
  expect(agent.seen()).toEqual({
    messages: [
      user('id-1', 'Hi'),
      update('running'),
      update('idle', {
        stopReason: 'error',
        error: {
          code: -32603,
          message: 'The agent failed while answering the prompt (Error). See its log for the reason.',
        },
      }),
    ],
    answers: [
      { id: 2, messageId: 'id-1' },
      expect.objectContaining({ id: 3, code: -32602 }),
      { id: 4, code: -32002, message: 'Session not found: other', data: { sessionId: 'other' } },
    ],
  });
});

test('a prompt with a key is inserted once, also after a restart of the agent', async () => {
  const definition = { store: memoryStore(), prompt: () => undefined };
  const first = rawV2(definition);
  const sessionId = await first.begin();
  const idempotencyKey = 'key';
  const prompt = [{ type: 'text', text: 'Hi' }];
  const answer = first.ask('session/prompt', { sessionId, prompt, idempotencyKey });
  const again = await first.ask('session/prompt', { sessionId, prompt, idempotencyKey });
  await first.idle();
  const other = await first.ask('session/prompt', {
    sessionId,
    prompt: [{ type: 'text', text: 'Bye' }],
    idempotencyKey,
  });
  await first.agent.close();
  const second = rawV2(definition);
  await second.introduce();
  await second.ask('session/resume', { sessionId, cwd: process.cwd() });
  const restarted = await second.ask('session/prompt', { sessionId, prompt, idempotencyKey });
  expect([again, other, restarted]).toEqual([
    await answer,
    { code: -32602, message: 'idempotencyKey: another prompt of this session has the same key' },
    await answer,
  ]);
  expect(
    first.frames.filter(({ params }) => (params?.['update'] as { state?: string })?.state === 'idle'),
  ).toHaveLength(1);
});

test('a session requires action while its turn waits only for the user', async () => {
  const busy = gate();
  const agent = rawV2(async (turn) => {
    const other = turn.tool({ title: 'Other' });
    await other.start();
    const edit = turn.tool({ title: 'Edit a' });
    const answered = turn.askPermission(edit);
    await busy.opened;
    await other.complete();
    await turn.say((await answered).outcome);
  });
  const sessionId = await agent.begin();
  agent.prompt(sessionId, 'Hi');
  const { id } = await agent.until(({ method }) => method === 'session/request_permission');
  busy.open();
  await agent.until(
    ({ params }) => (params?.['update'] as { state?: string } | undefined)?.state === 'requires_action',
  );
  agent.answer(id, { outcome: { outcome: 'selected', optionId: 'allow_once' } });
  await agent.idle();
  const call = (toolCallId: string, more: object): object => ({
    sessionUpdate: 'tool_call_update',
    toolCallId,
    ...more,
  });
  expect(agent.seen()).toEqual({
    messages: [
      user('id-1', 'Hi'),
      update('running'),
      call('id-2', { title: 'Other', status: 'pending' }),
      call('id-2', { status: 'in_progress' }),
      call('id-3', { title: 'Edit a', status: 'pending' }),
      {
        method: 'session/request_permission',
        params: {
          sessionId: 'id-4',
          title: 'Allow “Edit a”?',
          subject: { type: 'tool_call', toolCall: { toolCallId: 'id-3', title: 'Edit a', status: 'pending' } },
          options: [
            { optionId: 'allow_once', name: 'Allow', kind: 'allow_once' },
            { optionId: 'reject_once', name: 'Reject', kind: 'reject_once' },
          ],
        },
      },
      update('requires_action'),
      call('id-2', { status: 'completed' }),
      update('running'),
      said('id-5', 'allowed'),
      call('id-3', { status: 'failed', content: expect.any(Array) as unknown }),
      update('idle', { stopReason: 'end_turn' }),
    ],
    answers: [{ id: 2, messageId: 'id-1' }],
  });
});

test('an unknown outcome is not an approval, and cancelled work withdraws its question', async () => {
  const outcomes: string[] = [];
  const agent = rawV2(async (turn) => {
    outcomes.push((await turn.askPermission(turn.tool({ title: 'One' }))).outcome);
    outcomes.push((await turn.askPermission(turn.tool({ title: 'Two' }))).outcome);
  });
  const sessionId = await agent.begin();
  agent.prompt(sessionId, 'Hi');
  const asked = (title: string): Promise<{ readonly id?: number }> =>
    agent.until(({ params }) => params?.['title'] === `Allow “${title}”?`);
  agent.answer((await asked('One')).id, { outcome: { outcome: '_later' } });
  const { id } = await asked('Two');
  agent.notify('session/cancel', { sessionId });
  const withdrawn = await agent.until(({ method }) => method === '$/cancel_request');
  agent.answer(id, { outcome: { outcome: 'cancelled' } });
  await agent.idle();
  expect([withdrawn.params, outcomes]).toEqual([{ requestId: id }, ['cancelled', 'cancelled']]);
});

test('an update that version 2 cannot express is refused with an error', async () => {
  let failure: unknown;
  const agent = rawV2(async (turn) => {
    await turn.update({ sessionUpdate: 'agent_message_chunk', content: { type: 'text', text: 'No id' } });
    await turn.update({ sessionUpdate: 'plan_update', plan: 5 } as never).catch((error: unknown) => (failure = error));
  });
  const sessionId = await agent.begin();
  agent.prompt(sessionId, 'Hi');
  await agent.idle();
  expect(failure).toMatchObject({
    code: 'invalid-message',
    message: expect.stringMatching(/^Version 2 of the protocol cannot express this update of the session: /) as string,
  });
  expect(agent.seen()).toEqual({
    messages: [
      user('id-1', 'Hi'),
      update('running'),
      said('id-2', 'No id'),
      update('idle', { stopReason: 'end_turn' }),
    ],
    answers: [{ id: 2, messageId: 'id-1' }],
  });
});
