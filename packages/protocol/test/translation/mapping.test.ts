import { expect, test } from 'vitest';
import type { ClientCapabilities, SessionUpdate as V1Update } from '../../src/index.ts';
import {
  lossOf,
  MessageIds,
  permissionRequestInVersion2,
  plainUpdate,
  questionInVersion1,
  unreported,
  updatesInVersion1,
  updatesInVersion2,
  withTitleInContent,
} from '../../src/translation/index.ts';
import type { SessionUpdate } from '../../src/v2/index.ts';

/* The messages of one version in the other, row by row. */

type Update = { readonly sessionUpdate: string } & Readonly<Record<string, unknown>>;

const text = (value: string): object => ({ type: 'text', text: value });
const item = (value: string): object => ({ type: 'content', content: text(value) });
const base64 = (value: string): string => Buffer.from(value).toString('base64');
const entry = (status: string, content = 'Look'): object => ({ content, priority: 'high', status });
const call = (fields: object): Update => ({ sessionUpdate: 'tool_call_update', toolCallId: 't', ...fields });
const first = (fields: object): Update => ({ ...call(fields), sessionUpdate: 'tool_call' });
const patch = 'diff --git /a /a\n--- /a\n+++ /a\n@@ -1,1 +1,1 @@\n-one\n+two\n';

test.each<readonly [string, readonly Update[], readonly Update[]]>([
  [
    'messages get an id for each run of chunks, until a tool call',
    [
      { sessionUpdate: 'agent_message_chunk', content: text('a') },
      { sessionUpdate: 'agent_message_chunk', content: text('b') },
      first({ title: 'Read' }),
      { sessionUpdate: 'agent_message_chunk', content: text('c') },
      { sessionUpdate: 'agent_message_chunk', content: text('d'), messageId: 'own' },
    ],
    [
      { sessionUpdate: 'agent_message_chunk', content: text('a'), messageId: 'new-1' },
      { sessionUpdate: 'agent_message_chunk', content: text('b'), messageId: 'new-1' },
      call({ title: 'Read' }),
      { sessionUpdate: 'agent_message_chunk', content: text('c'), messageId: 'new-2' },
      { sessionUpdate: 'agent_message_chunk', content: text('d'), messageId: 'own' },
    ],
  ],
  [
    'null leaves a field of a tool call unchanged',
    [call({ title: null, status: 'completed' })],
    [call({ status: 'completed' })],
  ],
  [
    'a diff is a change with a patch',
    [call({ content: [{ type: 'diff', path: '/a', oldText: 'one\n', newText: 'two\n' }] })],
    [
      call({
        content: [
          {
            ...{ type: 'diff', changes: [{ operation: 'modify', path: '/a', fileType: 'text' }] },
            patch: { format: 'git_patch', text: patch },
          },
        ],
      }),
    ],
  ],
  [
    'output in the fields for clients that show terminals is a terminal of the agent',
    [
      call({ _meta: { terminal_info: { terminal_id: 'x', cwd: '/w' } } }),
      call({ _meta: { terminal_output: { terminal_id: 'x', data: 'é' } } }),
      call({ status: 'completed', _meta: { terminal_exit: { terminal_id: 'x', exit_code: 1, signal: null } } }),
    ],
    [
      { sessionUpdate: 'terminal_update', terminalId: 'x', cwd: '/w' },
      { sessionUpdate: 'terminal_output_chunk', terminalId: 'x', data: base64('é') },
      {
        ...{ sessionUpdate: 'terminal_update', terminalId: 'x', capabilities: null },
        exitStatus: { exitCode: 1, signal: null },
      },
      call({ status: 'completed' }),
    ],
  ],
  [
    'a plan has a fixed id',
    [{ sessionUpdate: 'plan', entries: [entry('pending')] }],
    [{ sessionUpdate: 'plan_update', plan: { type: 'items', planId: 'plan', entries: [entry('pending')] } }],
  ],
  ['the option for modes has the current mode', [{ sessionUpdate: 'current_mode_update', currentModeId: 'ask' }], []],
  [
    'options and commands have ids and types',
    [
      {
        sessionUpdate: 'config_option_update',
        configOptions: [{ id: 'o', name: 'O', type: 'boolean', currentValue: true }],
      },
      {
        sessionUpdate: 'available_commands_update',
        availableCommands: [{ name: 'n', description: 'D', input: { hint: 'h' } }],
      },
    ],
    [
      {
        sessionUpdate: 'config_option_update',
        configOptions: [{ configId: 'o', name: 'O', type: 'boolean', currentValue: true }],
      },
      {
        sessionUpdate: 'available_commands_update',
        availableCommands: [{ type: 'command', name: 'n', description: 'D', input: { type: 'text', hint: 'h' } }],
      },
    ],
  ],
  [
    'updates that both versions have stay as they are',
    ['usage_update', 'session_info_update', 'subagent_update', 'notice', 'compaction_update', '_own'].map(
      (sessionUpdate) => ({ sessionUpdate, any: 1 }),
    ),
    ['usage_update', 'session_info_update', 'subagent_update', 'notice', 'compaction_update', '_own'].map(
      (sessionUpdate) => ({ sessionUpdate, any: 1 }),
    ),
  ],
])('from version 1 to version 2: %s', (_, before, after) => {
  let made = 0;
  const messages = new MessageIds();
  const updates = before.flatMap((update) => updatesInVersion2(messages, update as V1Update, () => `new-${++made}`));
  expect(updates).toEqual(after);
});

/** What a client receives of updates, and what it loses. */
function received(said: readonly Update[], capabilities: ClientCapabilities): readonly unknown[] {
  const session = unreported();
  return said.flatMap((update) => {
    const updates = updatesInVersion1(session, update as SessionUpdate);
    const shown = updates.length > 0 ? updates : [{ sessionUpdate: 'session_info_update' } as V1Update];
    return shown.map((each, index) => {
      const plain = plainUpdate(each, capabilities);
      const whole = (each as object) === update ? undefined : index === 0 ? (update as SessionUpdate) : null;
      const lost = lossOf(each, plain, whole);
      return lost === undefined ? plain : { lost, plain };
    });
  });
}

const nothing = { sessionUpdate: 'session_info_update' };

test.for<readonly [string, readonly Update[], readonly unknown[], ClientCapabilities?]>([
  [
    'the first report of a tool call begins it, with a title, and null sends the empty value',
    [call({ name: 'read', kind: 'read' }), call({ kind: null, status: null, content: null, locations: null })],
    [
      first({ title: 'read', name: 'read', kind: 'read' }),
      call({ kind: 'other', status: 'pending', content: [], locations: [] }),
    ],
  ],
  [
    'a cancelled call failed, which is a loss, and a paused one is in progress',
    [call({ title: 'Run', status: 'paused' }), call({ status: 'cancelled' })],
    [first({ title: 'Run', status: 'in_progress' }), { lost: 'cancelled', plain: call({ status: 'failed' }) }],
  ],
  [
    'chunks of content are the whole content',
    [
      { sessionUpdate: 'tool_call_content_chunk', toolCallId: 't', content: item('a') },
      { sessionUpdate: 'tool_call_content_chunk', toolCallId: 't', content: item('b') },
    ],
    [first({ title: 'Tool', content: [item('a')] }), call({ content: [item('a'), item('b')] })],
  ],
  [
    'content of an unknown type is lost',
    [
      call({ title: 'Look', content: [item('a'), { type: 'session', sessionId: 'x' }] }),
      { sessionUpdate: 'agent_message_chunk', messageId: 'm', content: { type: 'video' } },
    ],
    [
      { lost: 'content', plain: first({ title: 'Look', content: [item('a')] }) },
      { lost: 'content', plain: undefined },
    ],
  ],
  [
    'a patch is the texts of the changed parts, and other changes are sentences',
    [
      call({
        title: 'Edit',
        content: [
          {
            ...{ type: 'diff', patch: { format: 'git_patch', text: patch } },
            changes: [
              { operation: 'modify', path: '/a' },
              { operation: 'delete', path: '/b' },
            ],
          },
        ],
      }),
    ],
    [
      first({
        title: 'Edit',
        content: [
          { type: 'diff', path: '/a', oldText: 'one\n', newText: 'two\n' },
          { ...item('Deleted /b'), _meta: { turnwire: { isChange: true } } },
        ],
        locations: [{ path: '/a' }, { path: '/b' }],
      }),
    ],
  ],
  [
    'a terminal of a tool call is in the fields for clients that show terminals',
    [
      call({ title: 'Run', content: [{ type: 'terminal', terminalId: 'x' }] }),
      { sessionUpdate: 'terminal_output_chunk', terminalId: 'x', data: base64('done') },
      { sessionUpdate: 'terminal_update', terminalId: 'x', exitStatus: { exitCode: 0 } },
    ],
    [
      first({ title: 'Run', content: [] }),
      call({ _meta: { terminal_output: { terminal_id: 'x', data: 'done' } } }),
      call({ _meta: { terminal_exit: { terminal_id: 'x', exit_code: 0, signal: null } } }),
      undefined,
    ],
  ],
  [
    'a terminal without a tool call is lost when its command ends',
    [
      { sessionUpdate: 'terminal_update', terminalId: 'x', command: 'ls' },
      { sessionUpdate: 'terminal_output_chunk', terminalId: 'x', data: base64('a') },
      {
        sessionUpdate: 'terminal_update',
        terminalId: 'x',
        exitStatus: { exitCode: 0 },
        output: { data: base64('ab') },
      },
    ],
    [undefined, nothing, { lost: 'terminal', plain: undefined }],
  ],
  [
    'a plan is the only plan, a cancelled entry is a completed one with a note, and a removed plan is empty',
    [
      { sessionUpdate: 'plan_update', plan: { type: 'items', planId: 'p', entries: [entry('cancelled')] } },
      { sessionUpdate: 'plan_removed', planId: 'p' },
    ],
    [
      { sessionUpdate: 'plan', entries: [entry('completed', 'Look (cancelled)')] },
      { sessionUpdate: 'plan', entries: [] },
    ],
  ],
  [
    'a plan in another form is lost',
    [{ sessionUpdate: 'plan_update', plan: { type: 'markdown', planId: 'p', content: '# A' } }],
    [{ lost: 'plan', plain: undefined }],
  ],
  [
    'a whole message is chunks of what is new, and a changed one is lost',
    [
      { sessionUpdate: 'agent_message', messageId: 'm', content: [text('one')] },
      { sessionUpdate: 'agent_message', messageId: 'm', content: [text('one two')] },
      { sessionUpdate: 'agent_message', messageId: 'm', content: [text('three')] },
    ],
    [
      { sessionUpdate: 'agent_message_chunk', messageId: 'm', content: text('one') },
      { sessionUpdate: 'agent_message_chunk', messageId: 'm', content: text(' two') },
      { lost: 'message', plain: undefined },
    ],
  ],
  [
    'the option for modes is the current mode too, and a setting of an unknown type is lost',
    [
      {
        sessionUpdate: 'config_option_update',
        configOptions: [
          {
            ...{ configId: 'm', name: 'M', category: 'mode', type: 'select', currentValue: 'ask' },
            options: [{ value: 'ask', name: 'Ask' }],
          },
          { configId: 'd', name: 'D', type: 'dial' },
        ],
      },
    ],
    [
      {
        lost: 'option',
        plain: {
          sessionUpdate: 'config_option_update',
          configOptions: [
            {
              ...{ id: 'm', name: 'M', category: 'mode', type: 'select', currentValue: 'ask' },
              options: [{ value: 'ask', name: 'Ask' }],
            },
          ],
        },
      },
      { sessionUpdate: 'current_mode_update', currentModeId: 'ask' },
    ],
  ],
  [
    'states and the end of a replay are not updates, and their facts are in the answers',
    [{ sessionUpdate: 'state_update', state: 'running' }, { sessionUpdate: 'replay_complete' }],
    [undefined, nothing],
  ],
  [
    'notices, compactions and child sessions are lost',
    [
      { sessionUpdate: 'notice', severity: 'info', title: 'N' },
      { sessionUpdate: 'compaction_update', compactionId: 'c', status: 'completed' },
      { sessionUpdate: 'subagent_update', sessionId: 'child' },
    ],
    [
      { lost: 'notice', plain: undefined },
      { lost: 'compaction', plain: undefined },
      { lost: 'child', plain: undefined },
    ],
  ],
  [
    'notices, compactions, plans and child sessions reach clients that announce them',
    [
      { sessionUpdate: 'notice', severity: 'info', title: 'N' },
      { sessionUpdate: 'compaction_update', compactionId: 'c', status: 'completed' },
      { sessionUpdate: 'subagent_update', sessionId: 'child' },
      { sessionUpdate: 'plan_removed', planId: 'p' },
    ],
    [
      { sessionUpdate: 'notice', severity: 'info', title: 'N' },
      { sessionUpdate: 'compaction_update', compactionId: 'c', status: 'completed' },
      { sessionUpdate: 'subagent_update', sessionId: 'child' },
      { sessionUpdate: 'plan_removed', planId: 'p' },
    ],
    { session: { notices: {}, compaction: {} }, plan: {}, subagents: {} } as ClientCapabilities,
  ],
  [
    'updates that both versions have stay as they are',
    ['usage_update', 'session_info_update', '_own'].map((sessionUpdate) => ({ sessionUpdate, any: 1 })),
    ['usage_update', 'session_info_update', '_own'].map((sessionUpdate) => ({ sessionUpdate, any: 1 })),
  ],
])('from version 2 to version 1: %s', ([, said, expected, capabilities = {}]) => {
  expect(received(said, capabilities)).toEqual(expected);
});

const options = [{ optionId: 'y', name: 'Yes', kind: 'allow_once' }] as const;

test('from version 1 to version 2: a permission request has a title, and the tool call as its subject', () => {
  const asked = permissionRequestInVersion2({ sessionId: 's', toolCall: { toolCallId: 't', title: 'Run' }, options });
  expect(asked).toEqual({
    ...{ sessionId: 's', options, title: 'Allow “Run”?' },
    subject: { type: 'tool_call', toolCall: { toolCallId: 't', title: 'Run' } },
  });
});

test.each([
  [
    { type: 'tool_call', toolCall: { toolCallId: 't', title: 'Run' } },
    { toolCallId: 't', title: 'Run' },
  ],
  [
    { type: 'command', command: 'ls', cwd: '/w' },
    { toolCallId: 'q', title: 'Sure?', kind: 'execute', rawInput: { command: 'ls', cwd: '/w' } },
  ],
  [null, { toolCallId: 'q', title: 'Sure?' }],
])('from version 2 to version 1: a question about %j has a tool call', (subject, toolCall) => {
  const asked = { sessionId: 's', title: 'Sure?', options, subject } as never;
  expect(questionInVersion1(unreported(), asked, 'q').request).toEqual({ sessionId: 's', options, toolCall });
});

test('from version 2 to version 1: the title of a question is part of the content, unless the tool call has it', () => {
  const request = { sessionId: 's', options, toolCall: { toolCallId: 't', title: 'Run' } };
  expect([withTitleInContent(request, 'Sure?'), withTitleInContent(request, 'Run')]).toEqual([
    { ...request, toolCall: { ...request.toolCall, content: [item('Sure?')] } },
    request,
  ]);
});
