import { describe, expect, test } from 'vitest';
import { emptyTranscript, reduceAll, type TranscriptEvent } from '../src/transcript/index.ts';
import { ago, asSentence, callTime, duration, elapsed, shortPath, turnEndText } from '../src/view/index.ts';

const [minute, hour, day] = [60_000, 3_600_000, 86_400_000];

describe('the end of a turn', () => {
  test('has a reason and what to do, unless the agent completed the turn', () => {
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

  test('is a sentence where sentences are drawn', () => {
    expect(asSentence('the turn was cancelled')).toBe('The turn was cancelled.');
  });
});

describe('times', () => {
  test('in the past are in words, and older ones are dates', () => {
    expect([0, 5 * minute, 2 * hour, day, 3 * day, 40 * day].map((age) => ago(age, 100 * day))).toEqual([
      'just now',
      '5 min ago',
      '2 h ago',
      'yesterday',
      '3 days ago',
      '1970-03-02',
    ]);
  });

  test('that something took have tenths of seconds only below ten seconds', () => {
    expect([400, 9_950, 12_700, 125_000, 3_700_000].map(duration)).toEqual([
      '0.4 s',
      '9.9 s',
      '12 s',
      '2 min 5 s',
      '1 h 1 min',
    ]);
  });

  test('of something that runs are whole seconds, and empty in the first one', () => {
    expect([900, 1_900, 61_000].map(elapsed)).toEqual(['', '1 s', '1 min 1 s']);
  });

  test('of a call begin when the user has allowed it, and a refused call has none', () => {
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

test('a path is short inside of the folder, and whole where it may lead out of it', () => {
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
