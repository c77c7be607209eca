import type { ChildSessionEntry, TranscriptView } from '@turnwire/client/transcript';
import type { SessionUpdate } from '@turnwire/protocol';
import { expect, test } from 'vitest';
import {
  after,
  begun,
  callIn,
  changed,
  chunk,
  ended,
  prompt,
  said,
  shown,
  text,
  type Timeless,
  update,
  viewOf,
} from './events.ts';

const child = (sessionId: string, fields: object = {}): Timeless =>
  update({ sessionUpdate: 'subagent_update', sessionId, ...fields });
const inside = (sessionId: string, fields: object): Timeless => ({
  type: 'child-update',
  child: sessionId,
  update: fields as SessionUpdate,
});
const message = (fields: object): Timeless => update({ sessionUpdate: 'session_message', messageId: 'm', ...fields });
const planned = (plan: object): Timeless => update({ sessionUpdate: 'plan_update', plan });
const step = (content: string): object => ({ content, priority: 'medium', status: 'pending' });

function childIn(view: TranscriptView, sessionId: string): ChildSessionEntry {
  const entry = view.entries.at(view.childIndex(sessionId) ?? -1);
  if (entry?.type !== 'child-session') throw new Error(`there is no child session ${sessionId}`);
  return entry;
}

test('updates of a child session are in its transcript, and the conversation of its parent continues', () => {
  const view = viewOf(
    prompt('hi'),
    said('Let me'),
    child('c', { title: 'Reviewer', state: { state: 'running' }, capabilities: { cancel: {} } }),
    inside('c', chunk('agent', 'Reading')),
    said(' ask.'),
    inside('c', { sessionUpdate: 'tool_call', toolCallId: 't', title: 'Read a.txt', status: 'in_progress' }),
    child('c', { description: 'Reviews the change' }),
  );
  const { transcript, ...entry } = childIn(view, 'c');
  expect([shown(view), entry, shown(transcript), view.openChildren]).toEqual([
    ['user: hi', 'agent: Let me ask.', 'child Reviewer: running'],
    {
      ...{ type: 'child-session', key: 'entry-2', at: 0, sessionId: 'c', title: 'Reviewer', state: 'running' },
      ...{ description: 'Reviews the change', canCancel: true },
    },
    ['agent: Reading', 'call Read a.txt: in_progress'],
    ['c'],
  ]);
});

test('a state of a child replaces the earlier one as a whole, and an idle child has no running calls', () => {
  const running = viewOf(
    child('c', { state: { state: 'idle', stopReason: 'error', error: { code: 1, message: 'no' } } }),
    child('c', { state: { state: 'running' } }),
    inside('c', { sessionUpdate: 'tool_call', toolCallId: 't', title: 't', status: 'in_progress' }),
  );
  const cancelled = after(running, child('c', { state: { state: 'idle', stopReason: 'cancelled' } }));
  const unknown = after(cancelled, child('c', { state: null }));
  const states = [running, cancelled, unknown].map((view) => {
    const { state, stopReason, error, transcript } = childIn(view, 'c');
    return [state, stopReason, error, shown(transcript), view.openChildren];
  });
  expect(states).toEqual([
    ['running', undefined, undefined, ['call t: in_progress'], ['c']],
    ['idle', 'cancelled', undefined, ['call t: cancelled'], []],
    [undefined, undefined, undefined, ['call t: cancelled'], []],
  ]);
});

test('a session that a child has started is in the transcript of the child', () => {
  const view = viewOf(
    child('c', { title: 'C' }),
    inside('c', { sessionUpdate: 'subagent_update', sessionId: 'g', title: 'G' }),
    inside('g', chunk('agent', 'deep')),
    inside('unknown', chunk('agent', 'lost')),
  );
  const { transcript } = childIn(view, 'c');
  expect([shown(view), shown(transcript), shown(childIn(transcript, 'g').transcript)]).toEqual([
    ['child C: undefined'],
    ['child G: undefined'],
    ['agent: deep'],
  ]);
});

test('a permission that a child asks for belongs to its call', () => {
  const request = { sessionId: 'c', toolCall: { toolCallId: 't', title: 'Delete' }, options: [] };
  const outcome = { toolCallId: 't', allowed: true, reason: 'yes' };
  const view = viewOf(
    child('c'),
    { type: 'permission-asked', request, child: 'c' },
    { type: 'permission-answered', outcome, child: 'c' },
  );
  expect([shown(view), callIn(childIn(view, 'c').transcript, 't').permission]).toEqual([
    ['child undefined: undefined'],
    { state: 'answered', ...outcome },
  ]);
});

test('a message between sessions names them, and is patched by its id', () => {
  const sent = viewOf(child('c', { title: 'Reviewer' }), message({ senderSessionId: 'c', content: [text('Do')] }));
  const grown = after(sent, message({ recipientSessionId: 's' }), {
    ...update({ sessionUpdate: 'session_message_chunk', messageId: 'm', content: text('ne') }),
  });
  const cleared = after(grown, message({ content: null }));
  expect([sent, grown, cleared].map((view) => view.entries.at(1))).toMatchObject([
    { type: 'session-message', messageId: 'm', from: 'Reviewer', content: [text('Do')] },
    { from: 'Reviewer', to: 's', content: [text('Done')] },
    { from: 'Reviewer', to: 's', content: [] },
  ]);
});

test('plans with different ids are separate, and stay until the agent removes them', () => {
  const first = viewOf(
    prompt('hi', 't1'),
    planned({ type: 'items', planId: 'a', entries: [step('one')] }),
    planned({ type: 'markdown', planId: 'b', content: '# Two' }),
    planned({ type: 'items', planId: 'a', entries: [step('1')] }),
  );
  const second = after(first, ended('end_turn', 't1'), prompt('ho', 't2'));
  const removed = after(second, update({ sessionUpdate: 'plan_removed', planId: 'a' }));
  const file = after(removed, planned({ type: 'file', planId: 'b', uri: 'file:///plan.md' }));
  expect([first, second, removed, file].map(({ plans }) => plans)).toEqual([
    [
      { planId: 'a', entries: [step('1')] },
      { planId: 'b', entries: [], markdown: '# Two' },
    ],
    [
      { planId: 'a', entries: [step('1')] },
      { planId: 'b', entries: [], markdown: '# Two' },
    ],
    [{ planId: 'b', entries: [], markdown: '# Two' }],
    [{ planId: 'b', entries: [], uri: 'file:///plan.md' }],
  ]);
  expect(shown(file).filter((line) => line.startsWith('plan'))).toEqual(['plan: 1', 'plan: ', 'plan: ']);
});

test('calls in the background continue after their turn, and others end with it', () => {
  const background = [
    { type: 'tool_call', toolCallId: 'a' },
    { type: 'terminal', terminalId: 'x', toolCallId: 'b' },
  ];
  const states = (view: TranscriptView): readonly string[] => ['a', 'b', 'c'].map((id) => callIn(view, id).state);
  const over = viewOf(
    prompt('hi'),
    ...['a', 'b', 'c'].map((id) => begun(id, { status: 'in_progress' })),
    update({ sessionUpdate: 'state_update', state: 'running', background }),
    { type: 'cancel-requested', turnId: 'turn' },
    update({ sessionUpdate: 'state_update', state: 'idle', stopReason: 'cancelled', background }),
    ended('cancelled'),
  );
  const later = after(
    over,
    changed('a', { status: 'completed' }),
    update({ sessionUpdate: 'state_update', state: 'idle', background: [] }),
  );
  expect([states(over), over.background, states(later), later.background]).toEqual([
    ['in_progress', 'in_progress', 'cancelled'],
    background,
    ['completed', 'in_progress', 'cancelled'],
    [],
  ]);
});

test('a terminal of the agent is known by its command and its end', () => {
  const view = viewOf(
    update({ sessionUpdate: 'terminal_update', terminalId: 'x', command: 'npm run dev', capabilities: { cancel: {} } }),
  );
  const over = after(view, update({ sessionUpdate: 'terminal_update', terminalId: 'x', exitStatus: { exitCode: 1 } }));
  const known = { terminalId: 'x', command: 'npm run dev', output: '', truncated: false, canCancel: true };
  expect([view, over].map(({ terminals }) => terminals.get('x'))).toEqual([
    { ...known, isRunning: true },
    { ...known, isRunning: false, exitCode: 1, signal: null },
  ]);
});

test('a whole message of version 2 replaces the content of a known message', () => {
  const view = viewOf(
    said('one', 'm'),
    update({ sessionUpdate: 'agent_message', messageId: 'm', content: [text('two')] }),
    update({ sessionUpdate: 'agent_message', messageId: 'other', content: [text('three')] }),
  );
  expect(shown(view)).toEqual(['agent: two']);
});
