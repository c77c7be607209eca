import { v2Checks, v2Shapes } from '@turnwire/protocol/v2';
import { v2UnstableChecks } from '@turnwire/protocol/v2/unstable';
import { expect, test } from 'vitest';
import { repairAs } from '../../src/validation/repair.ts';
import { describe as describeProblems } from '../../src/validation/problem.ts';

/** What becomes of a value: itself if it fits, the repaired one, or why it is refused. */
function received(name: keyof typeof v2Checks, value: unknown): unknown {
  if (v2Checks[name](value)) return 'fits';
  const repaired = repairAs(name, structuredClone(value), v2Shapes);
  return repaired.ok ? repaired.value : describeProblems(repaired.problems);
}

test('a bad value of a field with a default is read as absent, and bad items of a list are dropped', () => {
  const text = { type: 'text', text: 'a' };
  expect([
    received('ToolCallUpdate', {
      toolCallId: 't',
      title: 5,
      status: {},
      content: [{ type: 'content', content: text }, 7],
    }),
    received('ToolCallUpdate', { toolCallId: 't', content: 'x', capabilities: true }),
    received('NewSessionRequest', { cwd: '/', mcpServers: null, additionalDirectories: null }),
    received('NewSessionRequest', { cwd: '/', mcpServers: 'x' }),
    received('ListSessionsResponse', { sessions: 'none' }),
    received('Diff', { changes: [{ operation: 'add' }, { operation: 'delete', path: '/a' }] }),
  ]).toEqual([
    { toolCallId: 't', content: [{ type: 'content', content: text }] },
    { toolCallId: 't' },
    { cwd: '/' },
    'mcpServers: expected a list, received a string',
    { sessions: [] },
    { changes: [{ operation: 'delete', path: '/a' }] },
  ]);
});

test('a tool call patch is valid with fields that are absent, null or set', () => {
  const patches = [
    { toolCallId: 't' },
    { toolCallId: 't', title: null, kind: null, status: null, content: null, locations: null, capabilities: null },
    { toolCallId: 't', title: 'T', kind: 'read', status: 'paused', content: [], capabilities: { cancel: {} } },
  ];
  expect(patches.map((patch) => received('ToolCallUpdate', patch))).toEqual(['fits', 'fits', 'fits']);
});

/** A member of each open union that this version does not know, and one that it knows, with a wrong body. */
const openUnions: readonly (readonly [keyof typeof v2Checks, unknown, unknown])[] = [
  ['AuthMethod', { type: 'x', methodId: 'm', name: 'n' }, { type: 'agent', methodId: 5, name: 'n' }],
  ['AvailableCommand', { type: 'x', name: 'n', description: 'd' }, { type: 'command', name: 'n' }],
  ['AvailableCommandInput', { type: 'x' }, { type: 'text' }],
  ['BackgroundWork', { type: 'x' }, { type: 'terminal' }],
  ['ContentBlock', { type: 'x' }, { type: 'text' }],
  [
    'CreateElicitationRequest',
    { mode: 'x', message: 'm', sessionId: 's' },
    { mode: 'url', message: 'm', sessionId: 's' },
  ],
  ['CreateElicitationResponse', { action: 'x' }, { action: 'accept', content: 5 }],
  ['DiffChange', { operation: 'x' }, { operation: 'move', path: '/a' }],
  ['ElicitationPropertySchema', { type: 'x' }, { type: 'array' }],
  ['IdleStateUpdate', { stopReason: 'x' }, { stopReason: 'error', background: [{ type: 'terminal' }] }],
  ['McpServer', { type: 'x' }, { type: 'http', name: 'n', url: 'no URI' }],
  ['MultiSelectItems', { type: 'x' }, { type: 'string', enum: [] }],
  ['PlanUpdateContent', { type: 'x', planId: 'p' }, { type: 'items', planId: 'p' }],
  ['ReplayFrom', { type: 'x' }, { type: 'start', _meta: 5 }],
  ['RequestPermissionOutcome', { outcome: 'x' }, { outcome: 'selected' }],
  ['RequestPermissionSubject', { type: 'x' }, { type: 'command', command: 'ls', cwd: 'relative' }],
  ['SessionConfigOption', { type: 'x', configId: 'c', name: 'n' }, { type: 'boolean', configId: 'c', name: 'n' }],
  ['SessionUpdate', { sessionUpdate: 'x' }, { sessionUpdate: 'agent_message_chunk', messageId: 'm' }],
  [
    'SetSessionConfigOptionRequest',
    { sessionId: 's', configId: 'c', type: 'x', value: null },
    { sessionId: 's', configId: 'c', type: 'boolean', value: 'yes' },
  ],
  ['StateUpdate', { state: 'x' }, { state: 'running', background: 5 }],
  ['ToolCallContent', { type: 'x' }, { type: 'diff' }],
];

test.each(openUnions)(
  'the union %s keeps an unknown member, and a known member with a wrong body does not fit',
  (name, unknown, wrong) => {
    const extra = { ...(unknown as object), more: [1, null] };
    const repaired = repairAs(name, structuredClone(extra), v2Shapes);
    expect({ fits: v2Checks[name](extra), repaired, wrong: v2Checks[name](wrong) }).toEqual({
      fits: true,
      repaired: { ok: true, value: extra, problems: [] },
      wrong: false,
    });
  },
);

test('an unknown member of a union is refused if it lacks a field that all members have', () => {
  expect([
    received('AuthMethod', { type: 'x' }),
    received('PlanUpdateContent', { type: 'x' }),
    received('SetSessionConfigOptionRequest', { sessionId: 's', configId: 'c', type: 'x' }),
    received('ContentBlock', {}),
  ]).toEqual([
    'methodId: expected a string, received nothing; name: expected a string, received nothing',
    'planId: expected a string, received nothing',
    'value: expected a value, received nothing',
    'type: expected a string, received nothing',
  ]);
});

test('forbidden empty lists, numbers out of range and bad URIs are refused, or removed if they are optional', () => {
  const link = (uri: unknown): object => ({ type: 'resource_link', name: 'n', uri });
  expect([
    received('PromptRequest', { sessionId: 's', prompt: [] }),
    received('ToolCallLocation', { path: '/a', line: 0 }),
    received('TerminalUpdate', { terminalId: 't', size: { cols: 0, rows: 70_000 } }),
    received('InitializeRequest', { protocolVersion: 70_000, info: { name: 'n', version: '1' } }),
    received('Annotations', { priority: 1.5, audience: ['user'] }),
    received('Annotations', { priority: 0 }),
    received('ContentBlock', link('file:///a b')),
    received('ContentBlock', link('src/a.ts')),
    received('ContentBlock', { type: 'image', data: 'AA==', mimeType: 'image/png', uri: 'none' }),
    received('Notice', { severity: 'x', title: '' }),
  ]).toEqual([
    'prompt: expected a list that is not empty, received an empty list',
    { path: '/a' },
    { terminalId: 't' },
    'protocolVersion: expected an integer from 0 to 65535, received a number out of range',
    { audience: ['user'] },
    'fits',
    'fits',
    'uri: expected a URI, received text without a scheme',
    { type: 'image', data: 'AA==', mimeType: 'image/png' },
    'title: expected some text, received an empty string',
  ]);
});

test('a stop reason that is null or not text is read as absent', () => {
  expect([
    received('StateUpdate', { state: 'idle', stopReason: null }),
    received('StateUpdate', { state: 'idle', stopReason: 5 }),
    received('StateUpdate', { state: 'idle', stopReason: 'error', error: 'no' }),
  ]).toEqual([{ state: 'idle' }, { state: 'idle' }, { state: 'idle', stopReason: 'error' }]);
});

test('an elicitation is refused if it names both a session and a request, or neither', () => {
  const url = { mode: 'url', message: 'm', elicitationId: 'e', url: 'https://a' };
  expect([
    received('CreateElicitationRequest', { ...url, sessionId: 's' }),
    received('CreateElicitationRequest', { ...url, requestId: 1 }),
    received('CreateElicitationRequest', { ...url, sessionId: 's', requestId: 1 }),
    received('CreateElicitationRequest', url),
  ]).toEqual([
    'fits',
    'fits',
    'expected an object of one kind, received one of two',
    'expected a string at sessionId or an integer or a string at requestId, received an object',
  ]);
});

test('the stable edition checks the definitions that the Preview added or made stable', () => {
  expect([
    v2Checks.PromptRequest({ sessionId: 's', prompt: [{ type: 'text', text: 'a' }], idempotencyKey: 5 }),
    v2Checks.SessionUpdate({ sessionUpdate: 'replay_complete', _meta: 5 }),
    v2Checks.SessionUpdate({ sessionUpdate: 'subagent_update' }),
    v2Checks.SessionUpdate({ sessionUpdate: 'plan_removed' }),
    v2Checks.StateUpdate({ state: 'unknown', background: 5 }),
    v2Checks.CompactionUpdate({ compactionId: 'c' }),
    v2UnstableChecks.SystemPrompt({ mode: 'append', content: [] }),
  ]).toEqual([false, false, false, false, false, true, false]);
});
