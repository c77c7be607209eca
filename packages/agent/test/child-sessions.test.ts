import { expect, test } from 'vitest';
import { memoryStore } from '../src/index.ts';
import type { Turn } from '../src/index.ts';
import { gate, numbered, pair } from './agent-pair.ts';
import { rawV2, type RawV2Client } from './v2/raw-client.ts';

/** Delegates a task that uses a tool. */
const delegating = async (turn: Turn<undefined>): Promise<void> => {
  const end = await turn.delegate?.({ title: 'Look', description: 'At all', message: 'Look at it' }, async (child) => {
    await child.say('I look');
    await child.tool({ title: 'Read' }).complete('text');
    return 'max_tokens' as const;
  });
  await turn.say(`It ended with ${end?.stopReason}`);
};

/** The updates of a client of version 2, each with the session that it is about. */
function updatesOf({ frames }: RawV2Client): unknown {
  return numbered(
    frames.flatMap(({ method, params }) =>
      method === 'session/update' ? [[params?.['sessionId'], params?.['update']]] : [],
    ),
  );
}

const text = (words: string): object => ({ type: 'text', text: words });
const subagent = (more: object): object => ({ sessionUpdate: 'subagent_update', sessionId: 'id-3', ...more });

test('work that is delegated has a session, whose states are mirrored on the session that started it', async () => {
  const agent = rawV2(delegating);
  agent.prompt(await agent.begin(), 'Go');
  await agent.until(({ params }) => JSON.stringify(params ?? {}).includes('"stopReason":"end_turn"'));
  expect(updatesOf(agent)).toEqual([
    ['id-1', { sessionUpdate: 'user_message', messageId: 'id-2', content: [text('Go')] }],
    ['id-1', { sessionUpdate: 'state_update', state: 'running' }],
    ['id-1', subagent({ title: 'Look', description: 'At all', capabilities: { cancel: {} } })],
    [
      'id-1',
      {
        sessionUpdate: 'session_message',
        content: [text('Look at it')],
        messageId: 'id-4',
        recipientSessionId: 'id-3',
        recipientMessageId: 'id-5',
      },
    ],
    [
      'id-3',
      {
        sessionUpdate: 'session_message',
        content: [text('Look at it')],
        messageId: 'id-5',
        senderSessionId: 'id-1',
        senderMessageId: 'id-4',
      },
    ],
    ['id-3', { sessionUpdate: 'state_update', state: 'running' }],
    ['id-1', subagent({ state: { state: 'running' } })],
    ['id-3', { sessionUpdate: 'agent_message_chunk', messageId: 'id-6', content: text('I look') }],
    ['id-3', { sessionUpdate: 'tool_call_update', toolCallId: 'id-7', status: 'pending', title: 'Read' }],
    [
      'id-3',
      {
        sessionUpdate: 'tool_call_update',
        toolCallId: 'id-7',
        status: 'completed',
        content: [{ type: 'content', content: text('text') }],
      },
    ],
    ['id-3', { sessionUpdate: 'state_update', state: 'idle', stopReason: 'max_tokens' }],
    ['id-1', subagent({ state: { state: 'idle', stopReason: 'max_tokens' }, capabilities: null })],
    ['id-1', { sessionUpdate: 'agent_message_chunk', messageId: 'id-8', content: text('It ended with max_tokens') }],
    ['id-1', { sessionUpdate: 'state_update', state: 'idle', stopReason: 'end_turn' }],
  ]);
});

test('a client of version 1 sees child sessions if it offers that, and their history when it loads the session', async () => {
  const store = memoryStore();
  const definition = { store, prompt: delegating };
  const seen: unknown[] = [];
  const client = { 'session/update': (received: object): void => void seen.push(received) };
  const first = await pair(definition, { client, capabilities: { subagents: {} } });
  const id = await first.open();
  await first.prompt(id, 'Go');
  await first.agent.close();
  const live = seen.splice(0);
  const loads = async (capabilities: object): Promise<unknown> => {
    const next = await pair(definition, { client, capabilities });
    await next.client.request('session/load', { sessionId: id, cwd: '/', mcpServers: [] });
    await next.agent.close();
    return seen.splice(0);
  };
  const kinds = (updates: unknown): unknown =>
    numbered(
      updates as readonly { readonly sessionId: string; readonly update: { readonly sessionUpdate: string } }[],
    ).map(({ sessionId, update }) => `${sessionId} ${update.sessionUpdate}`);
  expect([kinds(live), kinds(await loads({ subagents: {} })), kinds(await loads({}))]).toEqual([
    [
      'id-1 subagent_update',
      'id-1 session_message',
      'id-2 session_message',
      'id-1 subagent_update',
      'id-2 agent_message_chunk',
      'id-2 tool_call',
      'id-2 tool_call_update',
      'id-1 subagent_update',
      'id-1 agent_message_chunk',
    ],
    [
      'id-1 user_message_chunk',
      'id-1 subagent_update',
      'id-1 session_message',
      'id-1 agent_message_chunk',
      'id-3 session_message',
      'id-3 agent_message_chunk',
      'id-3 tool_call',
    ],
    ['id-1 user_message_chunk', 'id-1 agent_message_chunk'],
  ]);
});

test('a client that does not show child sessions gets none: the turn cannot delegate', async () => {
  const can: boolean[] = [];
  const { open, prompt } = await pair((turn) => void can.push('delegate' in turn));
  await prompt(await open(), 'Go');
  expect(can).toEqual([false]);
});

test('a client cancels a child session alone, and every other request about it is refused', async () => {
  const started = gate();
  const agent = rawV2(async (turn) => {
    const end = await turn.delegate?.({ title: 'Wait' }, async ({ signal }) => {
      started.open();
      await new Promise((resolve) => signal.addEventListener('abort', resolve));
    });
    await turn.say(String(end?.stopReason));
  });
  const sessionId = await agent.begin();
  agent.prompt(sessionId, 'Go');
  await started.opened;
  const announced = await agent.until(({ params }) => JSON.stringify(params ?? {}).includes('subagent_update'));
  const { update } = announced.params as { readonly update: { readonly sessionId: string } };
  const child = update.sessionId;
  const about = { sessionId: child, cwd: process.cwd() };
  const refusals = [
    await agent.ask('session/prompt', { sessionId: child, prompt: [text('Hi')] }),
    await agent.ask('session/resume', about),
    await agent.ask('session/close', { sessionId: child }),
    await agent.ask('tool_call/cancel', { sessionId: child, toolCallId: 't' }),
  ];
  agent.notify('session/cancel', { sessionId: child });
  await agent.until(({ params }) => JSON.stringify(params ?? {}).includes('agent_message_chunk'));
  expect(refusals).toEqual(
    Array.from({ length: 4 }, () => ({
      code: -32602,
      message: 'sessionId: a session that another one started can only be cancelled',
    })),
  );
  expect(JSON.stringify(agent.frames)).toContain('"text":"cancelled"');
});

test('work in the background outlives its turn, is listed in each state, and ends with the session', async () => {
  const agent = rawV2((turn) => {
    void turn.delegate?.({ title: 'Watch', background: true }, async ({ signal }) => {
      await new Promise((resolve) => signal.addEventListener('abort', resolve));
    });
  });
  const sessionId = await agent.begin();
  agent.prompt(sessionId, 'Go');
  await agent.idle();
  agent.notify('session/cancel', { sessionId });
  await agent.ask('session/close', { sessionId });
  const working = { background: [{ type: 'subagent', sessionId: 'id-3' }] };
  expect(updatesOf(agent)).toEqual([
    ['id-1', { sessionUpdate: 'user_message', messageId: 'id-2', content: [text('Go')] }],
    ['id-1', { sessionUpdate: 'state_update', state: 'running' }],
    ['id-1', subagent({ title: 'Watch', capabilities: { cancel: {} } })],
    ['id-1', { sessionUpdate: 'state_update', state: 'running', ...working }],
    ['id-3', { sessionUpdate: 'state_update', state: 'running' }],
    ['id-1', subagent({ state: { state: 'running' } })],
    ['id-1', { sessionUpdate: 'state_update', state: 'idle', stopReason: 'end_turn', ...working }],
    ['id-3', { sessionUpdate: 'state_update', state: 'idle', stopReason: 'cancelled' }],
    ['id-1', subagent({ state: { state: 'idle', stopReason: 'cancelled' }, capabilities: null })],
    ['id-1', { sessionUpdate: 'state_update', state: 'idle', background: [] }],
  ]);
});

test('an error of delegated work ends its session with an error, without the message, and reaches the author', async () => {
  const agent = rawV2(async (turn) => {
    const failure = await turn.delegate?.({ title: 'Fail' }, () => Promise.reject(new Error('secret'))).catch(String);
    await turn.say(String(failure === 'Error: secret'));
  });
  agent.prompt(await agent.begin(), 'Go');
  await agent.idle(2);
  const error = { code: -32603, message: 'The work of the session failed. See the agent’s log for the reason.' };
  expect(updatesOf(agent)).toEqual(
    expect.arrayContaining([
      ['id-3', { sessionUpdate: 'state_update', state: 'idle', stopReason: 'error', error }],
      ['id-1', subagent({ state: { state: 'idle', stopReason: 'error', error }, capabilities: null })],
      ['id-1', { sessionUpdate: 'agent_message_chunk', messageId: 'id-4', content: text('true') }],
    ]),
  );
});
