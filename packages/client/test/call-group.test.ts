import { expect, test } from 'vitest';
import { emptyTranscript, reduceAll, type TranscriptEvent } from '../src/transcript/index.ts';
import { callGroup, continuesGroup, nextSteps } from '../src/view/index.ts';

const text = (words: string) => ({ type: 'text', text: words }) as const;
const update = (fields: object, at = 1): TranscriptEvent => ({ at, type: 'update', update: fields }) as TranscriptEvent;
let calls = 0;
/** A call that ran from one time to another, in milliseconds. */
const call = (kind: string, fields: object = {}, [from, to] = [0, 0]): readonly TranscriptEvent[] => {
  const toolCallId = String(calls++);
  return [
    update({ sessionUpdate: 'tool_call', toolCallId, title: kind, kind, status: 'in_progress' }, from),
    update({ sessionUpdate: 'tool_call_update', toolCallId, status: 'completed', ...fields }, to),
  ];
};
const file = (path: string) => ({ locations: [{ path }] });
const diff = { content: [{ type: 'diff', path: '/a', oldText: '1', newText: '2' }] };
const failed = { rawOutput: { exitCode: 1 } };
const prompt: TranscriptEvent = { at: 1, type: 'prompt', turnId: 't', content: [text('Go')] };
const said = update({ sessionUpdate: 'agent_message_chunk', content: text('Done.') });
const thought = update({ sessionUpdate: 'agent_thought_chunk', content: text('Hm.') });

/** The groups of two or more entries, as texts, and the types of all other entries. */
function lines(...events: readonly (TranscriptEvent | readonly TranscriptEvent[])[]): readonly string[] {
  const entries = [...reduceAll(emptyTranscript(), events.flat()).entries];
  const groups: (typeof entries)[] = [];
  for (const [index, entry] of entries.entries())
    if (continuesGroup(entries[index - 1], entry)) groups.at(-1)?.push(entry);
    else groups.push([entry]);
  return groups.map((group) => (group.length === 1 ? (group[0]?.type ?? '') : callGroup(group).text));
}

test.each([
  ['calls of several kinds', [call('read'), call('search'), call('execute')], ['Read 1 file, searched, ran 1 command']],
  [
    'several calls of a kind',
    [call('search'), call('search'), call('fetch'), call('fetch')],
    ['Searched 2 times, fetched 2 pages'],
  ],
  [
    'a file that was read twice',
    [call('read', file('/a')), call('read', file('/a')), call('read', file('/b'))],
    ['Read 2 files'],
  ],
  ['calls of unknown kinds', [call('other'), call('dance')], ['Used 2 tools']],
  ['a thought between calls', [call('read'), thought, call('read')], ['Read 2 files, thought']],
  ['a thought that grows', [prompt, call('read'), call('read'), thought], ['user', 'Read 2 files', 'thought']],
  ['a message between calls', [call('read'), call('read'), said, call('read')], ['Read 2 files', 'agent', 'tool-call']],
  [
    'a failed call',
    [call('read'), call('read'), call('execute', failed), call('read')],
    ['Read 2 files', 'tool-call', 'tool-call'],
  ],
  ['a change', [call('read'), call('edit', diff), call('edit', diff)], ['tool-call', 'tool-call', 'tool-call']],
  ['a running call', [call('read'), call('read'), call('read').slice(0, 1)], ['Read 2 files', 'tool-call']],
] as const)('%s', (_, events, expected) => {
  expect(lines(...events)).toEqual(expected);
});

test('a group names its time, in which calls that ran at once count once, and its calls that ran without asking', () => {
  const events = [
    call('read', {}, [0, 2_000]),
    call('read', {}, [1_000, 3_000]),
    call('read', {}, [9_000, 9_500]),
  ].flat();
  const entries = [...reduceAll(emptyTranscript(), events).entries];
  const [first, ...others] = entries.map((entry) => (entry.type === 'tool-call' ? entry : undefined));
  const unasked = first ? [{ ...first, ranUnasked: 'It ran without asking.' }] : [];
  expect([callGroup(entries), callGroup([...unasked, ...others.flatMap((entry) => entry ?? [])]).unasked]).toEqual([
    { text: 'Read 3 files', time: 3_500, unasked: 0 },
    1,
  ]);
});

test('a turn that failed or was cut can be continued, and only a failed one can be tried again', () => {
  const ends = ['end_turn', 'cancelled', 'max_tokens', 'max_turn_requests', 'refusal', 'unheard'];
  expect([nextSteps({ error: 'No model.' }), ...ends.map((stopReason) => nextSteps({ stopReason }))]).toEqual([
    ['retry', 'continue'],
    [],
    ['continue'],
    ['continue'],
    ['continue'],
    [],
    [],
  ]);
});
