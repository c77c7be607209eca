import { expect, test } from 'vitest';
import {
  agentCapabilitiesInVersion2,
  authMethodInVersion2,
  clientCapabilitiesInVersion1,
  elicitationAnswerInVersion1,
  mcpServersInVersion1,
  optionsInVersion2,
  permissionOutcomeInVersion1,
} from '../../src/translation/index.ts';

test('the capabilities of an agent of version 1 become markers', () => {
  expect([
    agentCapabilitiesInVersion2({}),
    agentCapabilitiesInVersion2({
      loadSession: true,
      promptCapabilities: { image: true, audio: false, embeddedContext: true },
      mcpCapabilities: { http: true, sse: true },
      sessionCapabilities: { delete: {}, additionalDirectories: {} },
      _meta: { mine: 1 },
    }),
  ]).toEqual([
    { session: { prompt: {}, mcp: { stdio: {} } } },
    {
      session: {
        prompt: { image: {}, embeddedContext: {} },
        mcp: { stdio: {}, http: {} },
        delete: {},
        additionalDirectories: {},
      },
      _meta: { mine: 1 },
    },
  ]);
});

test('a client of version 2 has no files and terminals, and shows what every client of version 2 shows', () => {
  expect(
    clientCapabilitiesInVersion1({ auth: { terminal: {} }, elicitation: { form: {} }, _meta: { mine: 1 } }),
  ).toEqual({
    session: { configOptions: { boolean: {} }, notices: {}, compaction: {} },
    auth: { terminal: true },
    elicitation: { form: {} },
    _meta: { mine: 1, terminal_output: true },
  });
});

test('login methods and MCP servers have a type in version 2', () => {
  expect([
    authMethodInVersion2({ id: 'key', name: 'Key' }),
    authMethodInVersion2({ type: 'terminal', id: 'login', name: 'Log in', env: { A: '1' } }),
    mcpServersInVersion1([
      { type: 'stdio', name: 'files', command: '/bin/files' },
      { type: 'http', name: 'web', url: 'https://example.com' },
    ]),
    mcpServersInVersion1(undefined),
  ]).toEqual([
    { type: 'agent', methodId: 'key', name: 'Key' },
    { type: 'terminal', methodId: 'login', name: 'Log in', env: [{ name: 'A', value: '1' }] },
    [
      { name: 'files', command: '/bin/files', args: [], env: [] },
      { type: 'http', name: 'web', url: 'https://example.com', headers: [] },
    ],
    [],
  ]);
});

const modes = { currentModeId: 'ask', availableModes: [{ id: 'ask', name: 'Ask', description: 'Asks first' }] };
const option = { id: 'effort', name: 'Effort', type: 'boolean', currentValue: true } as const;

test.each([
  ['modes alone', undefined, modes, [{ configId: 'mode', values: ['ask'] }]],
  ['modes and options', [option], modes, [{ configId: 'mode', values: ['ask'] }, { configId: 'effort' }]],
  [
    'modes that are an option too',
    [{ id: 'm', name: 'Mode', category: 'mode', type: 'select', currentValue: 'ask', options: [] } as const],
    modes,
    [{ configId: 'm', values: [] }],
  ],
  ['neither', null, null, []],
])('%s are options in version 2', (_, options, state, expected) => {
  const converted = optionsInVersion2(options, state).map((each) => ({
    configId: each.configId,
    ...('options' in each && { values: (each.options as readonly { value: string }[]).map(({ value }) => value) }),
  }));
  expect(converted).toEqual(expected);
});

test('an outcome or an action that version 1 does not have is a cancel', () => {
  expect([
    permissionOutcomeInVersion1({ outcome: 'selected', optionId: 'a' }),
    permissionOutcomeInVersion1({ outcome: '_later' } as never),
    elicitationAnswerInVersion1({ action: 'decline' }),
    elicitationAnswerInVersion1({ action: '_later' } as never),
  ]).toEqual([
    { outcome: 'selected', optionId: 'a' },
    { outcome: 'cancelled' },
    { action: 'decline' },
    { action: 'cancel' },
  ]);
});
