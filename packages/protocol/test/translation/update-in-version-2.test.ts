import { expect, test } from 'vitest';
import { historyInVersion2, toolCallInVersion2, updateInVersion2 } from '../../src/translation/update-in-version-2.ts';

const text = (content: string): { readonly type: 'text'; readonly text: string } => ({ type: 'text', text: content });

test('null leaves a field of a tool call unchanged in version 1, and is left out in version 2', () => {
  expect(
    toolCallInVersion2({
      toolCallId: 'a',
      title: null,
      content: null,
      locations: [{ path: '/a', line: 0 }],
      rawInput: false,
    }),
  ).toEqual({ toolCallId: 'a', locations: [{ path: '/a' }], rawInput: false });
});

test('the current mode is not an update of version 2, and an unknown update stays as it is', () => {
  const unknown = { sessionUpdate: '_mine', value: 1 } as never;
  expect([
    updateInVersion2({ sessionUpdate: 'current_mode_update', currentModeId: 'ask' }),
    updateInVersion2(unknown),
  ]).toEqual([undefined, unknown]);
});

test('each message of a history begins with a whole update, and its later parts are chunks', () => {
  const chunk = { sessionUpdate: 'agent_message_chunk', messageId: 'a' } as const;
  const whole = { sessionUpdate: 'agent_message', messageId: 'a' };
  const call = { sessionUpdate: 'tool_call', toolCallId: 'c', title: 'C' } as const;
  expect([
    historyInVersion2([
      { ...chunk, content: text('1') },
      { ...chunk, content: text('2') },
      call,
      { ...chunk, content: text('3') },
    ]),
    historyInVersion2([{ ...chunk, content: text('1'), _meta: { k: 1 } }]),
    historyInVersion2([{ sessionUpdate: 'notice', severity: 'info', title: 'Now' }]),
  ]).toEqual([
    [
      { ...whole, content: [text('1'), text('2')] },
      { sessionUpdate: 'tool_call_update', toolCallId: 'c', title: 'C' },
      { ...chunk, content: text('3') },
    ],
    [
      { ...whole, content: [] },
      { ...chunk, content: text('1'), _meta: { k: 1 } },
    ],
    [],
  ]);
});
