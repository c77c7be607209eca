import type { LanguageModelV3Prompt } from '@ai-sdk/provider';
import { expect, test } from 'vitest';
import { calls, finishes, says, ScriptedModel, scriptedSession } from './scripted-model.ts';

const user = (text: string): LanguageModelV3Prompt[number] => ({ role: 'user', content: [{ type: 'text', text }] });

/** What the model was given the last time, without the system prompt. */
function lastConversation(model: ScriptedModel): LanguageModelV3Prompt | undefined {
  return model.asked.at(-1)?.prompt.slice(1);
}

test('tool results go back to the model until it calls no tool, and the session remembers', async () => {
  const model = new ScriptedModel(
    [...says('Looking.'), calls('read', { path: 'a.txt' }), finishes('tool-calls')],
    [...says('It says one.'), finishes()],
  );
  await using session = await scriptedSession({ model }, { 'a.txt': 'one' });
  expect(await session.prompt('what is in a.txt?')).toEqual({ stopReason: 'end_turn' });
  await session.prompt('and now?');
  expect(lastConversation(model)).toEqual([
    user('what is in a.txt?'),
    {
      role: 'assistant',
      content: [
        { type: 'text', text: 'Looking.' },
        { type: 'tool-call', toolCallId: 'call-1', toolName: 'read', input: { path: 'a.txt' } },
      ],
    },
    {
      role: 'tool',
      content: [
        { type: 'tool-result', toolCallId: 'call-1', toolName: 'read', output: { type: 'text', value: 'one' } },
      ],
    },
    { role: 'assistant', content: [{ type: 'text', text: 'It says one.' }] },
    user('and now?'),
  ]);
});

test('reasoning is passed on as thoughts, and kept with what its provider signed', async () => {
  const providerMetadata = { test: { signature: 'abc' } };
  const model = new ScriptedModel([
    { type: 'reasoning-start', id: 'r' },
    { type: 'reasoning-delta', id: 'r', delta: 'Hm.' },
    { type: 'reasoning-end', id: 'r', providerMetadata },
    ...says('Yes.'),
    finishes(),
  ]);
  await using session = await scriptedSession({ model });
  await session.prompt('really?');
  await session.prompt('sure?');
  expect(
    session.updates.slice(0, 2).map((update) => [update.sessionUpdate, 'content' in update && update.content]),
  ).toEqual([
    ['agent_thought_chunk', { type: 'text', text: 'Hm.' }],
    ['agent_message_chunk', { type: 'text', text: 'Yes.' }],
  ]);
  expect(lastConversation(model)?.[1]).toEqual({
    role: 'assistant',
    content: [
      { type: 'reasoning', text: 'Hm.', providerOptions: providerMetadata },
      { type: 'text', text: 'Yes.' },
    ],
  });
});

test.each([
  ['an unknown tool', calls('dance', {}), /^There is no tool dance\.$/],
  ['input that is no JSON', calls('read', '{"path"'), /^The input is not valid JSON\.$/],
  ['wrong input', calls('read', { file: 'a' }), /^The input of read is wrong:\n[^]*path/],
  ['a missing file', calls('read', { path: 'a' }), /^There is no file a\.$/],
])('%s fails its call and nothing else', async (_, call, reason) => {
  const model = new ScriptedModel([call, finishes('tool-calls')]);
  await using session = await scriptedSession({ model });
  expect(await session.prompt('go')).toEqual({ stopReason: 'end_turn' });
  const value: unknown = expect.stringMatching(reason);
  expect(lastConversation(model)?.at(-1)).toMatchObject({
    role: 'tool',
    content: [{ output: { type: 'error-text', value } }],
  });
  expect(session.updates.filter((update) => 'status' in update).at(-1)).toMatchObject({
    status: 'failed',
    content: [{ content: { text: value } }],
  });
});

test('calls that only look run side by side, calls that change something in turn', async () => {
  const model = new ScriptedModel(
    [calls('read', { path: 'a' }, '1'), calls('read', { path: 'b' }, '2'), finishes('tool-calls')],
    [calls('write', { path: 'a', content: '' }, '3'), calls('read', { path: 'a' }, '4'), finishes('tool-calls')],
  );
  await using session = await scriptedSession({ model }, { a: 'A', b: 'B' });
  await session.prompt('go');
  const states = session.updates.flatMap((update) => ('status' in update ? [update.status] : []));
  expect(states.lastIndexOf('pending', 5)).toBeLessThan(states.indexOf('completed'));
  expect(states.slice(6)).toEqual(['pending', 'in_progress', 'completed', 'pending', 'in_progress', 'completed']);
});

test('a model that never stops is stopped at the step limit', async () => {
  const again = [calls('list', {}), finishes('tool-calls')];
  const model = new ScriptedModel(again, again, again);
  await using session = await scriptedSession({ model, maxSteps: 2 });
  expect([await session.prompt('go'), model.asked.length]).toEqual([{ stopReason: 'max_turn_requests' }, 2]);
});

test('tool calls of an answer cut off at its length are failed, not run', async () => {
  const model = new ScriptedModel([calls('write', { path: 'a', content: 'half' }), finishes('length')]);
  await using session = await scriptedSession({ model });
  expect(await session.prompt('go')).toEqual({ stopReason: 'max_tokens' });
  expect(session.updates.at(-1)).toMatchObject({ status: 'failed' });
  await session.prompt('go on');
  expect(lastConversation(model)?.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool', 'user']);
});

test('a filtered answer is a refusal', async () => {
  const model = new ScriptedModel([...says('I'), finishes('content-filter')]);
  await using session = await scriptedSession({ model });
  expect(await session.prompt('go')).toEqual({ stopReason: 'refusal' });
});

test.each([
  ['does not answer', new Error('no route to host'), 'no route to host'],
  ['reports an error', [{ type: 'error', error: new Error('overloaded') }], 'overloaded'],
  ['breaks off', says('Well'), 'its answer broke off'],
  ['finishes in error', [finishes('error')], 'it reported an error'],
] as const)('a model that %s is an error, never the end of a turn', async (_, answer, reason) => {
  await using session = await scriptedSession({ model: new ScriptedModel(answer) });
  await expect(session.prompt('go')).rejects.toMatchObject({
    code: -32603,
    message: `The model test/scripted failed: ${reason}`,
    data: { model: 'test/scripted' },
  });
});

test('a model that cannot be had is an error', async () => {
  await using session = await scriptedSession({ model: () => Promise.reject(new Error('no key')) });
  await expect(session.prompt('go')).rejects.toMatchObject({
    code: -32603,
    message: 'The model the model failed: no key',
  });
});
