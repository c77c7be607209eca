import { agent, aside, params, result, servers, type Row } from './row.ts';

/** Envelope, `initialize`, sessions and their configuration. */
export const settingUp: Readonly<Record<string, Row>> = {
  D01: { reason: 'The envelope is read by the peer, under every profile; a dialect sees parameters and results only.' },
  D02: {
    reason: 'Nobody is known to send it, and an outer `plan` key means something else in D34.',
    untouched: [params('session/update', { value: { sessionId: 's', update: { plan: { entries: [] } } } })],
  },
  D03: { reason: 'A null result is read as an empty one by the peer, under every profile.' },
  D04: {
    profile: 'go-reference',
    cases: [
      params('initialize', {
        value: { protocolVersion: 1, capabilities: { terminal: true } },
        becomes: { protocolVersion: 1, clientCapabilities: { terminal: true } },
      }),
      params('initialize', {
        value: { protocolVersion: 2, capabilities: { terminal: true } },
        becomes: { protocolVersion: 2, capabilities: { terminal: true } },
      }),
      result('initialize', {
        value: { protocolVersion: 1, capabilities: { loadSession: true } },
        becomes: { protocolVersion: 1, agentCapabilities: { loadSession: true } },
      }),
    ],
  },
  D05: {
    profile: 'pharo',
    cases: [
      params('initialize', {
        value: { protocolVersion: 1, clientCapabilities: { terminal: { create: true, kill: true } } },
        becomes: {
          protocolVersion: 1,
          clientCapabilities: { terminal: false, _meta: aside({ terminal: { create: true, kill: true } }) },
        },
      }),
    ],
  },
  D06: {
    profile: 'lenient',
    cases: [
      result('initialize', {
        value: { protocolVersion: 1, authenticationMethods: [{ methodId: 'key', title: 'Key', description: 'A key' }] },
        becomes: { protocolVersion: 1, authMethods: [{ id: 'key', name: 'Key', description: 'A key' }] },
      }),
      result('initialize', {
        value: { protocolVersion: 1, authMethods: [], authenticationMethods: [{ methodId: 'key', title: 'Key' }] },
        becomes: { protocolVersion: 1, authMethods: [], authenticationMethods: [{ methodId: 'key', title: 'Key' }] },
      }),
    ],
  },
  D07: {
    reason:
      'Unknown keys reach the handler of `authenticate` as they are; an agent that wants credentials reads them there.',
    untouched: [params('authenticate', { value: { methodId: 'key', credentials: { apiKey: 'k' } } })],
  },
  D08: {
    profile: 'lenient',
    cases: [
      agent({ promptCapabilities: { content: ['text', 'image'] } }, { promptCapabilities: { image: true } }),
      agent(
        { promptCapabilities: { content: ['image', 'video'], image: false } },
        { promptCapabilities: { image: false, _meta: aside({ content: ['video'] }) } },
      ),
    ],
  },
  D09: {
    profile: 'lenient',
    cases: [
      agent({ mcp: { httpTransport: true, sseTransport: false } }, { mcpCapabilities: { http: true, sse: false } }),
      agent(
        { mcp: { httpTransport: true }, mcpCapabilities: { http: false } },
        { mcp: { httpTransport: true }, mcpCapabilities: { http: false } },
      ),
    ],
  },
  D10: {
    profile: 'lenient',
    cases: [
      agent({ mcpCapabilities: { supportedTransports: ['stdio', 'sse'] } }, { mcpCapabilities: { sse: true } }),
      agent(
        { mcpCapabilities: { supportedTransports: ['websocket'] } },
        { mcpCapabilities: { _meta: aside({ supportedTransports: ['websocket'] }) } },
      ),
    ],
  },
  D11: {
    profile: 'pharo',
    cases: [
      result('session/load', {
        value: {},
        becomes: { modes: { currentModeId: 'ask', availableModes: [{ id: 'ask', name: 'Ask' }] } },
        given: { remote: { agentCapabilities: { sessionModes: [{ modeId: 'ask', title: 'Ask' }, 'x'] } } },
      }),
      result('session/new', { value: { sessionId: 's' }, becomes: { sessionId: 's' } }),
      result('session/new', {
        value: { sessionId: 's', modes: null },
        given: { remote: { agentCapabilities: { sessionModes: [{ modeId: 'ask', title: 'Ask' }] } } },
      }),
    ],
  },
  D12: {
    reason: 'The list may be left out officially.',
    untouched: [result('initialize', { value: { protocolVersion: 1, agentCapabilities: {} } })],
  },
  D13: {
    profile: 'lenient',
    cases: [
      servers({ b: { command: '/b', args: [], env: [] } }, [{ name: 'b', command: '/b', args: [], env: [] }]),
      servers({}, []),
      servers({ b: { name: 'own', command: '/b', args: [], env: [] } }, [
        { name: 'own', command: '/b', args: [], env: [] },
      ]),
      { ...servers({ b: 'not a server' }, { b: 'not a server' }), refused: true },
      params('session/resume', {
        value: { sessionId: 's', cwd: '/p', mcpServers: { b: { type: 'sse', url: 'http://h', headers: [] } } },
        becomes: { sessionId: 's', cwd: '/p', mcpServers: [{ name: 'b', type: 'sse', url: 'http://h', headers: [] }] },
      }),
    ],
  },
  D14: {
    profile: 'lenient',
    cases: [
      servers(
        [{ name: 'a', command: '/a', args: [], env: { K: 'v' } }],
        [{ name: 'a', command: '/a', args: [], env: [{ name: 'K', value: 'v' }] }],
      ),
      servers(
        [{ name: 'a', type: 'http', url: 'http://h', headers: {} }],
        [{ name: 'a', type: 'http', url: 'http://h', headers: [] }],
      ),
      {
        ...servers(
          [{ name: 'a', command: '/a', args: [], env: { K: 1 } }],
          [{ name: 'a', command: '/a', args: [], env: { K: 1 } }],
        ),
        refused: true,
      },
    ],
  },
  D15: {
    profile: 'lenient',
    cases: [
      servers(
        [{ type: 'stdio', name: 'a', command: '/a', args: [], env: [] }],
        [{ name: 'a', command: '/a', args: [], env: [] }],
      ),
    ],
  },
  D16: {
    profile: 'lenient',
    cases: [
      servers(
        [{ transport: 'stdio', name: 'a', command: '/a', args: [], env: [] }],
        [{ name: 'a', command: '/a', args: [], env: [] }],
      ),
      servers(
        [{ transport: 'http', name: 'a', url: 'http://h', headers: [] }],
        [{ type: 'http', name: 'a', url: 'http://h', headers: [] }],
      ),
      {
        ...servers(
          [{ transport: 'websocket', name: 'a', url: 'ws://h', headers: {} }],
          [{ transport: 'websocket', name: 'a', url: 'ws://h', headers: [] }],
        ),
        refused: true,
      },
    ],
  },
  D17: {
    profile: 'pharo',
    cases: [
      servers(
        [
          { command: '/bin/tool', args: [], env: [] },
          { command: '/opt/tool/', args: [], env: [] },
          { name: 'tool-2', command: '/x', args: [], env: [] },
          { type: 'http', url: 'http://h', headers: [] },
        ],
        [
          { name: 'tool', command: '/bin/tool', args: [], env: [] },
          { name: 'tool-3', command: '/opt/tool/', args: [], env: [] },
          { name: 'tool-2', command: '/x', args: [], env: [] },
          { name: 'mcp-4', type: 'http', url: 'http://h', headers: [] },
        ],
      ),
    ],
  },
  D18: {
    profile: 'pharo',
    cases: [
      params('session/load', {
        value: { sessionId: 's', mcpServers: [] },
        becomes: { sessionId: 's', mcpServers: [], cwd: '/stored' },
        given: { directories: { s: '/stored' } },
      }),
      params('session/load', {
        value: { sessionId: 'unknown', mcpServers: [] },
        becomes: { sessionId: 'unknown', mcpServers: [] },
        given: { directories: { s: '/stored' } },
        refused: true,
      }),
    ],
  },
  D19: {
    profile: 'go-reference',
    cases: [
      params('session/load', {
        value: { sessionId: 's', cwd: '/p' },
        becomes: { sessionId: 's', cwd: '/p', mcpServers: [] },
      }),
    ],
  },
  D20: {
    profile: 'lenient',
    cases: [
      params('session/set_config_option', {
        value: { sessionId: 's', option: 'model', value: 'large' },
        becomes: { sessionId: 's', configId: 'model', value: 'large' },
      }),
      params('session/set_config_option', {
        value: { sessionId: 's', configId: 'quick', value: false },
        becomes: { sessionId: 's', configId: 'quick', type: 'boolean', value: false },
      }),
      params('session/set_config_option', {
        value: { sessionId: 's', configId: 'model', option: 'mode', value: 'large' },
        becomes: { sessionId: 's', configId: 'model', option: 'mode', value: 'large' },
      }),
    ],
  },
  D21: {
    profile: 'pharo',
    cases: [
      result('session/set_config_option', {
        value: null,
        becomes: {
          configOptions: [
            { id: 'quick', name: 'Quick', type: 'boolean', currentValue: true },
            { id: 'loud', name: 'Loud', type: 'boolean', currentValue: false },
          ],
        },
        given: {
          request: { sessionId: 's', configId: 'quick', type: 'boolean', value: true },
          configOptions: {
            s: [
              { id: 'quick', name: 'Quick', type: 'boolean', currentValue: false },
              { id: 'loud', name: 'Loud', type: 'boolean', currentValue: false },
            ],
          },
        },
      }),
      result('session/set_config_option', {
        value: { configOptions: [] },
        given: {
          request: { sessionId: 's', configId: 'quick', type: 'boolean', value: true },
          configOptions: { s: [{ id: 'quick', name: 'Quick', type: 'boolean', currentValue: false }] },
        },
      }),
    ],
  },
};
