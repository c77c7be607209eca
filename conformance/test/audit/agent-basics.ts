import { type AuditCases, allowed } from './audit-case.ts';
import {
  announce,
  ask,
  chunk,
  demand,
  grant,
  hello,
  line,
  notify,
  opened,
  refuse,
  reply,
  type ScriptedLine,
  turn,
  update,
} from './talk.ts';

const half = '{"jsonrpc":"2.0","method":"_x","params":{"text":"one';

const listed = (sessions: unknown): readonly ScriptedLine[] => [
  ...hello(),
  ask(1, 'session/list'),
  reply(1, { sessions }),
];
const methods = (...authMethods: readonly unknown[]): readonly ScriptedLine[] => hello({ answer: { authMethods } });
const entry = { sessionId: 's', cwd: '/p' };
const loaded = (...after: readonly ScriptedLine[]): readonly ScriptedLine[] => [
  ...hello(),
  ask(1, 'session/load', { sessionId: 's1', cwd: '/p', mcpServers: [] }),
  update('user_message_chunk', { content: { type: 'text', text: 'before' } }),
  chunk('then'),
  reply(1),
  ...after,
];
const resumed = (...during: readonly ScriptedLine[]): readonly ScriptedLine[] => [
  ...hello(),
  ask(1, 'session/resume', { sessionId: 's1', cwd: '/p', mcpServers: [] }),
  ...during,
  reply(1),
  ...turn(),
];

const reading = (id: unknown): ScriptedLine => demand(id, 'fs/read_text_file', { path: '/p/a' });

/** A session that is refused by an agent with a login method. */
const refusedSession = (code: number, text: string, data?: object): readonly ScriptedLine[] => [
  ...hello({ answer: { authMethods: [{ id: 'key', name: 'Key' }] } }),
  ask(1, 'session/new', { cwd: '/p', mcpServers: [] }),
  line('agent', JSON.stringify({ jsonrpc: '2.0', id: 1, error: { code, message: text, ...(data && { data }) } })),
];

/** A prompt that is refused with -32000 during another one, which ends with a stop reason. */
const overlapping = (stopReason: string): readonly ScriptedLine[] => [
  ask(2, 'session/prompt', { sessionId: 's1', prompt: [{ type: 'text', text: 'go' }] }),
  ask(3, 'session/prompt', { sessionId: 's1', prompt: [{ type: 'text', text: 'go' }] }),
  refuse(3, -32_000, 'busy'),
  reply(2, { stopReason }),
];

/** Framing, JSON-RPC, initialization, logins and sessions. */
export const agentBasics: AuditCases = {
  R001: {
    held: [...opened(), ...turn([chunk('größer 🙂')])],
    broken: [[line('agent', '{"a":"\ufffd"}', 'not UTF-8')]],
  },
  R005: {
    held: [...opened(), ...turn()],
    broken: [
      [line('agent', '[{"jsonrpc":"2.0","id":1,"result":{}}]')],
      [line('agent', '{"jsonrpc":"2.0","id":1,"result":{}}{"jsonrpc":"2.0","id":2,"result":{}}')],
      [line('agent', '{"jsonrpc":"2.0"}')],
    ],
  },
  R006: {
    held: [...opened(), ...turn([chunk('two\nlines')])],
    broken: [
      [line('agent', half), line('agent', 'two"}}')],
      [line('agent', '{'), line('agent', '  "jsonrpc": "2.0",'), line('agent', '  "method": "_x"'), line('agent', '}')],
    ],
  },
  R009: {
    held: [...opened(), ...turn()],
    broken: [
      [line('agent', 'Listening on port 3000')],
      [line('agent', '')],
      [line('agent', '42')],
      [line('agent', '{"id":0,"result":{}}')],
      [announce('session/cancel', { sessionId: 's1' })],
      [...opened(), announce('session/update', { update: {} })],
      [...opened(), update('usage_update', { used: -1, size: 2 })],
      [...opened(), update('something_new')],
      [...opened(), demand(5, 'session/update', { update: { sessionUpdate: 'plan', entries: [] } })],
      [...hello(), ask(1, 'session/new', {}), reply(1, { sessionId: 7 })],
    ],
  },
  R017: {
    held: [...opened(), ask(2, 'session/prompt'), refuse(2)],
    broken: [
      [...hello(), ask(1, 'logout'), line('agent', '{"jsonrpc":"2.0","id":1,"result":{},"error":null}')],
      [...hello(), ask(1, 'logout'), line('agent', '{"jsonrpc":"2.0","id":1,"error":{"message":"x"}}')],
      [...hello(), ask(1, 'logout'), line('agent', '{"jsonrpc":"2.0","id":1,"error":{"code":1}}')],
    ],
  },
  R018: {
    held: [...opened(), notify('session/cancel', { sessionId: 'nobody' }), ...turn()],
    broken: [[...opened(), notify('session/cancel', {}), refuse(null, -32_602)]],
  },
  R019: {
    held: [
      ...hello(),
      ask('1', '_a'),
      ask(1, '_a'),
      reply(1),
      reply('1'),
      ask(1, '_a'),
      reply(1),
      line('client', '{'),
      refuse(null, -32_700),
      // Two requests with one id, answered in any order.
      ask('same', 'session/list'),
      ask('same', 'session/close', { sessionId: 's1' }),
      reply('same', {}),
      reply('same', { sessions: [] }),
      line('client', '{"jsonrpc":"2.0","id":9,"method":5}'),
      refuse(9, -32_600),
    ],
    broken: [
      [...hello(), ask(1, '_a'), reply(1), reply(1)],
      [...hello(), ask(1, '_a'), reply('1')],
      [...hello(), line('client', '{'), refuse(null, -32_700), refuse(8)],
    ],
  },
  R020: {
    held: [...opened(), reading(0), grant(0, { content: '' })],
    broken: [
      [...opened(), reading(null)],
      [...opened(), reading(1.5)],
    ],
  },
  R022: { held: [...opened(), ask(2, '_x'), refuse(2)], broken: [[ask(2, '_x'), refuse(2, 1, 'one\ntwo')]] },
  R023: { held: [...opened(), ask(2, '_x'), refuse(2)], broken: [[ask(2, '_x'), refuse(2, 1, ' ')]] },
  R024: {
    held: [...opened(), demand(1, 'fs/read_text_file', { path: String.raw`C:\p\a.txt` })],
    broken: [
      [...opened(), demand(1, 'fs/read_text_file', { path: 'a.txt' })],
      [...opened(), update('tool_call', { toolCallId: 't', title: 'x', locations: [{ path: './a' }] })],
    ],
  },
  R025: {
    held: [...opened(), demand(1, 'fs/read_text_file', { path: '/p/a', line: 1 })],
    broken: [
      [...opened(), demand(1, 'fs/read_text_file', { path: '/p/a', line: 0 })],
      [...opened(), update('tool_call', { toolCallId: 't', title: 'x', locations: [{ path: '/a', line: 0 }] })],
    ],
  },
  R026: {
    held: [...opened(), ...turn()],
    broken: [
      [...opened(), update('tool_call', { tool_call_id: 't', title: 'x' })],
      [...opened(), update('agentMessageChunk', { content: { type: 'text', text: '' } })],
      [...opened(), update('agent_message_chunk', { content: { type: 'resourceLink', uri: 'a:b', name: 'x' } })],
    ],
  },
  'one connection may have several open sessions at once': allowed([
    ...opened(),
    ask(3, 'session/new', { cwd: '/p', mcpServers: [] }),
    reply(3, { sessionId: 's2' }),
    ...turn([
      ask(4, 'session/prompt', { sessionId: 's2', prompt: [] }),
      chunk(),
      update('agent_message_chunk', { content: { type: 'text', text: '' } }, 's2'),
      reply(4, { stopReason: 'end_turn' }),
    ]),
  ]),
  R035: { held: [...hello()], broken: [[ask(0, 'initialize', {}), reply(0, { protocolVersion: 1 })]] },
  R039: { held: [...hello()], broken: [[ask(0, 'initialize', {}), reply(0, { protocolVersion: '1' })]] },
  R042: {
    held: [...opened({ client: {} }), ...turn()],
    broken: [[...opened({ client: { fs: {} } }), demand(1, 'fs/read_text_file', { path: '/a' })]],
  },
  R045: { held: [...hello()], broken: [[...hello({ agent: { loadSession: false } })]] },
  R050: {
    held: [...opened({ client: { session: { notices: null } } }), ...turn()],
    broken: [
      [...opened({ client: { session: { notices: null } } }), update('notice', { severity: 'info', title: 'x' })],
    ],
  },
  'authMethods may list login methods': allowed(hello({ answer: { authMethods: [] } })),
  R055: {
    held: methods({ id: 'a', name: 'A' }),
    broken: [methods({ id: 'a' }), methods({ type: 'terminal', id: 'a' })],
  },
  R058: {
    held: [...methods({ id: 'a', name: 'A' }), ask(1, 'authenticate', { methodId: 'a' }), reply(1)],
    broken: [[...hello(), ask(1, 'authenticate', { methodId: 'a' }), reply(1, true)]],
  },
  R061: {
    held: methods({ type: 'terminal', id: 'a', name: 'A' }),
    broken: [hello({ client: {}, answer: { authMethods: [{ type: 'terminal', id: 'a', name: 'A' }] } })],
  },
  R414: {
    held: refusedSession(-32_000, 'Authentication required'),
    broken: [
      refusedSession(-32_603, 'Please log in first'),
      refusedSession(-32_603, 'Internal error', { details: 'not logged in' }),
      [...opened(), ...overlapping('end_turn')],
    ],
  },
  'an error may mention logins of others': allowed(
    refusedSession(-32_603, 'the MCP server refused our authentication'),
  ),
  'an agent may obey a slash command without a login': allowed([
    ...opened(),
    ask(2, 'session/prompt', { sessionId: 's1', prompt: [{ type: 'text', text: '/help' }] }),
    reply(2, { stopReason: 'end_turn' }),
    ask(3, 'session/prompt', { sessionId: 's1', prompt: [{ type: 'text', text: 'go' }] }),
    refuse(3, -32_000),
  ]),
  'a login may be missing for one prompt after another was cancelled': allowed([
    ...opened(),
    ...overlapping('cancelled'),
  ]),
  R065: {
    held: methods({ type: 'terminal', id: 'a', name: 'A' }),
    broken: [methods({ type: 'terminal', id: 'a', name: 'A', command: 'login' })],
  },
  R075: {
    held: [...opened(), ask(2, 'session/new', {}), reply(2, { sessionId: 's2' })],
    broken: [[...opened(), ask(2, 'session/new', {}), reply(2, { sessionId: 's1' })]],
  },
  R086: { held: loaded(...turn()), broken: [loaded(chunk('late')), loaded(update('plan', { entries: [] }))] },
  'answers to session/new, load and resume may contain modes and configOptions': allowed(
    opened({ session: { modes: { currentModeId: 'a', availableModes: [{ id: 'a', name: 'A' }] } } }),
  ),
  R091: { held: resumed(update('available_commands_update', { availableCommands: [] })), broken: [resumed(chunk())] },
  R116: { held: listed([]), broken: [[...hello(), ask(1, 'session/list'), reply(1)], listed('none')] },
  R117: {
    held: listed([{ ...entry, updatedAt: '2026-11-21T10:00:00Z' }]),
    broken: [
      listed([{ sessionId: 's' }]),
      listed([{ ...entry, cwd: 'p' }]),
      listed([{ ...entry, updatedAt: 'today' }]),
    ],
  },
  'listed sessions may report their complete, ordered additionalDirectories': allowed(
    listed([{ ...entry, additionalDirectories: [] }]),
  ),
  'session_info_update may be sent at any time': allowed([...opened(), update('session_info_update', { title: 'x' })]),
  R128: {
    held: [...opened(), update('session_info_update', { title: null })],
    broken: [[...opened(), update('session_info_update', { cwd: '/p' })]],
  },
};
