import { aside, block, error, params, renumbered, result, terminal, update, type Row } from './row.ts';

/** The services of a client, errors, content blocks, and what is not on the wire. */
export const services: Readonly<Record<string, Row>> = {
  D39: {
    profile: 'lenient',
    cases: [
      params('fs/read_text_file', {
        value: { sessionId: 's', path: '/f', startLine: 2, lineLimit: 3 },
        becomes: { sessionId: 's', path: '/f', line: 2, limit: 3 },
      }),
      params('fs/read_text_file', {
        value: { sessionId: 's', path: '/f', startLine: 2, line: 1 },
        becomes: { sessionId: 's', path: '/f', startLine: 2, line: 1 },
      }),
    ],
  },
  D40: {
    profile: 'lenient',
    cases: [
      params('terminal/create', {
        value: { sessionId: 's', command: 'x', env: { A: '1' } },
        becomes: { sessionId: 's', command: 'x', env: [{ name: 'A', value: '1' }] },
      }),
    ],
  },
  D41: {
    profile: 'pharo',
    cases: [
      result('terminal/output', {
        value: { output: 'x', exitCode: 1 },
        becomes: { output: 'x', truncated: false, exitStatus: { exitCode: 1 } },
      }),
      result('terminal/output', {
        value: { output: 'x', truncated: true, exitCode: null },
        becomes: { output: 'x', truncated: true },
      }),
      result('terminal/output', { value: { output: 'x', truncated: false, exitCode: 1, exitStatus: null } }),
    ],
  },
  D42: {
    profile: 'pharo',
    cases: [
      params('terminal/wait_for_exit', {
        value: { ...terminal, timeout: 5 },
        becomes: { ...terminal, _meta: aside({ timeout: 5 }) },
      }),
    ],
  },
  D43: {
    profile: 'pharo',
    cases: [
      result('terminal/wait_for_exit', {
        value: { output: 'x', exitCode: null },
        becomes: { exitCode: null, _meta: aside({ output: 'x', running: true }) },
        given: { request: { ...terminal, timeout: 5 } },
      }),
      result('terminal/wait_for_exit', {
        value: { output: 'x', exitCode: null },
        becomes: { exitCode: null, _meta: aside({ output: 'x' }) },
        given: { request: terminal },
      }),
    ],
  },
  D44: {
    profile: 'pharo',
    cases: [
      renumbered(-32001, -32000, 'authenticate'),
      renumbered(-32002, -32602, 'authenticate'),
      error('session/load', { value: { code: -32002, message: 'No.' }, becomes: { code: -32002, message: 'No.' } }),
      renumbered(-32003, -32002, 'fs/read_text_file'),
      renumbered(-32004, -32602, 'fs/write_text_file'),
      error('session/load', {
        value: { code: -32005, message: 'No.' },
        becomes: { code: -32002, message: 'No.', data: { sessionId: 's', 'turnwire/dialect': { code: -32005 } } },
        given: { request: { sessionId: 's' } },
      }),
      renumbered(-32006, -32600, 'session/prompt'),
      renumbered(-32007, -32601, 'session/load'),
      renumbered(-32007, -32602, 'session/prompt'),
      error('session/new', { value: { code: -32603, message: 'No.' }, becomes: { code: -32603, message: 'No.' } }),
    ],
  },
  D45: {
    profile: 'go-reference',
    cases: [
      renumbered(-32000, -32603, 'session/new'),
      renumbered(-32001, -32603, 'session/new'),
      renumbered(-32002, -32602, 'session/load'),
      renumbered(-32003, -32002, 'session/list'),
    ],
  },
  D46: {
    profile: 'lenient',
    cases: [
      block(
        { type: 'resourceLink', uri: 'file:///x', name: 'x' },
        { type: 'resource_link', uri: 'file:///x', name: 'x' },
      ),
    ],
  },
  D47: {
    profile: 'lenient',
    cases: [
      block(
        { type: 'resource', uri: 'file:///x', text: 'x', annotations: { priority: 1 } },
        { type: 'resource', resource: { uri: 'file:///x', text: 'x' }, annotations: { priority: 1 } },
      ),
      block(
        { type: 'resource', uri: 'file:///y', text: 'y', resource: { uri: 'file:///x', text: 'x' } },
        { type: 'resource', uri: 'file:///y', text: 'y', resource: { uri: 'file:///x', text: 'x' } },
      ),
      { ...block({ type: 'resource', uri: 'file:///x' }, { type: 'resource', uri: 'file:///x' }), refused: true },
    ],
  },
  D48: {
    reason: 'A link without a title and a description is official.',
    untouched: [block({ type: 'resource_link', uri: 'file:///x', name: 'x', size: 1 })],
  },
  D49: {
    profile: 'go-reference',
    cases: [
      result('session/prompt', {
        value: { stopReason: 'end_turn', sessionId: 's', messages: [] },
        becomes: { stopReason: 'end_turn', _meta: aside({ sessionId: 's', messages: [] }) },
      }),
    ],
  },
  D50: {
    reason: 'The schema knows the stop reason, whoever sends it.',
    untouched: [result('session/prompt', { value: { stopReason: 'max_turn_requests' } })],
  },
  D51: {
    profile: 'pharo',
    cases: [
      block(
        { type: 'text', text: 'x', annotations: { audience: ['user'], title: 'T', priority: 'high', _mine: 1 } },
        {
          type: 'text',
          text: 'x',
          annotations: { audience: ['user'], _meta: aside({ title: 'T', priority: 'high', _mine: 1 }) },
        },
      ),
    ],
  },
  D52: { reason: 'Launch configurations are local settings and never cross the wire.' },
  D53: {
    reason:
      'Read as a config option it would offer a choice that `session/set_config_option` cannot make: such agents want ' +
      '`session/set_model`. Nothing is lost: unknown keys reach whoever wants them.',
    untouched: [
      result('session/new', { value: { sessionId: 's', models: { currentModelId: 'm', availableModels: [] } } }),
    ],
  },
  D54: {
    reason: 'The schema knows the tool kind, whoever sends it.',
    untouched: [update({ sessionUpdate: 'tool_call', toolCallId: 'c', title: 'T', kind: 'switch_mode' })],
  },
  D55: { reason: 'A slip on a documentation page: an agent that says `clientCapabilities` says nothing.' },
  D56: { reason: 'A sketch on a documentation page. Its short outcome is read by D38, its prompt result by D49.' },
};
