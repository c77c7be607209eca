import { expect, test } from 'vitest';
import {
  begun,
  callIn,
  changed,
  chunk,
  ended,
  prompt,
  replayed,
  said,
  shown,
  text,
  thought,
  update,
  viewOf,
} from './events.ts';

const link = { type: 'resource_link', uri: 'file:///a', name: 'a' } as const;

test('neighbouring chunks of one kind are one message with one text', () => {
  const view = viewOf(prompt('hi'), thought('Let me '), thought('see.'), said('Hel'), said('lo'));
  expect([...view.entries]).toEqual([
    { type: 'user', key: 'entry-0', at: 0, content: [text('hi')], isOpen: false, isReplay: false },
    { type: 'thought', key: 'entry-1', at: 0, content: [text('Let me see.')], isOpen: false, isReplay: false },
    { type: 'agent', key: 'entry-2', at: 0, content: [text('Hello')], isOpen: true, isReplay: false },
  ]);
});

test('a prompt that was sent into a running turn is marked', () => {
  const view = viewOf(prompt('hi'), said('a'), { type: 'prompt', turnId: 'b', content: [text('more')], into: 'turn' });
  expect([...view.entries].map((entry) => entry.type === 'user' && entry.isWithinTurn)).toEqual([
    undefined,
    false,
    true,
  ]);
});

test('without ids the start of a tool call ends the message, and its updates do not', () => {
  const view = viewOf(
    prompt('hi'),
    said('a'),
    begun('run'),
    said('b'),
    changed('run', { status: 'completed' }),
    said('c'),
  );
  expect(shown(view)).toEqual(['user: hi', 'agent: a', 'call run: completed', 'agent: bc']);
});

test('usage, notices and unknown updates do not split a message', () => {
  const view = viewOf(
    prompt('hi'),
    said('a'),
    update({ sessionUpdate: 'usage_update', used: 1, size: 2 }),
    update({ sessionUpdate: 'notice', severity: 'info', title: 'By the way' }),
    said('b'),
    update({ sessionUpdate: 'x_future', value: 1 }),
    said('c'),
  );
  expect(shown(view)).toEqual(['user: hi', 'agent: abc', 'notice from the agent: By the way', 'unknown: x_future']);
});

test('a message with an id continues in its entry after tool calls and other messages', () => {
  const view = viewOf(prompt('hi'), said('a', 'm1'), begun('run'), said('x', 'm2'), said('b', 'm1'));
  expect(shown(view)).toEqual(['user: hi', 'agent: ab', 'call run: pending', 'agent: x']);
  expect([...view.entries].map((entry) => 'isOpen' in entry && entry.isOpen)).toEqual([false, true, false, false]);
});

test('another id starts another message', () => {
  expect(shown(viewOf(prompt('hi'), said('a', 'm1'), said('b', 'm2')))).toEqual(['user: hi', 'agent: a', 'agent: b']);
});

test('chunks without an id, or with null, belong to the previous message', () => {
  const view = viewOf(prompt('hi'), said('a', 'm1'), said('b'), said('c', null), said('d', 'm1'));
  expect(shown(view)).toEqual(['user: hi', 'agent: abcd']);
});

test('a message whose first chunk has no id gets the id of the second', () => {
  const view = viewOf(prompt('hi'), said('a'), said('b', 'm1'), begun('run'), said('c', 'm1'));
  expect(view.entries.at(1)).toMatchObject({ messageId: 'm1', content: [text('abc')] });
});

test('one id for a thought and a message makes two entries', () => {
  expect(shown(viewOf(prompt('hi'), thought('a', 'm'), said('b', 'm'), thought('c', 'm')))).toEqual([
    'user: hi',
    'thought: ac',
    'agent: b',
  ]);
});

test('an id that returns in the next turn is another message', () => {
  const view = viewOf(prompt('hi', 't1'), said('a', '1'), ended('end_turn', 't1'), prompt('ho', 't2'), said('b', '1'));
  expect(shown(view)).toEqual(['user: hi', 'agent: a', 'end: end_turn', 'user: ho', 'agent: b']);
});

test('a late chunk with an id is added to its message and does not reopen it', () => {
  const view = viewOf(prompt('hi'), said('a', 'm'), ended(), said('b', 'm'));
  expect(view.entries.at(1)).toMatchObject({ content: [text('ab')], isOpen: false });
  expect(shown(view)).toEqual(['user: hi', 'agent: ab', 'end: end_turn']);
});

test('empty chunks add nothing', () => {
  expect(shown(viewOf(prompt('hi'), said(''), thought(''), said('a'), said('')))).toEqual(['user: hi', 'agent: a']);
});

test('other blocks stay unchanged, with one block for each run of text between them', () => {
  const block = update({ sessionUpdate: 'agent_message_chunk', content: link });
  const view = viewOf(prompt('hi'), said('a'), said('b'), block, block, said('c'), said('d'));
  expect(view.entries.at(1)).toMatchObject({ content: [text('ab'), link, link, text('cd')] });
});

test('texts for different readers are not joined', () => {
  const aside = { ...text('aside'), annotations: { audience: ['assistant'] } };
  const chunks = [text('a'), aside, { ...aside, text: ' too' }, { ...text('b'), annotations: null }];
  const view = viewOf(
    prompt('hi'),
    ...chunks.map((content) => update({ sessionUpdate: 'agent_message_chunk', content })),
  );
  expect(view.entries.at(1)).toMatchObject({ content: [text('a'), { ...aside, text: 'aside too' }, text('b')] });
});

test('a message of very many blocks continues in another entry', () => {
  const blocks = Array.from({ length: 300 }, () =>
    update({ sessionUpdate: 'agent_message_chunk', content: link, messageId: 'm' }),
  );
  const view = viewOf(prompt('hi'), ...blocks);
  expect([...view.entries].map((entry) => 'content' in entry && entry.content.length)).toEqual([1, 256, 44]);
});

test('an agent that repeats the prompt does not show it twice', () => {
  const whole = viewOf(prompt('fix the bug'), update(chunk('user', 'fix the bug')), said('ok'));
  const pieces = viewOf(
    prompt('fix the bug'),
    update(chunk('user', 'fix ', 'u')),
    update(chunk('user', 'the bug', 'u')),
    said('ok'),
  );
  expect([shown(whole), shown(pieces)]).toEqual([
    ['user: fix the bug', 'agent: ok'],
    ['user: fix the bug', 'agent: ok'],
  ]);
});

test('an echo may contain the other blocks of the prompt, and may join its texts with line breaks', () => {
  const content = [text('look at '), link, text(' and fix it')];
  const view = viewOf(
    { type: 'prompt', turnId: 'turn', content },
    update(chunk('user', 'look at\n')),
    update({ sessionUpdate: 'user_message_chunk', content: { ...link, title: 'A' } }),
    update(chunk('user', '\nand fix it')),
    said('ok'),
  );
  expect(shown(view)).toEqual(['user: look at |[resource_link]| and fix it', 'agent: ok']);
});

test('a user message within a turn that is not an echo is shown', () => {
  const view = viewOf(prompt('fix the bug'), said('on it'), update(chunk('user', 'and add a test')), said('sure'));
  expect(shown(view)).toEqual(['user: fix the bug', 'agent: on it', 'user: and add a test', 'agent: sure']);
});

test('a message that only starts like the prompt is shown whole', () => {
  const view = viewOf(prompt('fix the bug'), update(chunk('user', 'fix ')), update(chunk('user', 'nothing')));
  expect(shown(view)).toEqual(['user: fix the bug', 'user: fix nothing']);
});

test('a replay shows each message separately', () => {
  const view = viewOf(
    replayed(chunk('user', 'fix ')),
    replayed(chunk('user', 'it')),
    replayed(chunk('agent', 'done')),
    replayed({ sessionUpdate: 'tool_call', toolCallId: 'run', title: 'run', status: 'completed' }),
    replayed(chunk('user', 'fix it')),
    { type: 'boundary', reason: 'loaded', message: 'The session was loaded.' },
    prompt('fix it'),
    update(chunk('user', 'fix it')),
  );
  expect(shown(view)).toEqual([
    'user: fix it',
    'agent: done',
    'call run: completed',
    'user: fix it',
    'boundary: loaded',
    'user: fix it',
  ]);
  expect([...view.entries].map((entry) => 'isReplay' in entry && entry.isReplay)).toEqual([
    true,
    true,
    true,
    true,
    false,
    false,
  ]);
  expect(callIn(view, 'run').isReplay).toBe(true);
});
