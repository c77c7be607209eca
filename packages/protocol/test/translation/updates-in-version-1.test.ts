import type { SessionUpdate } from '@turnwire/protocol/v2';
import { expect, test } from 'vitest';
import { updatesInVersion1, unreported } from '../../src/translation/updates-in-version-1.ts';

const text = (value: string): object => ({ type: 'text', text: value });
const bytes = (value: string | Uint8Array): string => Buffer.from(value).toString('base64');
const item = (value: string): object => ({ type: 'content', content: text(value) });
const euro = new TextEncoder().encode('€');
const patch = `diff --git /w/a.txt /w/a.txt
--- /w/a.txt
+++ /w/a.txt
@@ -1,2 +1,2 @@
 one
-two
+three
`;

/** Updates of version 2, and those of version 1 that they become. */
const rows: Readonly<Record<string, readonly [before: readonly object[], after: readonly object[]]>> = {
  'chunks of messages stay as they are': [
    [
      { sessionUpdate: 'agent_message_chunk', messageId: 'm', content: text('a') },
      { sessionUpdate: 'agent_thought_chunk', messageId: 'm', content: text('b') },
      { sessionUpdate: 'user_message_chunk', messageId: 'm', content: text('c') },
    ],
    [
      { sessionUpdate: 'agent_message_chunk', messageId: 'm', content: text('a') },
      { sessionUpdate: 'agent_thought_chunk', messageId: 'm', content: text('b') },
      { sessionUpdate: 'user_message_chunk', messageId: 'm', content: text('c') },
    ],
  ],
  'a whole message becomes chunks of what is new': [
    [
      { sessionUpdate: 'agent_message', messageId: 'm', content: [] },
      { sessionUpdate: 'agent_message_chunk', messageId: 'm', content: text('Hel') },
      {
        sessionUpdate: 'agent_message',
        messageId: 'm',
        content: [text('Hello'), { type: 'image', data: '', mimeType: 'x/y' }],
      },
      { sessionUpdate: 'agent_message', messageId: 'm' },
    ],
    [
      { sessionUpdate: 'agent_message_chunk', messageId: 'm', content: text('Hel') },
      { sessionUpdate: 'agent_message_chunk', messageId: 'm', content: text('lo') },
      { sessionUpdate: 'agent_message_chunk', messageId: 'm', content: { type: 'image', data: '', mimeType: 'x/y' } },
    ],
  ],
  'a whole message with other content stays unknown': [
    [
      { sessionUpdate: 'agent_thought', messageId: 'm', content: [text('one')] },
      { sessionUpdate: 'agent_thought', messageId: 'm', content: [text('two')] },
    ],
    [
      { sessionUpdate: 'agent_thought_chunk', messageId: 'm', content: text('one') },
      { sessionUpdate: 'agent_thought', messageId: 'm', content: [text('two')] },
    ],
  ],
  'the first report of a tool call begins it, and null clears a field': [
    [
      { sessionUpdate: 'tool_call_update', toolCallId: 't', name: 'read', status: 'paused' },
      { sessionUpdate: 'tool_call_update', toolCallId: 't', kind: null, status: null, content: null, locations: null },
      { sessionUpdate: 'tool_call_update', toolCallId: 't', status: 'cancelled' },
    ],
    [
      { sessionUpdate: 'tool_call', toolCallId: 't', title: 'read', name: 'read', status: 'paused' },
      {
        sessionUpdate: 'tool_call_update',
        toolCallId: 't',
        kind: 'other',
        status: 'pending',
        content: [],
        locations: [],
      },
      { sessionUpdate: 'tool_call_update', toolCallId: 't', status: 'cancelled' },
    ],
  ],
  'a chunk of content becomes the whole content': [
    [
      { sessionUpdate: 'tool_call_content_chunk', toolCallId: 't', content: item('a') },
      { sessionUpdate: 'tool_call_content_chunk', toolCallId: 't', content: item('b') },
    ],
    [
      { sessionUpdate: 'tool_call', toolCallId: 't', title: 'Tool', content: [item('a')] },
      { sessionUpdate: 'tool_call_update', toolCallId: 't', content: [item('a'), item('b')] },
    ],
  ],
  'a diff becomes its changed parts, and a sentence for each other change': [
    [
      {
        sessionUpdate: 'tool_call_update',
        toolCallId: 't',
        title: 'Edit',
        content: [
          {
            type: 'diff',
            changes: [
              { operation: 'modify', path: '/w/a.txt' },
              { operation: 'move', oldPath: '/w/b', path: '/w/c' },
              { operation: 'delete', path: '/w/d' },
            ],
            patch: { format: 'git_patch', text: patch },
          },
        ],
      },
    ],
    [
      {
        sessionUpdate: 'tool_call',
        toolCallId: 't',
        title: 'Edit',
        content: [
          { type: 'diff', path: '/w/a.txt', oldText: 'one\ntwo\n', newText: 'one\nthree\n' },
          { ...item('Moved /w/b to /w/c'), _meta: { turnwire: { isChange: true } } },
          { ...item('Deleted /w/d'), _meta: { turnwire: { isChange: true } } },
        ],
        locations: [{ path: '/w/a.txt' }, { path: '/w/b' }, { path: '/w/c' }, { path: '/w/d' }],
      },
    ],
  ],
  'the output of a terminal is reported by its call, with characters that are divided between chunks': [
    [
      { sessionUpdate: 'terminal_update', terminalId: 'p', command: 'ls', cwd: '/w' },
      { sessionUpdate: 'terminal_output_chunk', terminalId: 'p', data: bytes('a') },
      {
        sessionUpdate: 'tool_call_update',
        toolCallId: 't',
        title: 'Run',
        content: [{ type: 'terminal', terminalId: 'p' }],
      },
      { sessionUpdate: 'terminal_output_chunk', terminalId: 'p', data: bytes(euro.slice(0, 1)) },
      { sessionUpdate: 'terminal_output_chunk', terminalId: 'p', data: bytes(euro.slice(1)) },
      {
        sessionUpdate: 'terminal_update',
        terminalId: 'p',
        output: { data: bytes('a€b') },
        exitStatus: { exitCode: 1 },
      },
    ],
    [
      { sessionUpdate: 'terminal_update', terminalId: 'p', command: 'ls', cwd: '/w' },
      { sessionUpdate: 'tool_call', toolCallId: 't', title: 'Run', content: [] },
      {
        sessionUpdate: 'tool_call_update',
        toolCallId: 't',
        rawInput: { command: 'ls', cwd: '/w' },
        _meta: { terminal_info: { terminal_id: 'p', cwd: '/w' }, terminal_output: { terminal_id: 'p', data: 'a' } },
      },
      {
        sessionUpdate: 'tool_call_update',
        toolCallId: 't',
        _meta: { terminal_output: { terminal_id: 'p', data: '€' } },
      },
      {
        sessionUpdate: 'tool_call_update',
        toolCallId: 't',
        _meta: {
          terminal_output: { terminal_id: 'p', data: 'b' },
          terminal_exit: { terminal_id: 'p', exit_code: 1, signal: null },
        },
      },
      { sessionUpdate: 'terminal_update', terminalId: 'p', exitStatus: { exitCode: 1 } },
    ],
  ],
  'a terminal without a call has its facts, and bytes that are not base64 stay unknown': [
    [
      { sessionUpdate: 'terminal_update', terminalId: 'p', exitStatus: { signal: 'SIGTERM' }, output: { data: '' } },
      { sessionUpdate: 'terminal_output_chunk', terminalId: 'p', data: '*' },
    ],
    [
      { sessionUpdate: 'terminal_update', terminalId: 'p', exitStatus: { signal: 'SIGTERM' } },
      { sessionUpdate: 'terminal_output_chunk', terminalId: 'p', data: '*' },
    ],
  ],
  'a new output of a terminal replaces the earlier one': [
    [
      {
        sessionUpdate: 'tool_call_update',
        toolCallId: 't',
        title: 'Run',
        content: [{ type: 'terminal', terminalId: 'p' }],
      },
      { sessionUpdate: 'terminal_output_chunk', terminalId: 'p', data: bytes('one') },
      { sessionUpdate: 'terminal_update', terminalId: 'p', output: { data: bytes('two') } },
    ],
    [
      { sessionUpdate: 'tool_call', toolCallId: 't', title: 'Run', content: [] },
      {
        sessionUpdate: 'tool_call_update',
        toolCallId: 't',
        _meta: { terminal_output: { terminal_id: 'p', data: 'one' } },
      },
      {
        sessionUpdate: 'tool_call_update',
        toolCallId: 't',
        _meta: { terminal_output: { terminal_id: 'p', data: 'two', is_whole: true } },
      },
    ],
  ],
  'plans keep their ids': [
    [
      {
        sessionUpdate: 'plan_update',
        plan: { type: 'items', planId: 'one', entries: [{ content: 'A', priority: 'high', status: 'cancelled' }] },
      },
      { sessionUpdate: 'plan_removed', planId: 'two' },
      { sessionUpdate: 'plan_update', plan: { type: 'markdown', planId: 'one', content: '# A' } },
    ],
    [
      {
        sessionUpdate: 'plan_update',
        plan: {
          type: 'items',
          planId: 'one',
          entries: [{ content: 'A (cancelled)', priority: 'high', status: 'completed' }],
        },
      },
      { sessionUpdate: 'plan_removed', planId: 'two' },
      { sessionUpdate: 'plan_update', plan: { type: 'markdown', planId: 'one', content: '# A' } },
    ],
  ],
  'options and commands have the names of version 1': [
    [
      {
        sessionUpdate: 'config_option_update',
        configOptions: [
          {
            configId: 'm',
            name: 'M',
            type: 'select',
            currentValue: 'a',
            options: [{ groupId: 'g', name: 'G', options: [] }],
          },
          { configId: 'b', name: 'B', type: 'boolean', currentValue: true },
        ],
      },
      {
        sessionUpdate: 'available_commands_update',
        availableCommands: [{ type: 'command', name: 'a', description: 'A' }],
      },
    ],
    [
      {
        sessionUpdate: 'config_option_update',
        configOptions: [
          { id: 'm', name: 'M', type: 'select', currentValue: 'a', options: [{ group: 'g', name: 'G', options: [] }] },
          { id: 'b', name: 'B', type: 'boolean', currentValue: true },
        ],
      },
      { sessionUpdate: 'available_commands_update', availableCommands: [{ name: 'a', description: 'A' }] },
    ],
  ],
  'a compaction keeps its status': [
    [
      { sessionUpdate: 'compaction_update', compactionId: 'c', status: 'completed' },
      { sessionUpdate: 'compaction_update', compactionId: 'c', summary: [text('short')] },
    ],
    [
      { sessionUpdate: 'compaction_update', compactionId: 'c', status: 'completed' },
      { sessionUpdate: 'compaction_update', compactionId: 'c', status: 'completed', summary: [text('short')] },
    ],
  ],
  'a state names the call of a terminal in the background, and the end of a replay has no update': [
    [
      {
        sessionUpdate: 'tool_call_update',
        toolCallId: 't',
        title: 'Run',
        content: [{ type: 'terminal', terminalId: 'p' }],
      },
      { sessionUpdate: 'state_update', state: 'idle', background: [{ type: 'terminal', terminalId: 'p' }] },
      { sessionUpdate: 'replay_complete' },
    ],
    [
      { sessionUpdate: 'tool_call', toolCallId: 't', title: 'Run', content: [] },
      {
        sessionUpdate: 'state_update',
        state: 'idle',
        background: [{ type: 'terminal', terminalId: 'p', toolCallId: 't' }],
      },
    ],
  ],
  'other updates stay as they are': [
    [
      { sessionUpdate: 'usage_update', used: 1, size: 2 },
      { sessionUpdate: 'notice', severity: 'info', title: 'N' },
      { sessionUpdate: 'session_info_update', title: null },
      { sessionUpdate: 'subagent_update', sessionId: 'child' },
      { sessionUpdate: '_own', any: 1 },
    ],
    [
      { sessionUpdate: 'usage_update', used: 1, size: 2 },
      { sessionUpdate: 'notice', severity: 'info', title: 'N' },
      { sessionUpdate: 'session_info_update', title: null },
      { sessionUpdate: 'subagent_update', sessionId: 'child' },
      { sessionUpdate: '_own', any: 1 },
    ],
  ],
};

test.each(Object.entries(rows))('%s', (_, [before, after]) => {
  const session = unreported();
  expect(before.flatMap((update) => updatesInVersion1(session, update as SessionUpdate))).toEqual(after);
});
