import type { SessionUpdate } from '@turnwire/protocol';
import { expect, test } from 'vitest';
import { memoryStore } from '../src/index.ts';
import { gate, numbered, pair } from './agent-pair.ts';

const image = { type: 'image', mimeType: 'image/png', data: 'AAAA' } as const;

test('any content, update and _meta can be sent, and all of it is stored', async () => {
  const store = memoryStore();
  const { client, open, prompt, received } = await pair({
    store,
    prompt: async (turn) => {
      await turn.say('Look:');
      await turn.say(image);
      await turn.think({ type: 'text', text: 'Hm.', _meta: { of: 'thought' } });
      await turn.update({ sessionUpdate: 'plan', entries: [], _meta: { of: 'plan' } });
      const tool = turn.tool({ title: 'Draw', toolCallId: 'mine', _meta: { of: 'call' } });
      await tool.complete([{ type: 'content', content: image }]);
      return { stopReason: 'max_tokens', _meta: { of: 'answer' } };
    },
  });
  const sessionId = await open();
  await prompt(sessionId, 'hello');
  const updates: readonly unknown[] = [
    { sessionUpdate: 'agent_message_chunk', messageId: '1', content: { type: 'text', text: 'Look:' } },
    { sessionUpdate: 'agent_message_chunk', messageId: '1', content: image },
    {
      sessionUpdate: 'agent_thought_chunk',
      messageId: '2',
      content: { type: 'text', text: 'Hm.', _meta: { of: 'thought' } },
    },
    { sessionUpdate: 'plan', entries: [], _meta: { of: 'plan' } },
    { sessionUpdate: 'tool_call', toolCallId: 'mine', status: 'pending', title: 'Draw', _meta: { of: 'call' } },
    {
      sessionUpdate: 'tool_call_update',
      toolCallId: 'mine',
      status: 'completed',
      content: [{ type: 'content', content: image }],
    },
    { stopReason: 'max_tokens', _meta: { of: 'answer' } },
  ];
  const sent = received.filter((each) => !('sessionUpdate' in each) || each.sessionUpdate !== 'session_info_update');
  expect(withoutIds(sent)).toEqual(withoutIds(updates));
  const replayed: SessionUpdate[] = [];
  received.length = 0;
  await client.request('session/load', { sessionId, cwd: '/', mcpServers: [] });
  replayed.push(...(received as SessionUpdate[]));
  expect(withoutIds(replayed.filter(({ sessionUpdate }) => sessionUpdate !== 'user_message_chunk'))).toEqual(
    withoutIds([
      ...updates.slice(0, 4),
      {
        sessionUpdate: 'tool_call',
        toolCallId: 'mine',
        title: 'Draw',
        status: 'completed',
        _meta: { of: 'call' },
        content: [{ type: 'content', content: image }],
      },
    ]),
  );
});

/** Message ids are made up. */
function withoutIds(values: readonly unknown[]): unknown {
  return JSON.parse(JSON.stringify(values).replaceAll(/"messageId":"[^"]+"/g, '"messageId":"an id"'));
}

test('a cancelled prompt is answered cancelled, with the _meta of the agent', async () => {
  const begun = gate();
  const { client, open, prompt } = await pair(async (turn) => {
    begun.open();
    await new Promise((resolve) => turn.signal.addEventListener('abort', resolve));
    return { stopReason: 'end_turn', _meta: { kept: true } };
  });
  const sessionId = await open();
  const answer = prompt(sessionId, 'hello');
  await begun.opened;
  await client.notify('session/cancel', { sessionId });
  expect(await answer).toEqual({ stopReason: 'cancelled', _meta: { kept: true } });
});

test('the agent can call methods of the protocol, of its own and of a draft on the client', async () => {
  const calls: unknown[] = [];
  const answers: unknown[] = [];
  const { open, prompt } = await pair(
    async ({ client, session }) => {
      answers.push(await client.request('fs/read_text_file', { sessionId: session.id, path: '/a' }));
      answers.push(await client.request('_mine/ask', { a: 1 }));
      answers.push(await client.raw.request('mcp/connect', { b: 2 }));
      await client.notify('_mine/tell', { c: 3 });
      await client.raw.notify('mcp/message', { d: 4 });
    },
    {
      capabilities: { fs: { readTextFile: true } },
      client: {
        'fs/read_text_file': () => ({ content: 'text' }),
        '*': (params, { method }) => {
          calls.push([method, params]);
          return method;
        },
      },
    },
  );
  await prompt(await open(), 'hello');
  expect([answers, calls]).toEqual([
    [{ content: 'text' }, '_mine/ask', 'mcp/connect'],
    [
      ['_mine/ask', { a: 1 }],
      ['mcp/connect', { b: 2 }],
      ['_mine/tell', { c: 3 }],
      ['mcp/message', { d: 4 }],
    ],
  ]);
});

test('the definition chooses session ids and the _meta of answers', async () => {
  let count = 0;
  const { client } = await pair({
    sessionId: ({ cwd }) => (count++ === 2 ? 'of /a, 0' : `of ${cwd}, ${count - 1}`),
    initializeMeta: { build: 7 },
    sessionMeta: ({ id }) => ({ called: id }),
  });
  const begin = (cwd: string): Promise<unknown> => client.request('session/new', { cwd, mcpServers: [] });
  expect([client.remote?._meta, numbered(await begin('/a')), await begin('/b')]).toEqual([
    { build: 7 },
    { sessionId: 'of /a, 0', _meta: { called: 'of /a, 0' } },
    { sessionId: 'of /b, 1', _meta: { called: 'of /b, 1' } },
  ]);
  await expect(begin('/a')).rejects.toThrow('Internal error');
});

test('a method of a draft is answered by the catch-all handler', async () => {
  const { client } = await pair({ extensions: { '*': (params, { method }) => ({ method, params }) } });
  expect(await client.raw.request('session/fork', { sessionId: 's' })).toEqual({
    method: 'session/fork',
    params: { sessionId: 's' },
  });
});
