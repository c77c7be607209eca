import { answer, aside, params, toolContent, update, type Row } from './row.ts';

/** What is reported and asked during a turn. */
export const turn: Readonly<Record<string, Row>> = {
  D22: {
    profile: 'lenient',
    cases: [
      update({ type: 'usage_update', used: 1, size: 2 }, { sessionUpdate: 'usage_update', used: 1, size: 2 }),
      { ...update({ type: 'made_up' }, { type: 'made_up' }), refused: true },
      update(
        { sessionUpdate: 'usage_update', type: 'tool_call', used: 1, size: 2 },
        { sessionUpdate: 'usage_update', type: 'tool_call', used: 1, size: 2 },
      ),
    ],
  },
  D23: {
    profile: 'lenient',
    cases: [
      update(
        { type: 'message', role: 'user', content: [{ type: 'text', text: 'Hi' }] },
        {
          sessionUpdate: 'user_message_chunk',
          messageId: 'turnwire-message-1',
          content: { type: 'text', text: 'Hi' },
        },
      ),
      update(
        { type: 'message', role: 'assistant', messageId: 'm', content: [{ type: 'text', text: 'Hi' }] },
        { sessionUpdate: 'agent_message_chunk', messageId: 'm', content: { type: 'text', text: 'Hi' } },
      ),
      {
        ...update({ type: 'message', role: 'judge', content: [] }, { type: 'message', role: 'judge', content: [] }),
        refused: true,
      },
    ],
  },
  D24: {
    profile: 'lenient',
    cases: [
      update(
        { kind: 'tool_call', toolKind: 'read', toolCallId: 'c', title: 'T' },
        { sessionUpdate: 'tool_call', kind: 'read', toolCallId: 'c', title: 'T' },
      ),
      update(
        { sessionUpdate: 'tool_call', kind: 'tool_call', toolKind: 'read', toolCallId: 'c', title: 'T' },
        { sessionUpdate: 'tool_call', kind: 'read', toolCallId: 'c', title: 'T' },
      ),
      update(
        { sessionUpdate: 'tool_call_update', kind: 'edit', toolKind: 'read', toolCallId: 'c' },
        { sessionUpdate: 'tool_call_update', kind: 'edit', toolKind: 'read', toolCallId: 'c' },
      ),
    ],
  },
  D25: {
    profile: 'lenient',
    cases: [
      update(
        { sessionUpdate: 'tool_call_update', toolCallId: 'c', input: { a: 1 }, output: [] },
        { sessionUpdate: 'tool_call_update', toolCallId: 'c', rawInput: { a: 1 }, content: [] },
      ),
      update(
        { sessionUpdate: 'tool_call_update', toolCallId: 'c', input: 1, rawInput: 2, output: 'not a list' },
        { sessionUpdate: 'tool_call_update', toolCallId: 'c', input: 1, rawInput: 2, output: 'not a list' },
      ),
      params('session/request_permission', {
        value: { sessionId: 's', toolCall: { toolCallId: 'c', input: {} }, options: [] },
        becomes: { sessionId: 's', toolCall: { toolCallId: 'c', rawInput: {} }, options: [] },
      }),
    ],
  },
  D26: {
    profile: 'go-reference',
    cases: [
      toolContent(
        { type: 'diff', path: '/p', oldContent: 'a', newContent: 'b' },
        { type: 'diff', path: '/p', oldText: 'a', newText: 'b' },
      ),
      toolContent(
        { type: 'diff', path: '/p', oldContent: 'a' },
        { type: 'diff', path: '/p', oldText: 'a', newText: '' },
      ),
      toolContent({ type: 'diff', path: '/p', newContent: 'b' }, { type: 'diff', path: '/p', newText: 'b' }),
    ],
  },
  D27: {
    profile: 'go-reference',
    cases: [
      toolContent(
        { type: 'content', content: { text: 'x' } },
        { type: 'content', content: { type: 'text', text: 'x' } },
      ),
      update(
        { sessionUpdate: 'agent_message_chunk', content: { text: 'x' } },
        { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text: 'x' } },
      ),
    ],
  },
  D28: {
    reason: 'No id can be made up for a terminal. The schema drops list items that do not fit it.',
    untouched: [toolContent({ type: 'terminal' })],
  },
  D29: {
    profile: 'go-reference',
    cases: [
      update(
        { sessionUpdate: 'tool_call_update', toolCallId: 'c', status: 'cancelled' },
        { sessionUpdate: 'tool_call_update', toolCallId: 'c', status: 'failed', _meta: aside({ status: 'cancelled' }) },
      ),
    ],
  },
  D30: {
    profile: 'lenient',
    cases: [
      toolContent({ type: 'text', text: 'x' }, { type: 'content', content: { type: 'text', text: 'x' } }),
      toolContent(
        { type: 'resourceLink', uri: 'file:///x', name: 'x' },
        { type: 'content', content: { type: 'resource_link', uri: 'file:///x', name: 'x' } },
      ),
      toolContent({ type: '_vendor', text: 'x' }, { type: '_vendor', text: 'x' }),
    ],
  },
  D31: {
    profile: 'lenient',
    cases: [
      update(
        { sessionUpdate: 'tool_call_update', toolCallId: 'c', location: { path: '/p', line: 1 } },
        { sessionUpdate: 'tool_call_update', toolCallId: 'c', locations: [{ path: '/p', line: 1 }] },
      ),
      update(
        { sessionUpdate: 'tool_call_update', toolCallId: 'c', location: { path: '/p' }, locations: [] },
        { sessionUpdate: 'tool_call_update', toolCallId: 'c', location: { path: '/p' }, locations: [] },
      ),
    ],
  },
  D32: {
    profile: 'pharo',
    cases: [
      toolContent(
        { type: 'diff', path: '/p', oldText: '', newText: 'b', mimeType: 'text/plain' },
        { type: 'diff', path: '/p', oldText: '', newText: 'b', _meta: aside({ mimeType: 'text/plain' }) },
      ),
    ],
  },
  D33: {
    profile: 'pharo',
    cases: [
      toolContent(
        { type: 'terminal', terminalId: 't', command: 'ls', exitCode: null },
        { type: 'terminal', terminalId: 't', _meta: aside({ command: 'ls', exitCode: null }) },
      ),
    ],
  },
  D34: {
    profile: 'go-reference',
    cases: [
      update(
        { plan: { description: 'Why', steps: ['a'] } },
        {
          sessionUpdate: 'plan',
          entries: [{ content: 'a', priority: 'medium', status: 'pending' }],
          _meta: aside({ description: 'Why' }),
        },
      ),
      update({ plan: { steps: null } }, { sessionUpdate: 'plan', entries: [] }),
      update({ sessionUpdate: 'plan', plan: { steps: [] } }, { sessionUpdate: 'plan', entries: [] }),
      { ...update({ plan: { steps: [1] } }, { plan: { steps: [1] } }), refused: true },
      update(
        { sessionUpdate: 'plan_update', plan: { type: 'items', planId: 'p', entries: [] } },
        { sessionUpdate: 'plan_update', plan: { type: 'items', planId: 'p', entries: [] } },
      ),
      update({ sessionUpdate: 'plan', entries: [], plan: { steps: ['a'] } }),
      { ...update({ plan: { type: 'items', steps: ['a'] } }), refused: true },
    ],
  },
  D35: {
    profile: 'lenient',
    cases: [
      update(
        { sessionUpdate: 'current_mode_update', modeId: 'ask' },
        { sessionUpdate: 'current_mode_update', currentModeId: 'ask' },
      ),
    ],
  },
  D36: {
    profile: 'pharo',
    cases: [
      params('session/request_permission', {
        value: { sessionId: 's', title: 'Delete?', options: [{ optionId: 'y', kind: 'allow_once', label: 'Yes' }] },
        becomes: {
          sessionId: 's',
          toolCall: { toolCallId: 'turnwire-permission-1', title: 'Delete?' },
          options: [{ optionId: 'y', kind: 'allow_once', name: 'Yes' }],
        },
      }),
      params('session/request_permission', {
        value: { sessionId: 's', options: [] },
        becomes: { sessionId: 's', options: [] },
        refused: true,
      }),
      params('session/request_permission', {
        value: { sessionId: 's', toolCall: { toolCallId: 'c' }, title: 'Delete?', options: [] },
      }),
    ],
  },
  D37: {
    profile: 'lenient',
    cases: [
      answer({ selectedOptionId: 'yes' }, 'yes'),
      answer({ selectedOptionId: 'never offered' }),
      answer({ selectedOptionId: null }),
      answer({}),
      answer(null),
      answer('yes'),
    ],
  },
  D38: {
    profile: 'lenient',
    cases: [
      answer({ outcome: 'selected', optionId: 'always' }, 'always'),
      answer({ outcome: 'selected' }),
      answer({ outcome: 'cancelled', optionId: 'yes' }),
      answer({ outcome: 'reject_once' }, 'no'),
      answer({ outcome: 'yes' }, 'yes'),
      answer({ outcome: 'no' }, 'no'),
      answer({ outcome: 'allow_always' }),
      answer({ outcome: 'allow' }),
      answer({ outcome: { outcome: 'selected' } }),
      answer({ outcome: { outcome: 'granted', optionId: 'yes' } }),
    ],
  },
};
