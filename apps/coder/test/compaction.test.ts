import type { SessionUpdate } from '@turnwire/protocol';
import { expect, test } from 'vitest';
import { enclosed } from '../src/conversation/enclosed.ts';
import { brokenPairs, LoopFixture } from './loop-fixture.ts';
import { calls, finishes, says, ScriptedModel } from './scripted-model.ts';
import type { Part } from './scripted-model.ts';

const capabilities = { session: { compaction: {}, notices: {} } };
const long = 'A line of text.\n'.repeat(700);
const words = (count: number): string => 'word '.repeat(count);
const unknown = { total: undefined, noCache: undefined, cacheRead: undefined, cacheWrite: undefined };
/** A server that does not report usage, so tokens are estimated. */
const ends = (): Part => ({
  type: 'finish',
  usage: { inputTokens: unknown, outputTokens: { total: undefined, text: undefined, reasoning: undefined } },
  finishReason: { unified: 'stop', raw: undefined },
});
const reads = (path: string, id: string): readonly Part[] => [calls('read', { path }, id), ends()];
const summary: readonly Part[] = [...says('It was '), ...says('about a.', '1'), ends()];
const overflow = Object.assign(new Error('prompt is too long: 9 tokens > 8 maximum'), { statusCode: 400 });
const marked = enclosed('summary', {}, 'The conversation before this was replaced by a summary:\n\nIt was about a.');

function compactions(updates: readonly SessionUpdate[]): readonly unknown[] {
  return updates.flatMap((update) => {
    if (update.sessionUpdate !== 'compaction_update' && update.sessionUpdate !== 'compaction_summary_chunk') return [];
    const { sessionUpdate: _, compactionId: __, ...rest } = update as { sessionUpdate: string; compactionId: string };
    return [rest];
  });
}

const done = [
  { status: 'in_progress' },
  { content: { type: 'text', text: 'It was ' } },
  { content: { type: 'text', text: 'about a.' } },
  { status: 'completed', summary: [{ type: 'text', text: 'It was about a.' }] },
];

test('a conversation that fills the context is compacted before the model is called, also after a load', async () => {
  const model = new ScriptedModel(
    [...says('A.'), ends()],
    [...says('B.'), ends()],
    summary,
    [...says('C.'), ends()],
    [...says('D.'), ends()],
  );
  await using fixture = await LoopFixture.open({ model, chosen: { contextWindow: 30_000 }, capabilities, keeps: true });
  await fixture.prompt(`first ${words(9_000)}`);
  await fixture.prompt(`second ${words(1_000)}`);
  await fixture.prompt(`third ${words(9_000)}`);
  const compacted = fixture.conversation;
  expect([
    compactions(fixture.updates),
    compacted.map(({ role, content }) => [role, JSON.stringify(content).slice(0, 60)]),
  ]).toEqual([
    done,
    [
      ['user', JSON.stringify([{ type: 'text', text: marked }]).slice(0, 60)],
      ['user', expect.stringContaining('"third word') as unknown],
    ],
  ]);
  const replayed = await fixture.reload();
  await fixture.prompt('fourth');
  expect([compactions(replayed), fixture.conversation, fixture.violations]).toEqual([
    done.slice(3),
    [
      ...compacted,
      { role: 'assistant', content: [{ type: 'text', text: 'C.' }] },
      { role: 'user', content: [{ type: 'text', text: 'fourth' }] },
    ],
    [],
  ]);
});

test('old tool results are cut first, if that is enough', async () => {
  const model = new ScriptedModel(
    ...['long', 'short', 'short', 'short', 'medium'].map((path, index) => reads(path, `${index}`)),
  );
  const lines = (count: number): string => Array.from({ length: count }, () => words(200)).join('\n');
  const files = { long: lines(60), medium: lines(25), short: 'short' };
  await using fixture = await LoopFixture.open({ model, chosen: { contextWindow: 30_000 }, capabilities, files });
  expect([
    await fixture.prompt(`go ${words(1_000)}`),
    compactions(fixture.updates),
    brokenPairs(fixture.conversation),
  ]).toEqual([{ stopReason: 'end_turn' }, [], []]);
  const cut = model.asked.map(({ prompt }) => JSON.stringify(prompt).includes('[Cut to save space'));
  expect(cut).toEqual([false, false, false, false, false, true]);
});

test('after a context overflow the model is called once more, with a summary of the earlier conversation', async () => {
  const model = new ScriptedModel(reads('a', '1'), reads('b', '2'), overflow, summary, [...says('Done.'), finishes()]);
  await using fixture = await LoopFixture.open({ model, capabilities, files: { a: long, b: 'B' } });
  expect([
    await fixture.prompt('go'),
    compactions(fixture.updates),
    fixture.conversation.map(({ role }) => role),
  ]).toEqual([{ stopReason: 'end_turn' }, done, ['user', 'user', 'assistant', 'tool']]);
  expect([brokenPairs(fixture.conversation), fixture.violations]).toEqual([[], []]);
});

test('a context that stays full or cannot be compacted is an error', async () => {
  const full = new ScriptedModel(reads('a', '1'), reads('b', '2'), overflow, summary, overflow);
  const alone = new ScriptedModel(overflow);
  for (const model of [full, alone]) {
    await using fixture = await LoopFixture.open({ model, capabilities, files: { a: long, b: 'B' } });
    await expect(fixture.prompt('go')).rejects.toMatchObject({ code: -32603, data: { reason: 'context-overflow' } });
    expect([await fixture.prompt('/help'), fixture.violations]).toEqual([{ stopReason: 'end_turn' }, []]);
  }
});

test.each([
  ['fails', new Error('no route to host')],
  ['says nothing', [finishes()]],
  ['is cut off', [...says('It was'), finishes('length')]],
  ['breaks off', says('It was')],
])('a summary that %s leaves the conversation unchanged, and the user is notified', async (_, answer) => {
  const model = new ScriptedModel([...says('A.'), finishes()], [...says('B.'), finishes()], answer, [
    ...says('C.'),
    finishes(),
  ]);
  await using fixture = await LoopFixture.open({ model, capabilities });
  await fixture.prompt('one');
  await fixture.prompt('two');
  expect(await fixture.prompt('/compact')).toEqual({ stopReason: 'end_turn' });
  await fixture.prompt('three');
  const notices = fixture.updates.flatMap((update) => (update.sessionUpdate === 'notice' ? [update['title']] : []));
  expect([notices, compactions(fixture.updates).at(-1), fixture.conversation.length, fixture.violations]).toEqual([
    ['The conversation could not be compacted; it is unchanged.'],
    { status: 'failed', error: expect.any(String) as unknown },
    5,
    [],
  ]);
});

test('/compact summarises all but the last turn, with the requested focus; /undo restores the conversation', async () => {
  const model = new ScriptedModel([...says('A.'), finishes()], [...says('B.'), finishes()], summary, [
    ...says('C.'),
    finishes(),
  ]);
  await using fixture = await LoopFixture.open({ model, capabilities });
  await fixture.prompt('/compact');
  await fixture.prompt('one');
  await fixture.prompt('two');
  await fixture.prompt('/compact the colours');
  const asked = JSON.stringify(fixture.conversation);
  expect([
    fixture.said,
    ['[User]\\none', '[Agent]\\nA.', 'Pay special attention to this: the colours'].map((text) => asked.includes(text)),
    asked.includes('two'),
  ]).toEqual([
    'There is nothing to compact: the conversation is short.A.B.The conversation was compacted: a summary replaces its first 2 messages.',
    [true, true, true],
    false,
  ]);
  await fixture.prompt('/undo');
  await fixture.prompt('three');
  expect(fixture.conversation.map(({ content }) => JSON.stringify(content))).toEqual(
    ['one', 'A.', 'three'].map((text) => JSON.stringify([{ type: 'text', text }])),
  );
});
