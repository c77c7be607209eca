import type { LanguageModelV3Message, LanguageModelV3ToolResultPart } from '@ai-sdk/provider';
import { array, assert, constantFrom, integer, oneof, property, record, constant } from 'fast-check';
import { expect, test } from 'vitest';
import { compactionCut } from '../src/compaction/compaction-cut.ts';
import { Conversation } from '../src/conversation/conversation.ts';
import { enclosed } from '../src/conversation/enclosed.ts';
import type { ConversationMessage } from '../src/conversation/kept-conversation.ts';
import { transcript } from '../src/compaction/transcript.ts';
import { brokenPairs } from './loop-fixture.ts';

const says = (text: string): ConversationMessage & { role: 'user' } => ({
  role: 'user',
  content: [{ type: 'text', text }],
});
const answers = (text: string): ConversationMessage => ({ role: 'assistant', content: [{ type: 'text', text }] });
const calls = (...ids: string[]): ConversationMessage => ({
  role: 'assistant',
  content: ids.map((toolCallId) => ({ type: 'tool-call', toolCallId, toolName: 'read', input: {} })),
});
const gives = (value: string, ...ids: string[]): ConversationMessage => ({
  role: 'tool',
  content: ids.map((id) => resultOf(value, id)),
});
const lost = 'Interrupted: it is unknown whether it ran.';
const mixed: ConversationMessage = { role: 'tool', content: [resultOf(lost, 'a'), resultOf('B', 'b')] };
const nowhere = async (): Promise<void> => undefined;

test('dropping a turn removes all its messages, compactions included, and returns its prompt', () => {
  const conversation = new Conversation();
  for (const message of [says('one'), answers('1'), says('two'), calls('a'), gives('A', 'a')])
    void conversation.add(message, nowhere);
  conversation.steer(says('and quickly'), nowhere);
  conversation.compact('It was short.', { prompt: 2, from: 3 }, nowhere);
  void conversation.add(answers('2'), nowhere);
  expect([conversation.dropLastTurn(nowhere), conversation.messages]).toEqual(['two', [says('one'), answers('1')]]);
  expect([conversation.dropLastTurn(nowhere), conversation.messages]).toEqual(['one', []]);
  expect(conversation.dropLastTurn(nowhere)).toBe(undefined);
});

test('prompts that continue a turn, as the client records it, are dropped with it, also from a stored conversation', () => {
  const kept: unknown[] = [];
  const keep = async (value: unknown): Promise<void> => void kept.push(value);
  const conversation = new Conversation();
  const prompt = (text: string, id: string, folder: string): void => {
    void conversation.add(says(text), keep);
    conversation.recordFiles({ type: 'files-recorded', id }, keep);
    conversation.recordFiles({ type: 'files-recorded', folder }, keep);
  };
  prompt('one', 'first', '/a');
  prompt('two', 'second', '/a');
  prompt('Continue where you stopped.', 'second', '/b');
  const seen = [conversation, new Conversation(kept)].map((each) => [
    each.lastFiles,
    each.dropLastTurn(keep),
    each.messages,
  ]);
  const expected = [{ id: 'second', folders: ['/a', '/b'], unkept: [] }, 'two', [says('one')]];
  expect([seen, new Conversation(kept).messages]).toEqual([[expected, expected], []]);
});

test('a forgotten turn can still be dropped', () => {
  const conversation = new Conversation();
  void conversation.add(says('one'), nowhere);
  void conversation.add(says('two'), nowhere);
  conversation.forgetLastTurn(nowhere);
  expect([conversation.messages, conversation.dropLastTurn(nowhere), conversation.messages]).toEqual([
    [says('one')],
    'two',
    [says('one')],
  ]);
});

test('a summary replaces the earlier messages, and the prompt of the running turn stays', () => {
  const conversation = new Conversation();
  for (const message of [
    says('one'),
    answers('1'),
    says('two'),
    calls('a'),
    gives('A', 'a'),
    calls('b'),
    gives('B', 'b'),
  ])
    void conversation.add(message, nowhere);
  conversation.compact('It was short.', { prompt: 2, from: 5 }, nowhere);
  expect(conversation.messages).toEqual([says(summarised('It was short.')), says('two'), calls('b'), gives('B', 'b')]);
});

test.each<[string, readonly unknown[], readonly LanguageModelV3Message[]]>([
  [
    'what is no message',
    [null, 7, 'x', [], { role: 'robot', content: [] }, { type: 'usage' }, says('go')],
    [says('go')],
  ],
  ['a message with a bad part', [says('go'), { role: 'assistant', content: [{ type: 'text' }] }], [says('go')]],
  ['results without a call', [says('go'), gives('A', 'a')], [says('go')]],
  ['a call without results', [says('go'), calls('a')], [says('go'), calls('a'), gives(lost, 'a')]],
  ['a part of the results', [calls('a', 'b'), gives('B', 'b')], [calls('a', 'b'), mixed]],
  ['a drop of nothing', [{ type: 'turn-dropped' }, says('go')], [says('go')]],
  [
    'a summary of more than there is',
    [says('go'), { type: 'compacted', summary: 's', prompt: null, from: 9 }, says('on')],
    [says(summarised('s')), says('on')],
  ],
])('%s among the stored entries is ignored', (_, kept, whole) => {
  const strip = (message: LanguageModelV3Message): unknown =>
    JSON.parse(JSON.stringify(message).replaceAll(`"type":"error-text"`, '"type":"text"'));
  expect(new Conversation(kept).messages.map(strip)).toEqual(whole.map(strip));
});

function summarised(text: string): string {
  return enclosed('summary', {}, `The conversation before this was replaced by a summary:\n\n${text}`);
}

function resultOf(value: string, toolCallId: string): LanguageModelV3ToolResultPart {
  return { type: 'tool-result', toolCallId, toolName: 'read', output: { type: 'text', value } };
}

type Step = (conversation: Conversation, keep: (value: unknown) => Promise<void>) => void;

const ids = array(constantFrom('a', 'b', 'c'), { maxLength: 3 }).map((all) => [...new Set(all)]);
const text = constantFrom('x', 'long '.repeat(900));
const step = oneof(
  text.map(
    (words): Step =>
      (conversation, keep) =>
        void conversation.add(says(words), keep),
  ),
  text.map(
    (words): Step =>
      (conversation, keep) =>
        void conversation.add(answers(words), keep),
  ),
  ids.map(
    (called): Step =>
      (conversation, keep) =>
        void conversation.add(calls(...called), keep),
  ),
  record({ ids, text }).map(
    (given): Step =>
      (conversation, keep) =>
        void conversation.add(gives(given.text, ...given.ids), keep),
  ),
  constant<Step>((conversation, keep) => conversation.steer(says('now'), keep)),
  constant<Step>((conversation, keep) => conversation.forgetLastTurn(keep)),
  constant<Step>((conversation, keep) => void conversation.dropLastTurn(keep)),
  integer({ min: 0, max: 12 }).map(
    (before): Step =>
      (conversation, keep) =>
        conversation.trimResults(before, keep),
  ),
  record({ from: integer({ min: 0, max: 12 }), prompt: integer({ min: 0, max: 12 }) }).map(
    ({ from, prompt }): Step =>
      (conversation, keep) =>
        conversation.compact('summary', { from, prompt: prompt < from ? prompt : undefined }, keep),
  ),
);

test('every call is followed by its result, for any sequence of events and any stored part of it', () => {
  assert(
    property(array(step, { maxLength: 30 }), array(integer({ min: 0, max: 30 }), { maxLength: 4 }), (steps, torn) => {
      const kept: unknown[] = [];
      const conversation = new Conversation();
      for (const each of steps)
        each(conversation, async (value) => void kept.push(JSON.parse(JSON.stringify(value)) as unknown));
      const whole = new Conversation(kept);
      void conversation.add(says('next'), nowhere);
      void whole.add(says('next'), nowhere);
      expect(JSON.parse(JSON.stringify(whole.messages))).toEqual(JSON.parse(JSON.stringify(conversation.messages)));
      const rest = new Conversation(kept.filter((_, index) => !torn.includes(index)));
      expect([conversation, whole, rest].map(({ messages }) => brokenPairs([...messages]))).toEqual([[], [], []]);
    }),
    { numRuns: 500 },
  );
});

const long = 'word '.repeat(1_000);

test.each([
  [
    'nothing where one turn is all there is and it is short',
    [says('one'), answers('1')],
    { lastTurn: 0, budget: 100 },
    undefined,
  ],
  [
    'before the earliest prompt that leaves little enough',
    [says(long), answers('1'), says('two'), answers('2'), says('three')],
    { lastTurn: 4, budget: 100 },
    { prompt: undefined, from: 2 },
  ],
  [
    'before the turn that runs, where nothing else helps',
    [says('one'), answers('1'), says(long)],
    { lastTurn: 2, budget: 10 },
    { prompt: undefined, from: 2 },
  ],
  [
    'within the turn that runs, its prompt kept',
    [says('one'), calls('a'), gives(long, 'a'), calls('b'), gives('B', 'b')],
    { lastTurn: 0, budget: 100 },
    { prompt: 0, from: 3 },
  ],
])('the conversation is cut %s', (_, messages, where, cut) => {
  expect(compactionCut(messages, where)).toEqual(cut);
});

test('a transcript that is too long keeps its beginning and its end', () => {
  const messages = [
    says('Begin here.'),
    ...Array.from({ length: 50 }, (_, index) => answers(`Step ${index}. ${long}`)),
    says('End here.'),
  ];
  const written = transcript(messages, 2_000);
  expect([
    written.startsWith('[User]\nBegin here.'),
    written.includes('[…]'),
    written.endsWith('End here.'),
    written.length < 20_000,
  ]).toEqual([true, true, true, true]);
});
