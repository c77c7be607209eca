import type { TranscriptView } from '@turnwire/client/transcript';
import { backgroundItems, type ChildNode, childTree, flatTree, runningChildren } from '@turnwire/client/view';
import type { SessionUpdate } from '@turnwire/protocol';
import { expect, test } from 'vitest';
import { prompt, type Timeless, update, viewOf } from './transcript/events.ts';

const child = (sessionId: string, fields: object): Timeless =>
  update({ sessionUpdate: 'subagent_update', sessionId, ...fields });
const inside = (of: string, fields: object): Timeless => ({
  type: 'child-update',
  child: of,
  update: fields as SessionUpdate,
});
const call = (toolCallId: string, fields: object, parent?: string): Timeless =>
  update({
    ...{ sessionUpdate: 'tool_call', toolCallId, status: 'in_progress', ...fields },
    ...(parent !== undefined && { _meta: { claudeCode: { parentToolUseId: parent } } }),
  });

/** The tree in lines. */
function lines(nodes: readonly ChildNode[]): readonly string[] {
  return flatTree(nodes).map(({ node: { title, name, stateText, action, tokens, cost, cancel }, depth }) => {
    const facts = [name, stateText, tokens, cost?.amount, cancel && `cancel ${cancel.sessionId ?? cancel.toolCallId}`];
    return `${'  '.repeat(depth)}${title} (${facts.filter((fact) => fact !== undefined).join(', ')}): ${action}`;
  });
}

const running = { state: { state: 'running' }, capabilities: { cancel: {} } };

test('child sessions are a tree with their names, states, usage, current actions, and cancellable work', () => {
  const view = viewOf(
    prompt('go'),
    child('a', { title: 'Fix it', _meta: { turnwire: { child: 'claude' } }, ...running }),
    inside('a', { sessionUpdate: 'usage_update', used: 1200, size: 9000, cost: { amount: 0.5, currency: 'USD' } }),
    inside('a', {
      sessionUpdate: 'subagent_update',
      sessionId: 'b',
      title: 'Look',
      state: { state: 'requires_action' },
    }),
    inside('b', { sessionUpdate: 'tool_call', toolCallId: 't', title: 'Read a.ts', status: 'in_progress' }),
    inside('a', { sessionUpdate: 'tool_call', toolCallId: 'u', title: 'Run npm test', status: 'in_progress' }),
    child('c', { title: 'Test', state: { state: 'idle', stopReason: 'end_turn' } }),
  );
  expect([lines(childTree(view)), lines(runningChildren(view))]).toEqual([
    [
      'Fix it (claude, running, 1200, 0.5, cancel a): Run npm test',
      '  Look (waiting for you): Read a.ts',
      'Test (finished): ',
    ],
    ['Fix it (claude, running, 1200, 0.5, cancel a): Run npm test', '  Look (waiting for you): Read a.ts'],
  ]);
});

/** The calls of an agent that reports subagents as calls with parts. */
function nested(...more: readonly Timeless[]): TranscriptView {
  return viewOf(
    prompt('go'),
    call('plain', { title: 'Read b.ts' }),
    call('task', { title: 'Find the bug', rawInput: { subagent_type: 'Explore' } }),
    call('one', { title: 'Grep it', status: 'completed' }, 'task'),
    call('two', { title: 'Task inside' }, 'task'),
    call('three', { title: 'Read c.ts' }, 'two'),
    ...more,
  );
}

test('calls to which the agent reports parts are subagents, and other calls are none', () => {
  const asked = {
    type: 'permission-asked',
    request: { sessionId: 's', toolCall: { toolCallId: 'three' }, options: [] },
  } as const;
  const over = ['one', 'two', 'three', 'task'].map((toolCallId) =>
    update({ sessionUpdate: 'tool_call_update', toolCallId, status: 'completed' }),
  );
  expect([nested(), nested(asked), nested(...over)].map((view) => lines(childTree(view)))).toEqual([
    ['Find the bug (Explore, running): Task inside', '  Task inside (running): Read c.ts'],
    ['Find the bug (Explore, running): Task inside', '  Task inside (waiting for you): Read c.ts'],
    ['Find the bug (Explore, finished): Task inside', '  Task inside (finished): Read c.ts'],
  ]);
});

test('a child session in the background is in the tree, and not in the list of background work as well', () => {
  const view = viewOf(
    child('a', { title: 'Fix it', ...running }),
    update({
      ...{ sessionUpdate: 'state_update', state: 'idle' },
      background: [
        { type: 'subagent', sessionId: 'a' },
        { type: 'terminal', terminalId: 't' },
      ],
    }),
  );
  expect([lines(runningChildren(view)), backgroundItems(view)]).toEqual([
    ['Fix it (running, cancel a): '],
    [{ text: 't' }],
  ]);
});

/** More messages than the tree searches for subagents. */
const manyMessages = Array.from({ length: 600 }, (_, at) =>
  update({ sessionUpdate: 'agent_message_chunk', messageId: `m${at}`, content: { type: 'text', text: 'x' } }),
);

const inBackground = (...ids: readonly string[]): Timeless =>
  update({
    ...{ sessionUpdate: 'state_update', state: 'idle' },
    background: ids.map((sessionId) => ({ type: 'subagent', sessionId })),
  });

test('a child session that runs stays in the tree however many entries follow, and one that ended leaves it', () => {
  const view = viewOf(
    child('a', { title: 'Fix it', ...running }),
    child('b', { title: 'Test it', ...running }),
    child('c', { title: 'Look', state: { state: 'idle', stopReason: 'end_turn' } }),
    child('a', { state: { state: 'requires_action' } }),
    ...manyMessages,
    inBackground('a', 'b'),
    child('d', { title: 'Write', ...running }),
  );
  expect([view.entries.length > 600, lines(childTree(view)), backgroundItems(view)]).toEqual([
    true,
    ['Fix it (waiting for you, cancel a): ', 'Test it (running, cancel b): ', 'Write (running, cancel d): '],
    [],
  ]);
});

test('a child session that the tree does not show is in the list of background work, with its title and a way to cancel it', () => {
  const cancel = { capabilities: { cancel: {} } };
  const view = viewOf(
    child('unknown', { title: 'Wait', ...cancel }),
    child('a', { title: 'Fix it', ...running }),
    inside('a', { sessionUpdate: 'subagent_update', sessionId: 'b', title: 'Look', ...cancel }),
    inside('b', { sessionUpdate: 'subagent_update', sessionId: 'c', title: 'Read', ...running }),
    ...manyMessages.map((event) => (event.type === 'update' ? inside('a', event.update) : event)),
    ...manyMessages,
    inBackground('unknown', 'a', 'b', 'c', 'unseen'),
  );
  expect([lines(runningChildren(view)), backgroundItems(view)]).toEqual([
    ['Fix it (running, cancel a): x'],
    [
      { text: 'Wait', cancel: { type: 'subagent', sessionId: 'unknown' } },
      { text: 'Look', cancel: { type: 'subagent', sessionId: 'b' } },
      { text: 'Read', cancel: { type: 'subagent', sessionId: 'c' } },
      { text: 'unseen' },
    ],
  ]);
});
