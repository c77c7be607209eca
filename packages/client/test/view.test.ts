import { describe, expect, test } from 'vitest';
import { type ChildSessionEntry, emptyTranscript, reduceAll, type TranscriptEvent } from '../src/transcript/index.ts';
import {
  ago,
  asSentence,
  backgroundItems,
  callBlock,
  callTime,
  cancellableItems,
  childBlock,
  entryBlock,
  messageText,
  noticeText,
  duration,
  elapsed,
  isCallOver,
  shortPath,
  turnEndText,
} from '../src/view/index.ts';

const text = (words: string) => ({ type: 'text', text: words }) as const;
const update = (fields: object): TranscriptEvent => ({ at: 1, type: 'update', update: fields }) as TranscriptEvent;
const [minute, hour, day] = [60_000, 3_600_000, 86_400_000];

describe('the end of a turn', () => {
  test('the end has a reason and advice, unless the agent completed the turn', () => {
    const reasons = ['end_turn', undefined, 'cancelled', 'max_tokens', 'max_turn_requests', 'refusal', 'toString'];
    expect(reasons.map(turnEndText)).toEqual([
      undefined,
      undefined,
      'the turn was cancelled',
      'the agent stopped: its model reached the limit of tokens; ask it to continue',
      'the agent stopped: it reached its limit of model calls in one turn; ask it to continue',
      'the agent refused to continue; the prompt and everything after it will not be part of the conversation: ask differently',
      'the agent ended the turn for an unknown reason: toString',
    ]);
  });

  test('the end is a sentence on surfaces that draw sentences', () => {
    expect(asSentence('the turn was cancelled')).toBe('The turn was cancelled.');
  });
});

describe('times', () => {
  test('times in the past are in words, and older ones are dates', () => {
    expect([0, 5 * minute, 2 * hour, day, 3 * day, 40 * day].map((age) => ago(age, 100 * day))).toEqual([
      'just now',
      '5 min ago',
      '2 h ago',
      'yesterday',
      '3 days ago',
      '1970-03-02',
    ]);
  });

  test('durations have tenths of seconds only below ten seconds', () => {
    expect([400, 9_950, 12_700, 125_000, 3_700_000].map(duration)).toEqual([
      '0.4 s',
      '9.9 s',
      '12 s',
      '2 min 5 s',
      '1 h 1 min',
    ]);
  });

  test('a running duration has whole seconds, and is empty in the first one', () => {
    expect([900, 1_900, 61_000].map(elapsed)).toEqual(['', '1 s', '1 min 1 s']);
  });

  test("the time of a call starts at the user's approval, and a refused call has none", () => {
    const toolCall = { toolCallId: 'a', title: 'npm test', kind: 'execute' as const };
    const request = { sessionId: 's', toolCall, options: [] };
    const outcome = { toolCallId: 'a', allowed: true, reason: 'the user allowed it' };
    const asked: TranscriptEvent = { type: 'permission-asked', request, at: 1_000 };
    const allowed: TranscriptEvent = { type: 'permission-answered', outcome, at: 90_000 };
    const refused: TranscriptEvent = { ...allowed, outcome: { ...outcome, allowed: false } };
    const done: TranscriptEvent = {
      type: 'update',
      update: { sessionUpdate: 'tool_call_update', toolCallId: 'a', status: 'completed' },
      at: 91_500,
    };
    const times = [[asked], [asked, allowed], [asked, refused], [asked, allowed, done]].map((events) => {
      const entry = reduceAll(emptyTranscript(), events).entries.at(0);
      return entry?.type === 'tool-call' ? callTime(entry, 93_000) : 'no call';
    });
    expect(times).toEqual([undefined, 3_000, undefined, 1_500]);
  });
});

describe('an entry as a block', () => {
  const blocks = (...events: readonly TranscriptEvent[]) => {
    const { entries, terminals } = reduceAll(emptyTranscript(), events);
    return [...entries].map((entry) => entryBlock(entry, terminals));
  };

  test('a block has everything that each surface draws', () => {
    expect(
      blocks(
        { at: 1, type: 'prompt', turnId: 't', content: [text('Go')] },
        update({ sessionUpdate: 'agent_thought_chunk', content: text('Hm.') }),
        update({ sessionUpdate: 'agent_message_chunk', content: text('Yes.') }),
        update({ sessionUpdate: 'plan', entries: [{ content: 'Look', priority: 'high', status: 'pending' }] }),
        update({ sessionUpdate: 'notice', severity: 'warning', title: 'Slow', description: 'It takes a minute.' }),
        update({ sessionUpdate: 'compaction_update', compactionId: 'c', status: 'completed' }),
        update({ sessionUpdate: '_weather', sun: true }),
        { at: 1, type: 'turn-ended', turnId: 't', stopReason: 'refusal' },
        { at: 1, type: 'turn-failed', turnId: 'u', message: 'No model.' },
        { at: 1, type: 'turn-ended', turnId: 'v', stopReason: 'end_turn' },
        { at: 1, type: 'boundary', reason: 'loaded', message: 'It was loaded.' },
        { at: 1, type: 'boundary', reason: 'context-lost', message: 'It was lost.' },
      ),
    ).toEqual([
      { type: 'prompt', content: [text('Go')] },
      { type: 'thought', content: [text('Hm.')], isOpen: false },
      { type: 'message', content: [text('Yes.')], isOpen: false },
      { type: 'plan', steps: [{ content: 'Look', priority: 'high', status: 'pending' }] },
      { type: 'notice', severity: 'warning', title: 'Slow', description: 'It takes a minute.' },
      { type: 'boundary', text: 'context compacted (completed)', severity: 'info', isExpected: false },
      {
        type: 'unknown',
        text: 'an update of an unknown kind: _weather',
        update: { sessionUpdate: '_weather', sun: true },
      },
      { type: 'turn-end', text: turnEndText('refusal'), isFailure: false },
      { type: 'turn-end', text: 'No model.', isFailure: true },
      { type: 'turn-end', isFailure: false },
      { type: 'boundary', text: 'It was loaded.', severity: 'info', isExpected: true },
      { type: 'boundary', text: 'It was lost.', severity: 'warning', isExpected: false },
    ]);
  });

  test('the block of a call has its diffs, output and texts, and the command only if the title does not contain it', () => {
    const diff = { type: 'diff', path: '/a', newText: 'x\n' } as const;
    const fields = { sessionUpdate: 'tool_call', kind: 'execute', status: 'failed', rawInput: { command: 'npm test' } };
    const { entries } = reduceAll(emptyTranscript(), [
      update({
        ...fields,
        toolCallId: 'a',
        title: 'Run the tests',
        content: [diff, { type: 'content', content: text('1 failed') }],
        rawOutput: { exitCode: 1 },
      }),
      update({ ...fields, toolCallId: 'b', title: '`npm test`', content: [{ type: 'terminal', terminalId: 't' }] }),
      update({ ...fields, toolCallId: 'c', title: '\u200b' }),
    ]);
    const terminal = { terminalId: 't', command: 'npm test', output: 'ok\n', truncated: false, isRunning: false };
    const calls = [...entries].flatMap((entry) =>
      entry.type === 'tool-call' ? [callBlock(entry, new Map([['t', terminal]]))] : [],
    );
    expect(calls.map(({ call: _, ...block }) => block)).toEqual([
      {
        type: 'call',
        title: 'Run the tests',
        command: 'npm test',
        end: 'exit code 1',
        diffs: [diff],
        changes: [],
        output: '1 failed',
        texts: ['1 failed'],
      },
      { type: 'call', title: '`npm test`', diffs: [], changes: [], output: 'ok\n', texts: [] },
      { type: 'call', title: 'c', command: 'npm test', diffs: [], changes: [], output: '', texts: [] },
    ]);
  });
});

test('the block of a call has a state that is unknown here, sentences about files, and a place for unknown content', () => {
  const moved = { type: 'content', content: text('Moved /a to /b'), _meta: { turnwire: { isChange: true } } };
  const view = reduceAll(emptyTranscript(), [
    update({
      sessionUpdate: 'tool_call',
      ...{ toolCallId: 'a', title: 'Move', status: 'paused', content: [moved, { type: 'session', sessionId: 's' }] },
    }),
  ]);
  const entry = view.entries.at(0);
  expect(entry?.type === 'tool-call' && { ...callBlock(entry, new Map()), call: isCallOver(entry) }).toEqual({
    type: 'call',
    call: false,
    title: 'Move',
    end: 'paused',
    diffs: [],
    changes: ['Moved /a to /b'],
    output: '',
    texts: ['[session]'],
  });
});

test('the block of a child session has its state in words and its last line', () => {
  const child = (state: object | null, fields: object = {}): ReturnType<typeof childBlock> => {
    const view = reduceAll(emptyTranscript(), [
      update({ sessionUpdate: 'subagent_update', sessionId: 'c', title: 'Reviewer', state, ...fields }),
      {
        at: 0,
        type: 'child-update',
        child: 'c',
        update: { sessionUpdate: 'agent_message_chunk', content: text('one\ntwo') },
      },
    ]);
    return childBlock(view.entries.at(0) as ChildSessionEntry);
  };
  const blocks = [
    child(null),
    child({ state: 'running' }, { capabilities: { cancel: {} } }),
    child({ state: 'requires_action' }),
    child({ state: 'idle', stopReason: 'end_turn' }, { capabilities: { cancel: {} } }),
    child({ state: 'idle', stopReason: 'error', error: { code: 1, message: 'It broke' } }, { title: '\u200b' }),
  ];
  expect(
    blocks.map(({ title, stateText, isOver, isFailure, lastLine, canCancel }) => [
      ...[title, stateText, isOver, isFailure, lastLine, canCancel],
    ]),
  ).toEqual([
    ['Reviewer', 'state unknown', false, false, 'two', false],
    ['Reviewer', 'running', false, false, 'two', true],
    ['Reviewer', 'waiting for you', false, false, 'two', false],
    ['Reviewer', 'finished', true, false, 'two', false],
    ['c', 'It broke', true, true, 'two', false],
  ]);
});

test('work in the background has a name, and a way to cancel it if the agent offers one', () => {
  const view = reduceAll(emptyTranscript(), [
    update({
      sessionUpdate: 'tool_call',
      toolCallId: 't',
      title: 'Watch',
      status: 'in_progress',
      capabilities: { cancel: {} },
    }),
    update({ sessionUpdate: 'terminal_update', terminalId: 'x', command: 'npm run dev' }),
    update({ sessionUpdate: 'subagent_update', sessionId: 'c', title: 'Reviewer', state: { state: 'running' } }),
    update({
      sessionUpdate: 'state_update',
      state: 'idle',
      background: [{ type: 'tool_call', toolCallId: 't' }, { type: 'terminal', terminalId: 'x' }, { type: '_watcher' }],
    }),
  ]);
  const watch = { text: 'Watch', cancel: { type: 'tool_call', toolCallId: 't' } };
  expect([backgroundItems(view), cancellableItems(view)]).toEqual([
    [watch, { text: 'npm run dev' }, { text: '_watcher' }],
    [watch],
  ]);
});

test('a notice in one line has one sign between its title and its description', () => {
  expect([noticeText({ title: 'Slow' }), noticeText({ title: 'Slow', description: 'a lot' })]).toEqual([
    'Slow',
    'Slow: a lot',
  ]);
  expect(noticeText({ title: 'Slow!', description: 'A lot.' })).toBe('Slow! A lot.');
});

test('a message as text has placeholders for other content, and no control characters', () => {
  const image = { type: 'image', mimeType: 'image/png', data: '' } as const;
  expect(messageText({ content: [{ type: 'text', text: 'a\u001b[2Jb' }, image] })).toBe('ab\n[image: image/png]');
});

test('the placeholder of a picture has its name, or else its type, and its size', () => {
  const texts = [
    { uri: 'file:///tmp/shot.png?x=a/b', data: 'AAAA' },
    { data: 'AA==' },
    { data: 'A'.repeat(16_000) },
    { data: 'A'.repeat(2_000_000) },
  ].map((fields) => messageText({ content: [{ type: 'image', mimeType: 'image/png', ...fields }] }));
  expect(texts).toEqual([
    '[image: shot.png, 3 bytes]',
    '[image: image/png, 1 byte]',
    '[image: image/png, 12 kB]',
    '[image: image/png, 1.5 MB]',
  ]);
});

test('the text of a picture takes a time in proportion to its length, whatever the agent sends as its name and data', () => {
  const image = { type: 'image', mimeType: 'image/png' } as const;
  const hostile = [
    { ...image, data: '', uri: `${'a'.repeat(100_000)}/` },
    { ...image, data: `${'='.repeat(100_000)}A` },
  ];
  expect(hostile.map((content) => messageText({ content: [content] }))).toEqual([
    '[image: image/png]',
    '[image: image/png, 75 kB]',
  ]);
});

test('a path is short inside the folder, and whole if it may lead outside', () => {
  const cases = [
    ['/p/src/a.ts', '/p'],
    ['/p/src/a.ts', '/p/'],
    ['/p', '/p'],
    ['/project/a.ts', '/p'],
    ['/p/../etc/passwd', '/p'],
    ['/p/src/..', '/p'],
    ['/p/..a', '/p'],
    ['C:\\p\\a.ts', 'C:\\p'],
    ['/a', '/'],
    ['/a', ''],
    ['/a', undefined],
  ] as const;
  expect(cases.map(([path, folder]) => shortPath(path, folder))).toEqual([
    'src/a.ts',
    'src/a.ts',
    '/p',
    '/project/a.ts',
    '/p/../etc/passwd',
    '/p/src/..',
    '..a',
    'a.ts',
    'a',
    '/a',
    '/a',
  ]);
});
