import { expect, test } from 'vitest';
import type { shapes } from '../../src/generated/shapes.ts';
import { describe as describeProblems, type Problem } from '../../src/validation/problem.ts';
import { repair } from '../../src/repair.ts';
import type { Repaired } from '../../src/validation/repair.ts';

interface Case {
  readonly name: keyof typeof shapes;
  readonly value: unknown;
  readonly repaired: Repaired;
}

function repairs(
  name: keyof typeof shapes,
  [value, becomes]: readonly [unknown, unknown],
  ...problems: readonly Problem[]
): Case {
  return { name, value, repaired: { ok: true, value: becomes, problems } };
}

function refuses(name: keyof typeof shapes, value: unknown, ...problems: readonly Omit<Problem, 'action'>[]): Case {
  return {
    name,
    value,
    repaired: { ok: false, problems: problems.map((problem) => ({ ...problem, action: 'refused' })) },
  };
}

function removed(path: string, expected: string, received: string): Problem {
  return { path, expected, received, action: 'removed' };
}

const session = { cwd: '/home/me', mcpServers: [] };
const stdio = { name: 'files', command: '/bin/files', args: [], env: [] };
const text = { type: 'text', text: 'hello' };
const question = { mode: 'url', message: 'Log in?', elicitationId: 'e', url: 'https://example.org' };
const update = (fields: object): object => ({ sessionId: 's', update: fields });

const cases: { readonly [title: string]: Case } = {
  'a bad capability counts as absent': repairs(
    'InitializeRequest',
    [
      { protocolVersion: 1, clientCapabilities: { terminal: 'yes', fs: { readTextFile: true } } },
      { protocolVersion: 1, clientCapabilities: { fs: { readTextFile: true } } },
    ],
    removed('clientCapabilities.terminal', 'a boolean', 'a string'),
  ),
  'a bad optional object counts as absent as a whole': repairs(
    'InitializeRequest',
    [{ protocolVersion: 1, clientInfo: { name: 7, version: '1' } }, { protocolVersion: 1 }],
    removed('clientInfo', 'a string at name', 'a number'),
  ),
  'bad items are dropped, good ones kept': repairs(
    'InitializeResponse',
    [
      {
        protocolVersion: 1,
        authMethods: [1, { id: 'key', name: 'API key' }, { type: 'magic', id: 'm', name: 'Magic' }],
      },
      { protocolVersion: 1, authMethods: [{ id: 'key', name: 'API key' }] },
    ],
    removed('authMethods[0]', 'an object', 'a number'),
    removed('authMethods[2]', '"terminal" or "agent" at type', 'another string'),
  ),
  'null for a required list is an empty one': repairs(
    'NewSessionRequest',
    [{ ...session, mcpServers: null }, session],
    { path: 'mcpServers', expected: 'a list', received: 'null', action: 'defaulted' },
  ),
  'any other bad value for it is refused': refuses(
    'NewSessionRequest',
    { ...session, mcpServers: 'x' },
    {
      path: 'mcpServers',
      expected: 'a list',
      received: 'a string',
    },
  ),
  'a bad server in it is refused': refuses(
    'NewSessionRequest',
    { ...session, mcpServers: [stdio, { ...stdio, args: [1] }] },
    {
      path: 'mcpServers[1].args[0]',
      expected: 'a string',
      received: 'a number',
    },
  ),
  'nulls inside a server are read as empty lists, a null type as none': repairs(
    'NewSessionRequest',
    [
      { ...session, mcpServers: [{ ...stdio, type: null, args: null, env: null }] },
      { ...session, mcpServers: [stdio] },
    ],
    removed('mcpServers[0].type', 'a string', 'null'),
    { path: 'mcpServers[0].args', expected: 'a list', received: 'null', action: 'defaulted' },
    { path: 'mcpServers[0].env', expected: 'a list', received: 'null', action: 'defaulted' },
  ),
  'a server of an unknown type is refused, not started': refuses(
    'NewSessionRequest',
    { ...session, mcpServers: [{ ...stdio, type: 'websocket' }] },
    {
      path: 'mcpServers[0].type',
      expected: '"http", "sse" or "stdio"',
      received: 'another string',
    },
  ),
  'null for an optional list counts as absent': repairs(
    'ResumeSessionRequest',
    [
      { sessionId: 's', cwd: '/', mcpServers: null, additionalDirectories: null },
      { sessionId: 's', cwd: '/' },
    ],
    removed('additionalDirectories', 'a list', 'null'),
    removed('mcpServers', 'a list', 'null'),
  ),
  'null for an optional map counts as absent': repairs(
    'AuthMethod',
    [
      { type: 'terminal', id: 'tui', name: 'Log in', env: null },
      { type: 'terminal', id: 'tui', name: 'Log in' },
    ],
    removed('env', 'an object', 'null'),
  ),
  'relative paths are refused': refuses(
    'NewSessionRequest',
    { cwd: 'src', mcpServers: [], additionalDirectories: ['/a', '', 'C:'] },
    {
      path: 'cwd',
      expected: 'an absolute path',
      received: 'a relative path',
    },
    {
      path: 'additionalDirectories[1]',
      expected: 'an absolute path',
      received: 'an empty string',
    },
  ),
  'a required field may not be missing, whatever its rules': refuses(
    'ListSessionsResponse',
    {},
    {
      path: 'sessions',
      expected: 'a list',
      received: 'nothing',
    },
  ),
  'a bad value for a required list with a default becomes that': repairs(
    'ListSessionsResponse',
    [{ sessions: 5, nextCursor: 5 }, { sessions: [] }],
    { path: 'sessions', expected: 'a list', received: 'a number', action: 'defaulted' },
    removed('nextCursor', 'a string', 'a number'),
  ),
  'what is inside a dropped item is not reported, what is inside a kept one is': repairs(
    'SessionNotification',
    [
      update({
        sessionUpdate: 'tool_call_update',
        toolCallId: 't',
        kind: 'dance',
        content: [
          { type: 'content', content: { ...text, annotations: 'x' } },
          { type: 'diff', path: 1, oldText: 1 },
          { type: 'hologram', at: 1 },
        ],
      }),
      update({
        sessionUpdate: 'tool_call_update',
        toolCallId: 't',
        content: [
          { type: 'content', content: text },
          { type: 'hologram', at: 1 },
        ],
      }),
    ],
    removed(
      'update.kind',
      '"read", "edit", "delete", "move", "search", "execute", "think", "fetch", "switch_mode" or "other"',
      'another string',
    ),
    removed('update.content[0].content.annotations', 'an object', 'a string'),
    removed('update.content[1]', 'a string at path', 'a number'),
  ),
  'an update without a tag is refused': refuses('SessionNotification', update({ content: text }), {
    path: 'update.sessionUpdate',
    expected: 'a string',
    received: 'nothing',
  }),
  'neither member of a union fits': refuses(
    'CreateElicitationRequest',
    { mode: 'url', message: 'm', elicitationId: 'e', url: 'https://example.org' },
    {
      path: '',
      expected: 'a string at sessionId or null, an integer or a string at requestId',
      received: 'an object',
    },
  ),
  'of a union the member that needs least repair is taken': repairs(
    'EmbeddedResource',
    [{ resource: { uri: 'file:///a', text: 'a', mimeType: 5 } }, { resource: { uri: 'file:///a', text: 'a' } }],
    removed('resource.mimeType', 'a string', 'a number'),
  ),
  'a value that fits one member of a union as it is stays as it is': repairs('CreateElicitationRequest', [
    { ...question, sessionId: 's', toolCallId: 5, requestId: 'r' },
    { ...question, sessionId: 's', toolCallId: 5, requestId: 'r' },
  ]),
  'numbers are refused for what is wrong with them': refuses(
    'UsageUpdate',
    { used: -1, size: 1.5 },
    {
      path: 'used',
      expected: 'an integer of 0 or more',
      received: 'a number out of range',
    },
    {
      path: 'size',
      expected: 'an integer of 0 or more',
      received: 'a fraction',
    },
  ),
  'a closed choice is refused without repeating what came': refuses(
    'PromptResponse',
    { stopReason: 'sk-secret' },
    {
      path: 'stopReason',
      expected: '"end_turn", "max_tokens", "max_turn_requests", "refusal" or "cancelled"',
      received: 'another string',
    },
  ),
  'a strange key of a map is quoted in the path': refuses(
    'CreateElicitationRequest',
    {
      mode: 'form',
      message: 'Who are you?',
      sessionId: 's',
      requestedSchema: { properties: { 'first name': 1 } },
    },
    {
      path: 'requestedSchema.properties["first name"]',
      expected: 'an object',
      received: 'a number',
    },
  ),
  'a value of the wrong type is refused as a whole': refuses('PromptRequest', [], {
    path: '',
    expected: 'an object',
    received: 'a list',
  }),
};

test.each(Object.entries(cases))('%s', (_, { name, value, repaired }) => {
  expect(repair(name, structuredClone(value))).toEqual(repaired);
});

test('5,000 bad items are reported as 20 problems and a count of the rest', () => {
  const repaired = repair('Plan', { entries: Array.from({ length: 5000 }, () => 1) });
  expect(repaired.problems).toHaveLength(21);
  expect(repaired.problems.at(-1)).toEqual(removed('entries', 'good items', '4980 more bad ones'));
});

test('the description of a refusal names only the problems that were refused', () => {
  const { problems } = repair('LoadSessionRequest', { cwd: 'src', mcpServers: null, additionalDirectories: 1 });
  expect(describeProblems(problems)).toBe(
    'cwd: expected an absolute path, received a relative path; additionalDirectories: expected a list, received a number; sessionId: expected a string, received nothing',
  );
});

test('the description of many problems names the first three and counts the rest', () => {
  const { problems } = repair('ToolCallUpdate', { toolCallId: 't', kind: 1, status: 1, title: 1, name: 1, content: 1 });
  expect(describeProblems(problems)).toMatch(
    /^kind: expected "read", .*; status: .*; title: expected a string, received a number; and 2 more$/,
  );
});

test('hostile keys are read as data, not as inherited members, and change no prototype', () => {
  const value: unknown = JSON.parse(
    '{"__proto__":{"sessionId":"s"},"update":{"sessionUpdate":"constructor","__proto__":{"polluted":true}}}',
  );
  expect(repair('SessionNotification', value).problems).toEqual([
    { path: 'sessionId', expected: 'a string', received: 'nothing', action: 'refused' },
  ]);
  expect(({} as { polluted?: unknown }).polluted).toBe(undefined);
});
