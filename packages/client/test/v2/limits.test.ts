import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { emptyTranscript, reduce, type TranscriptView } from '@turnwire/client/transcript';
import type { SessionUpdate as V1Update } from '@turnwire/protocol';
import type { SessionUpdate } from '@turnwire/protocol/v2';
import { expect, test } from 'vitest';
import { type ReportedSession, unreported, updatesInVersion1 } from '@turnwire/protocol/translation';

const mebibyte = 2 ** 20;
const text = (value: string): object => ({ type: 'text', text: value });
const item = (value: string): object => ({ type: 'content', content: text(value) });
const printed = (terminalId: string, value: string): object => ({
  ...{ sessionUpdate: 'terminal_output_chunk', terminalId },
  data: Buffer.from(value).toString('base64'),
});
const shown = { sessionUpdate: 'tool_call_update', toolCallId: 't', content: [{ type: 'terminal', terminalId: 'p' }] };

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

/** Bytes of JavaScript objects that are in use. */
function used(): number {
  collect();
  return process.memoryUsage().heapUsed;
}

function read(session: ReportedSession, updates: Iterable<object>): readonly V1Update[] {
  return [...updates].flatMap((update) => updatesInVersion1(session, update as SessionUpdate));
}

function viewOf(updates: Iterable<object>): TranscriptView {
  return read(unreported(), updates).reduce<TranscriptView>(
    (view, update) => reduce(view, { type: 'update', at: 0, update }),
    emptyTranscript(),
  );
}

/** The output of the call that shows the terminal: its length, its end, and whether its beginning is left out. */
function outputOf(updates: Iterable<object>): unknown {
  const call = viewOf(updates).entries.at(0);
  if (call?.type !== 'tool-call') return call;
  const { output = '', isOutputCut } = call;
  return { isWithin: output.length <= 256 * 1024, end: output.slice(-8), isOutputCut };
}

test('a terminal keeps the end of an output that is too long, and its call is marked', () => {
  const chunks = Array.from({ length: 300 }, (_, index) => printed('p', `${index}`.padStart(1_024)));
  const snapshot = { sessionUpdate: 'terminal_update', terminalId: 'p', output: { data: 'YQ==' } };
  const cut = { isWithin: true, end: '     299', isOutputCut: true };
  expect([
    outputOf([shown, ...chunks]),
    outputOf([...chunks, shown]),
    outputOf([shown, ...chunks, snapshot]),
    outputOf([shown, printed('p', 'all')]),
  ]).toEqual([
    cut,
    cut,
    { isWithin: true, end: 'a', isOutputCut: false },
    { isWithin: true, end: 'all', isOutputCut: undefined },
  ]);
});

test('a content that grows too large in chunks loses its first items, and a sentence stands in their place', () => {
  const chunk = (index: number): object => ({
    ...{ sessionUpdate: 'tool_call_content_chunk', toolCallId: 't' },
    content: item(`${index}`.padStart(1_024)),
  });
  const chunks = Array.from({ length: 300 }, (_, index) => chunk(index));
  const content = (updates: Iterable<object>): readonly unknown[] => {
    const call = viewOf(updates).entries.at(0);
    return call?.type === 'tool-call' ? call.content : [];
  };
  const grown = content(chunks);
  expect([
    grown[0],
    grown.slice(-1),
    JSON.stringify(grown).length <= 256 * 1024,
    content([...chunks, { sessionUpdate: 'tool_call_update', toolCallId: 't', content: [item('all')] }]),
    content([chunk(0), chunk(1)]).length,
  ]).toEqual([item('The beginning was left out.'), [item('299'.padStart(1_024))], true, [item('all')], 2]);
});

test('a message that is too long for a comparison is replaced by a report of the whole message', () => {
  const long = 'a'.repeat(256 * 1024);
  const whole = (value: string): object => ({
    ...{ sessionUpdate: 'agent_message', messageId: 'm' },
    content: [text(value)],
  });
  const chunk = { sessionUpdate: 'agent_message_chunk', messageId: 'm', content: text(long) };
  const view = viewOf([chunk, { ...chunk, content: text('b') }, whole(`${long}b`), whole('short'), whole('shorter')]);
  expect(view.entries.toJSON()).toMatchObject([{ type: 'agent', content: [text('shorter')] }]);
});

test('of more than 4,096 terminals the oldest is forgotten', () => {
  const session = unreported();
  read(session, [printed('first', 'a'), printed('second', 'b')]);
  for (let index = 0; index < 4_094; index++) read(session, [printed(`${index}`, 'c'), printed('first', 'a')]);
  read(session, [printed('last', 'd')]);
  expect(['first', 'second', '0', 'last'].map((id) => session.terminals.get(id)?.output.text.length)).toEqual([
    ...[4_095, undefined, 1, 1],
  ]);
});

/** A text with memory of its own, as those of frames have. */
const filler = (index: number): string => Buffer.from(`${index} `.padEnd(4_096, 'x')).toString('latin1');

/** 32 MiB of updates of one kind: each has its own id, or all have the same. */
const floods: readonly (readonly [kind: string, update: (index: number) => object])[] = [
  ['messages', (index) => ({ sessionUpdate: 'agent_message', messageId: `m${index}`, content: [text(filler(index))] })],
  [
    'chunks of one message',
    (index) => ({ sessionUpdate: 'agent_message_chunk', messageId: 'm', content: text(filler(index)) }),
  ],
  [
    'tool calls',
    (index) => ({ sessionUpdate: 'tool_call_update', toolCallId: `t${index}`, content: [item(filler(index))] }),
  ],
  ['terminals', (index) => printed(`p${index}`, filler(index))],
  ['chunks of one output', (index) => printed('p', filler(index))],
];

test.each(floods)('the memory of a session is bounded, however many %s the agent sends', (_, update) => {
  const session = unreported();
  const before = used();
  for (let index = 0; index < 8_192; index++) updatesInVersion1(session, update(index) as SessionUpdate);
  const growth = used() - before;
  expect(session.messages.has('unknown')).toBe(false);
  expect(growth).toBeLessThan(24 * mebibyte);
});
