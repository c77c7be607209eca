import { type ContentBlock, ProtocolError } from '@turnwire/protocol';
import { expect, test } from 'vitest';
import { numbered, pair } from './agent-pair.ts';

test('all updates of a turn arrive in order and before its answer', async () => {
  const { open, prompt, received } = await pair(async (turn) => {
    void turn.think('hm');
    void turn.say('You said: ');
    void turn.say(turn.text);
    await turn.plan(['first', { content: 'second', status: 'in_progress', priority: 'high' }]);
    void turn.say('!');
    const tool = turn.tool({
      title: 'Look',
      kind: 'read',
      name: 'look',
      locations: [{ path: '/a' }],
      rawInput: { a: 1 },
    });
    await tool.start();
    await tool.progress('half');
    await tool.progress('half');
    await tool.complete('whole', { lines: 2 });
    await turn.say('Done.');
  });
  await prompt(await open(), 'hello');
  expect(numbered(received)).toEqual([
    { sessionUpdate: 'agent_thought_chunk', messageId: 'id-1', content: { type: 'text', text: 'hm' } },
    { sessionUpdate: 'agent_message_chunk', messageId: 'id-2', content: { type: 'text', text: 'You said: ' } },
    { sessionUpdate: 'agent_message_chunk', messageId: 'id-2', content: { type: 'text', text: 'hello' } },
    {
      sessionUpdate: 'plan',
      entries: [
        { content: 'first', status: 'pending', priority: 'medium' },
        { content: 'second', status: 'in_progress', priority: 'high' },
      ],
    },
    { sessionUpdate: 'agent_message_chunk', messageId: 'id-2', content: { type: 'text', text: '!' } },
    {
      sessionUpdate: 'tool_call',
      toolCallId: 'id-3',
      status: 'pending',
      title: 'Look',
      kind: 'read',
      name: 'look',
      locations: [{ path: '/a' }],
      rawInput: { a: 1 },
    },
    { sessionUpdate: 'tool_call_update', toolCallId: 'id-3', status: 'in_progress' },
    {
      sessionUpdate: 'tool_call_update',
      toolCallId: 'id-3',
      content: [{ type: 'content', content: { type: 'text', text: 'half' } }],
    },
    {
      sessionUpdate: 'tool_call_update',
      toolCallId: 'id-3',
      status: 'completed',
      content: [{ type: 'content', content: { type: 'text', text: 'whole' } }],
      rawOutput: { lines: 2 },
    },
    { sessionUpdate: 'agent_message_chunk', messageId: 'id-4', content: { type: 'text', text: 'Done.' } },
    { stopReason: 'end_turn' },
  ]);
});

test('the turn ends with the stop reason that the handler returns', async () => {
  const { open, prompt } = await pair(() => 'max_tokens');
  expect(await prompt(await open(), 'hello')).toEqual({ stopReason: 'max_tokens' });
});

test('a completed call ignores further reports', async () => {
  const { open, prompt, received } = await pair(async (turn) => {
    const tool = turn.tool({ title: 'Look' });
    await tool.fail('no');
    await tool.complete('yes');
    await tool.start();
  });
  await prompt(await open(), 'hello');
  expect(numbered(received)).toEqual([
    { sessionUpdate: 'tool_call', toolCallId: 'id-1', status: 'pending', title: 'Look' },
    {
      sessionUpdate: 'tool_call_update',
      toolCallId: 'id-1',
      status: 'failed',
      content: [{ type: 'content', content: { type: 'text', text: 'no' } }],
    },
    { stopReason: 'end_turn' },
  ]);
});

test('a call left open fails before the answer', async () => {
  const { open, prompt, received } = await pair((turn) => void turn.tool({ title: 'Look' }));
  await prompt(await open(), 'hello');
  expect(numbered(received)).toEqual([
    { sessionUpdate: 'tool_call', toolCallId: 'id-1', status: 'pending', title: 'Look' },
    {
      sessionUpdate: 'tool_call_update',
      toolCallId: 'id-1',
      status: 'failed',
      content: [{ type: 'content', content: { type: 'text', text: 'The turn ended before this call did.' } }],
    },
    { stopReason: 'end_turn' },
  ]);
});

test('updates after the turn are dropped and logged', async () => {
  let late = (): Promise<void> => Promise.reject(new Error('the turn did not run'));
  const { open, prompt, received, logged } = await pair((turn) => void (late = () => turn.say('late')));
  await prompt(await open(), 'hello');
  await late();
  await prompt(await open(), 'hello');
  expect(received).toEqual([{ stopReason: 'end_turn' }, { stopReason: 'end_turn' }]);
  expect(logged).toEqual([
    {
      level: 'warn',
      event: 'an update was dropped because its turn has ended',
      direction: 'out',
      method: 'session/update',
      detail: 'agent_message_chunk',
    },
  ]);
});

test('a handler that throws is answered with a generic error, after its open calls fail', async () => {
  const error = new TypeError('the password is swordfish');
  const { open, prompt, received, logged } = await pair((turn) => {
    turn.tool({ title: 'Look' });
    throw error;
  });
  await expect(prompt(await open(), 'hello')).rejects.toEqual(
    new ProtocolError(-32603, 'The agent failed while answering the prompt (TypeError). See its log for the reason.'),
  );
  expect(numbered(received)).toEqual([
    { sessionUpdate: 'tool_call', toolCallId: 'id-1', status: 'pending', title: 'Look' },
    {
      sessionUpdate: 'tool_call_update',
      toolCallId: 'id-1',
      status: 'failed',
      content: [{ type: 'content', content: { type: 'text', text: 'The turn ended before this call did.' } }],
    },
  ]);
  expect(logged).toEqual([{ level: 'error', event: 'the prompt handler threw', method: 'session/prompt', error }]);
});

test('a ProtocolError thrown by a handler is the answer, and the session continues', async () => {
  let turns = 0;
  const { open, prompt } = await pair(() => {
    turns += 1;
    if (turns === 1) throw new ProtocolError(-32000, 'Log in first', { how: 'agent login' });
  });
  const id = await open();
  await expect(prompt(id, 'hello')).rejects.toEqual(new ProtocolError(-32000, 'Log in first', { how: 'agent login' }));
  expect(await prompt(id, 'hello')).toEqual({ stopReason: 'end_turn' });
});

test('an invalid update rejects and is logged, and the rest is unaffected', async () => {
  const { open, prompt, received, logged } = await pair(async (turn) => {
    await expect(turn.plan([{ content: 1 as never }])).rejects.toThrow('session/update was not sent');
    void turn.plan([{ content: 1 as never }]);
    await turn.say('still here');
  });
  await prompt(await open(), 'hello');
  expect(numbered(received)).toEqual([
    { sessionUpdate: 'agent_message_chunk', messageId: 'id-1', content: { type: 'text', text: 'still here' } },
    { stopReason: 'end_turn' },
  ]);
  expect(logged.map(({ event }) => event)).toEqual(['an update could not be sent', 'an update could not be sent']);
});

test('capabilities of the client are present, missing ones are absent', async () => {
  const seen: unknown[] = [];
  const files = new Map([['/a', 'one\ntwo']]);
  const { open, prompt } = await pair(
    async ({ client }) => {
      seen.push(await client.readTextFile?.('/a', { line: 1, limit: 2 }), client.writeTextFile);
    },
    {
      capabilities: { fs: { readTextFile: true } },
      client: { 'fs/read_text_file': ({ path }) => ({ content: files.get(path) ?? '' }) },
    },
  );
  await prompt(await open(), 'hello');
  expect(seen).toEqual(['one\ntwo', undefined]);
});

test.each<[string, ContentBlock, string | undefined]>([
  ['an image of base64', { type: 'image', mimeType: 'image/png', data: 'iVBO\r\nRw0K+/==' }, undefined],
  ['bytes of the other alphabet', { type: 'audio', mimeType: 'audio/wav', data: '_-8' }, undefined],
  ['an image of words', { type: 'image', mimeType: 'image/png', data: 'no image!' }, 'image'],
  ['audio with padding inside', { type: 'audio', mimeType: 'audio/wav', data: 'AA==AA' }, 'audio'],
  ['a file of words', { type: 'resource', resource: { uri: 'file:///a', blob: '{}' } }, 'resource'],
])('%s is accepted only if it is base64', async (_, block, refused) => {
  const promptCapabilities = { image: true, audio: true, embeddedContext: true };
  const { open, client } = await pair({ promptCapabilities });
  const text: ContentBlock = { type: 'text', text: 'What {is} this?' };
  const answer = client.request('session/prompt', { sessionId: await open(), prompt: [text, block] });
  const outcome = await answer.catch((error: unknown) => error);
  expect(outcome).toEqual(
    refused === undefined
      ? { stopReason: 'end_turn' }
      : new ProtocolError(-32602, `prompt[1]: the data of the ${refused} is not base64`),
  );
});

test('a turn and the prompts taken into it have the _meta of their prompts', async () => {
  const seen: unknown[] = [];
  let goOn = (): void => undefined;
  const waiting = new Promise<void>((resolve) => (goOn = resolve));
  const { client, open } = await pair({
    capabilitiesMeta: { example: { knows: true } },
    prompt: async (turn) => {
      seen.push(turn.meta);
      if (turn.text !== 'one') return;
      await waiting;
      seen.push(turn.takeWaiting().map(({ text, meta }) => [text, meta]));
    },
  });
  const sessionId = await open();
  const prompt = (text: string, _meta?: Record<string, unknown>): Promise<unknown> =>
    client.request('session/prompt', { sessionId, prompt: [{ type: 'text', text }], ...(_meta && { _meta }) });
  const turns = [prompt('one', { example: 1 }), prompt('two', { example: 2 }), prompt('three')];
  // Whatever is answered after them was received after them.
  await client.request('session/set_mode', { sessionId, modeId: 'none' }).catch(() => undefined);
  goOn();
  await Promise.all(turns);
  expect([client.remote?.agentCapabilities?._meta, seen]).toEqual([
    { example: { knows: true } },
    [
      { example: 1 },
      [
        ['two', { example: 2 }],
        ['three', {}],
      ],
    ],
  ]);
});
