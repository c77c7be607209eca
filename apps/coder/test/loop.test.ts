import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { LanguageModelV3Prompt } from '@ai-sdk/provider';
import { expect, test } from 'vitest';
import { brokenPairs, LoopFixture } from './loop-fixture.ts';
import { calls, finishes, says, ScriptedModel, scriptedSession } from './scripted-model.ts';

const user = (text: string): LanguageModelV3Prompt[number] => ({ role: 'user', content: [{ type: 'text', text }] });

/** The last request to the model, without the system prompt. */
function lastConversation(model: ScriptedModel): LanguageModelV3Prompt | undefined {
  return model.asked.at(-1)?.prompt.slice(1);
}

test('tool results go back to the model until it calls no tool, and the session remembers', async () => {
  const model = new ScriptedModel(
    [...says('Looking.'), calls('read', { path: 'a.txt' }), finishes('tool-calls')],
    [...says('It says one.'), finishes()],
  );
  await using session = await scriptedSession({ model }, { 'a.txt': 'one' });
  expect(await session.prompt('what is in a.txt?')).toMatchObject({ stopReason: 'end_turn' });
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

test("reasoning is sent as thoughts and kept with the provider's signature", async () => {
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
  ['an unknown tool', calls('dance', {}), /^There is no tool "dance"\. There are: read, /],
  ['input that is no JSON', calls('read', '{"path"'), /^The input is not valid JSON: /],
  ['input that is no object', calls('read', '7'), /^The input of read is invalid:\n/],
  ['wrong input', calls('read', { what: 'a' }), /^The input of read is invalid:\n[^]*path/],
  ['a missing file', calls('read', { path: 'a' }), /^There is no file a\.$/],
])('%s fails only its call', async (_, call, reason) => {
  const model = new ScriptedModel([call, finishes('tool-calls')]);
  await using session = await scriptedSession({ model });
  expect(await session.prompt('go')).toMatchObject({ stopReason: 'end_turn' });
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

test.each([
  ['no JSON', '{"path"', { unreadable: '{"path"' }],
  ['a list', '[1]', { input: [1] }],
  ['nothing', '', {}],
])('input that is %s goes back to the model as an object, as providers require', async (_, json, input) => {
  const model = new ScriptedModel([calls('read', json), finishes('tool-calls')]);
  await using session = await scriptedSession({ model });
  await session.prompt('go');
  expect(lastConversation(model)?.at(-2)).toMatchObject({ content: [{ type: 'tool-call', input }] });
});

test('consecutive read-only calls run in parallel, all others in sequence', async () => {
  const order: string[] = [];
  const model = new ScriptedModel([
    calls('read', { path: 'a' }, '1'),
    calls('read', { path: 'b' }, '2'),
    calls('write', { path: 'c', content: 'C' }, '3'),
    calls('read', { path: 'c' }, '4'),
    finishes('tool-calls'),
  ]);
  await using fixture = await LoopFixture.open({ model, files: { a: 'A', b: 'B' } });
  fixture.onUpdate = (update) => {
    if (update.sessionUpdate === 'tool_call_update' && update.status) order.push(update.status);
  };
  await fixture.prompt('go');
  expect([order, fixture.conversation.at(-1), fixture.violations]).toEqual([
    ['in_progress', 'in_progress', ...Array.from({ length: 2 }, () => 'completed'), ...both, ...both],
    {
      role: 'tool',
      content: ['A', 'B', expect.any(String), 'C'].map(
        (value, index) =>
          expect.objectContaining({ toolCallId: String(index + 1), output: { type: 'text', value } }) as unknown,
      ),
    },
    [],
  ]);
});

const both = ['in_progress', 'completed'];

test('calls that share an id, or have none, each get their own result', async () => {
  const model = new ScriptedModel([
    calls('read', { path: 'a' }, ''),
    calls('read', { path: 'b' }, 'x'),
    calls('read', { path: 'a' }, 'x'),
    finishes('tool-calls'),
  ]);
  await using fixture = await LoopFixture.open({ model, files: { a: 'A', b: 'B' } });
  await fixture.prompt('go');
  const last = fixture.conversation.at(-1);
  expect([
    brokenPairs(fixture.conversation),
    last?.role === 'tool' && last.content.map((part) => part.type === 'tool-result' && part.output),
  ]).toEqual([[], ['A', 'B', 'A'].map((value) => ({ type: 'text', value }))]);
});

test('a call is announced when the model begins it, and shown in full before permission and execution', async () => {
  const model = new ScriptedModel([
    { type: 'tool-input-start', id: '1', toolName: 'write' },
    { type: 'tool-input-delta', id: '1', delta: '{"path":"a","con' },
    { type: 'tool-input-delta', id: '1', delta: 'tent":"A"}' },
    { type: 'tool-input-end', id: '1' },
    calls('write', { path: 'a', content: 'A' }, '1'),
    finishes('tool-calls'),
  ]);
  await using fixture = await LoopFixture.open({ model });
  const asked: unknown[] = [];
  fixture.decide = ({ toolCall: { status, title } }) => {
    asked.push([fixture.calls.length, status, title]);
    return { outcome: { outcome: 'selected', optionId: 'allow_once' } };
  };
  await fixture.prompt('go');
  const path = `${fixture.folder}/a`;
  expect([fixture.calls.slice(0, 4), asked, fixture.violations]).toEqual([
    [
      { status: 'pending', title: 'write', name: 'write', kind: 'edit' },
      { rawInput: { path: 'a', content: 'A' } },
      {
        title: expect.stringContaining('a') as unknown,
        locations: [{ path }],
        content: [{ type: 'diff', path, oldText: null, newText: 'A' }],
      },
      { status: 'in_progress' },
    ],
    [[3, 'pending', fixture.calls[2]?.['title']]],
    [],
  ]);
});

test('an unfinished call fails, and the model is called again', async () => {
  const model = new ScriptedModel(
    [
      ...says('I write.'),
      { type: 'tool-input-start', id: '1', toolName: 'write' },
      { type: 'tool-input-delta', id: '1', delta: '{"path' },
    ],
    [...says('Done.'), finishes()],
  );
  await using fixture = await LoopFixture.open({ model });
  expect([await fixture.prompt('go'), fixture.calls, fixture.violations]).toEqual([
    { stopReason: 'end_turn' },
    [
      { status: 'pending', title: 'write', name: 'write', kind: 'edit' },
      {
        status: 'failed',
        content: [{ type: 'content', content: { type: 'text', text: 'The answer broke off; this was not run.' } }],
      },
    ],
    [],
  ]);
  expect(fixture.conversation.map(({ role }) => role)).toEqual(['user', 'assistant', 'user']);
});

test('a call that was begun but is not part of the complete answer fails', async () => {
  const model = new ScriptedModel([
    ...says('Never mind.'),
    { type: 'tool-input-start', id: '1', toolName: 'write' },
    finishes(),
  ]);
  await using fixture = await LoopFixture.open({ model });
  expect([await fixture.prompt('go'), fixture.calls.at(-1)?.['status'], fixture.violations]).toEqual([
    { stopReason: 'end_turn' },
    'failed',
    [],
  ]);
});

test('tool calls of an answer cut off at its length limit fail without running, and the model gets the reason', async () => {
  const model = new ScriptedModel([calls('write', { path: 'a', content: 'half' }), finishes('length')]);
  await using fixture = await LoopFixture.open({ model });
  expect([await fixture.prompt('go'), fixture.calls.at(-1)?.['status']]).toEqual([
    { stopReason: 'end_turn' },
    'failed',
  ]);
  expect(fixture.conversation.at(-1)).toMatchObject({
    role: 'tool',
    content: [
      { output: { type: 'error-text', value: expect.stringContaining('cut off at its length limit') as unknown } },
    ],
  });
});

test('an answer cut off at its length limit ends the turn, and the user is notified', async () => {
  const model = new ScriptedModel([...says('Once upon a'), finishes('length')]);
  await using fixture = await LoopFixture.open({ model });
  expect([await fixture.prompt('go'), fixture.said]).toEqual([
    { stopReason: 'max_tokens' },
    'Once upon a\n\nThe answer was cut off at the length limit of the model. Send “go on” for the rest.\n\n',
  ]);
});

test('a filtered answer is a refusal, and its turn is removed from the conversation, as the protocol requires', async () => {
  const model = new ScriptedModel(
    [...says('Yes?'), finishes()],
    [...says('I'), calls('delete', { path: 'a' }), finishes('content-filter')],
  );
  await using fixture = await LoopFixture.open({ model, files: { a: 'A' } });
  await fixture.prompt('hello');
  expect([await fixture.prompt('go'), fixture.calls.at(-1)?.['status']]).toEqual([{ stopReason: 'refusal' }, 'failed']);
  await fixture.prompt('something else');
  expect([fixture.conversation, fixture.violations]).toEqual([
    [user('hello'), { role: 'assistant', content: [{ type: 'text', text: 'Yes?' }] }, user('something else')],
    [],
  ]);
});

test.each([
  ['does not answer', new Error('no route to host'), /no route to host/],
  ['reports an error', [{ type: 'error', error: new Error('teapot') }], /teapot/],
] as const)('a model that %s is an error that the user also gets as a message', async (_, answer, reason) => {
  await using fixture = await LoopFixture.open({ model: new ScriptedModel(answer) });
  const error: unknown = await fixture.prompt('go').catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({
    code: -32603,
    message: expect.stringMatching(reason) as unknown,
    data: { model: 'test/scripted', reason: 'unknown', retryable: false },
  });
  expect([fixture.said, await fixture.prompt('again'), fixture.conversation]).toEqual([
    `${(error as Error).message}\n\n`,
    { stopReason: 'end_turn' },
    [user('go'), user('again')],
  ]);
});

test('an answer that breaks off is kept and continued twice; the third time is an error', async () => {
  const model = new ScriptedModel(says('One,'), says(' two,'), says(' three'));
  await using fixture = await LoopFixture.open({ model, capabilities: { session: { notices: {} } } });
  const error: unknown = await fixture.prompt('count').catch((thrown: unknown) => thrown);
  expect([error, model.asked.length, fixture.conversation.map(({ role }) => role), fixture.violations]).toEqual([
    expect.objectContaining({ code: -32603, data: expect.objectContaining({ reason: 'broke-off' }) as unknown }),
    3,
    ['user', 'assistant', 'user', 'assistant', 'user'],
    [],
  ]);
  expect(fixture.said).toBe(`One, two, three\n\n${(error as Error).message}\n\n`);
  await fixture.prompt('go on');
  expect(fixture.conversation.at(-2)).toEqual({ role: 'assistant', content: [{ type: 'text', text: ' three' }] });
});

test('a plan is shown once, as a plan between two messages; a call that fails is shown as a call', async () => {
  const model = new ScriptedModel(
    [...says('I plan.'), calls('plan', { entries: [{ content: 'Look' }] }), finishes('tool-calls')],
    [calls('plan', { entries: [] }), finishes('tool-calls')],
    [...says('Done.'), finishes()],
  );
  await using fixture = await LoopFixture.open({ model });
  await fixture.prompt('go');
  const shown = fixture.updates.flatMap((update) =>
    /^(?:agent_message_chunk|plan)$/.test(update.sessionUpdate) ? [update.sessionUpdate] : [],
  );
  expect([shown, fixture.said, fixture.calls.map(({ title, status }) => [title, status]), fixture.violations]).toEqual([
    ['agent_message_chunk', 'agent_message_chunk', 'plan', 'agent_message_chunk'],
    'I plan.\n\nDone.',
    [
      ['plan', 'pending'],
      [undefined, 'failed'],
    ],
    [],
  ]);
});

test('a model that cannot be loaded is an error', async () => {
  await using session = await scriptedSession({ model: () => Promise.reject(new Error('no key')) });
  await expect(session.prompt('go')).rejects.toMatchObject({
    code: -32603,
    message: 'The model the model failed: no key',
  });
});

test('a prompt sent during a turn steers it at the next step; a command waits until the turn ends', async () => {
  const model = new ScriptedModel(
    [calls('write', { path: 'a', content: 'A' }), finishes('tool-calls')],
    [...says('Quickly then.'), finishes()],
  );
  await using fixture = await LoopFixture.open({ model });
  const others: Promise<unknown>[] = [];
  fixture.decide = () => {
    others.push(fixture.prompt('be quick'), fixture.prompt('/usage'));
    return { outcome: { outcome: 'selected', optionId: 'allow_once' } };
  };
  const ends = [await fixture.prompt('go'), ...(await Promise.all(others))];
  expect([
    ends,
    model.asked.length,
    fixture.conversation.at(-1),
    fixture.said.split('\n')[0],
    fixture.violations,
  ]).toEqual([
    Array.from({ length: 3 }, () => ({ stopReason: 'end_turn' })),
    2,
    user('be quick'),
    'Quickly then.2 answers of models, at an unknown cost:',
    [],
  ]);
});

test('images from tools follow their results, and are named for a model without vision', async () => {
  const png = Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
    'base64',
  );
  const script = (): ScriptedModel => new ScriptedModel([calls('read', { path: 'a.png' }), finishes('tool-calls')]);
  await using seeing = await LoopFixture.open({ model: script() });
  await using blind = await LoopFixture.open({
    model: script(),
    chosen: { takes: { image: false, audio: false, pdf: false } },
  });
  for (const fixture of [seeing, blind]) {
    await writeFile(join(fixture.folder, 'a.png'), png);
    await fixture.prompt('look');
  }
  expect([seeing.conversation.slice(3), blind.conversation.slice(3)]).toEqual([
    [
      {
        role: 'user',
        content: [
          { type: 'text', text: 'What the tools showed:' },
          { type: 'file', mediaType: 'image/png', data: png.toString('base64') },
        ],
      },
    ],
    [],
  ]);
});
