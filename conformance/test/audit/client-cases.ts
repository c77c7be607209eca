import { type AuditCases, allowed } from './audit-case.ts';
import {
  allOfAClient,
  ask,
  chunk,
  demand,
  deny,
  grant,
  hello,
  line,
  notify,
  opened,
  reply,
  type ScriptedLine,
  turn,
  update,
} from './talk.ts';

const nothing = { agent: {} };
const forking = (sessionCapabilities: object, changes: object = {}): readonly ScriptedLine[] => [
  ...opened({ agent: { sessionCapabilities } }),
  ask(2, 'session/fork', { sessionId: 's1', cwd: '/p', mcpServers: [], ...changes }),
  reply(2, { sessionId: 's2' }),
];
const base = { cwd: '/p', mcpServers: [] };
const starting = (changes: object): readonly ScriptedLine[] => [
  ...hello(),
  ask(1, 'session/new', { ...base, ...changes }),
];
const startingBare = (changes: object): readonly ScriptedLine[] => [
  ...hello(nothing),
  ask(1, 'session/new', { ...base, ...changes }),
];
const loading = (changes: object = {}): ScriptedLine =>
  ask(1, 'session/load', { sessionId: 's1', ...base, ...changes });
const prompting = (...prompt: readonly unknown[]): ScriptedLine =>
  ask(2, 'session/prompt', { sessionId: 's1', prompt });
const image = { type: 'image', data: 'AAAA', mimeType: 'image/png' };
const embedded = { type: 'resource', resource: { uri: 'file:///a', text: '' } };
const link = { type: 'resource_link', uri: 'file:///a', name: 'a' };
const stdio = { name: 'm', command: '/bin/m', args: [], env: [] };
const http = { type: 'http', name: 'm', url: 'https://example.org', headers: [] };
const stop = notify('session/cancel', { sessionId: 's1' });
const introduced = (params: object): readonly ScriptedLine[] => [
  ask(0, 'initialize', { protocolVersion: 1, ...params }),
];

const logins = hello({
  answer: {
    authMethods: [
      { id: 'a', name: 'A' },
      { type: 'terminal', id: 't', name: 'T' },
    ],
  },
});
const options = [{ optionId: 'yes', name: 'Yes', kind: 'allow_once' }];
const question = demand(7, 'session/request_permission', { toolCall: { toolCallId: 't' }, options });
const chosen = (optionId: string): ScriptedLine => grant(7, { outcome: { outcome: 'selected', optionId } });
const noChoice = grant(7, { outcome: { outcome: 'cancelled' } });
const read = demand(7, 'fs/read_text_file', { path: '/p/a' });
const terminal: readonly ScriptedLine[] = [
  demand(1, 'terminal/create', { command: 'ls' }),
  grant(1, { terminalId: 'x' }),
];
const release: readonly ScriptedLine[] = [demand(2, 'terminal/release', { terminalId: 'x' }), grant(2)];
const modes = { currentModeId: 'a', availableModes: [{ id: 'a', name: 'A' }] };
const option = {
  id: 'mode',
  name: 'Mode',
  category: 'mode',
  type: 'select',
  currentValue: 'a',
  options: [{ value: 'a', name: 'A' }],
};
const withModes = opened({ session: { modes } });
const withBoth = opened({
  session: { modes, configOptions: [option, { id: 'b', name: 'B', type: 'boolean', currentValue: true }] },
});
const setting = (params: object): ScriptedLine => ask(2, 'session/set_config_option', { sessionId: 's1', ...params });
const withoutReading = { ...allOfAClient, fs: { readTextFile: false, writeTextFile: false } };
const form = demand(5, 'elicitation/create', {
  mode: 'form',
  message: 'Who?',
  requestedSchema: { type: 'object', properties: { a: { type: 'string', enum: ['x'] } }, required: ['a'] },
});
const filled = (content: unknown): readonly ScriptedLine[] => [
  ...opened(),
  form,
  grant(5, { action: 'accept', content }),
];
const meta = { client: { ...allOfAClient, _meta: { 'x.org': {} } } };
const page = [...hello(), ask(1, 'session/list'), reply(1, { sessions: [], nextCursor: 'c=1' })];
const gated = (
  method: string,
  params: object = { sessionId: 's1' },
): { held: readonly ScriptedLine[]; broken: readonly (readonly ScriptedLine[])[] } => ({
  held: [...hello(), ask(1, method, { ...params })],
  broken: [[...hello(nothing), ask(1, method, { ...params })]],
});

/** Requirements on clients. */
export const clientCases: AuditCases = {
  R371: { held: forking({ fork: {} }), broken: [forking({ fork: {} }, { cwd: 7 })] },
  R372: { held: forking({ fork: {} }), broken: [forking({}), forking({ fork: null })] },
  R001: {
    held: [...opened(), prompting({ type: 'text', text: 'ß' })],
    broken: [[line('client', '{"a":"\ufffd"}', 'not UTF-8')]],
  },
  R005: { held: opened(), broken: [[line('client', '[]')], [line('client', '{}')]] },
  R006: {
    held: [...opened(), prompting({ type: 'text', text: 'a\nb' })],
    broken: [[line('client', '{"jsonrpc":"2.0",'), line('client', '"method":"_x"}')]],
  },
  R010: {
    held: opened(),
    broken: [
      [line('client', 'hello')],
      [...opened(), update('plan'), ask(2, 'fs/read_text_file')],
      [...opened(), ask(2, 'session/prompt', {})],
      [...opened(), ask(3, 'session/cancel', { sessionId: 's1' })],
      [...opened(), notify('session/prompt', { sessionId: 's1', prompt: [] })],
    ],
  },
  R017: {
    held: [...opened(), read, deny(7)],
    broken: [[...opened(), read, line('client', '{"jsonrpc":"2.0","id":7,"error":{}}')]],
  },
  R018: {
    held: [...opened(), chunk(), ...turn()],
    broken: [[...opened(), update('plan'), deny(null, -32_602)]],
  },
  R019: {
    // A line that it could not read need not be in the journal.
    held: [...opened(), deny(null, -32_700), read, grant(7, { content: '' })],
    broken: [
      [...opened(), deny(null, -32_600)],
      [...opened(), read, deny(7), deny(7)],
      [...opened(), deny(3)],
    ],
  },
  R020: { held: opened(), broken: [[...hello(), ask(null, 'session/new', base)]] },
  R022: { held: [...opened(), read, deny(7)], broken: [[...opened(), read, deny(7, 1, 'a\nb')]] },
  R023: { held: [...opened(), read, deny(7)], broken: [[...opened(), read, deny(7, 1, '')]] },
  R024: { held: opened(), broken: [starting({ cwd: '.' })] },
  R026: { held: opened(), broken: [starting({ mcp_servers: [] })] },
  'one connection may have several open sessions at once': allowed([
    ...opened(),
    ask(3, 'session/new', base),
    reply(3, { sessionId: 's2' }),
    prompting(),
    ask(4, 'session/prompt', { sessionId: 's2', prompt: [] }),
  ]),
  R030: {
    held: opened(),
    broken: [
      [ask(1, 'session/new', base), ask(0, 'initialize', {})],
      [hello()[0] as ScriptedLine, ask(1, 'session/new', base)],
    ],
  },
  R053: { held: opened(), broken: [[...hello(), ask(7, 'initialize', {})]] },
  R032: { held: hello(), broken: [introduced({}), introduced({ protocolVersion: undefined, clientCapabilities: {} })] },
  R033: { held: hello(), broken: [introduced({})] },
  R039: { held: hello(), broken: [introduced({ protocolVersion: '2025-01-01' })] },
  R042: { held: [...opened(nothing), ...turn()], broken: [[...hello(nothing), loading()]] },
  R044: { held: hello(), broken: [hello({ client: { terminal: true } })] },
  R050: {
    held: [...opened({ agent: { sessionCapabilities: { list: null } } }), ...turn()],
    broken: [[...hello({ agent: { sessionCapabilities: { list: null } } }), ask(1, 'session/list')]],
  },
  R056: {
    held: [...logins, ask(1, 'authenticate', { methodId: 'a' })],
    broken: [[...logins, ask(1, 'authenticate', { methodId: 'b' })]],
  },
  R063: {
    held: [...logins, ask(1, 'authenticate', { methodId: 'a' })],
    broken: [[...logins, ask(1, 'authenticate', { methodId: 't' })]],
  },
  R070: gated('logout', {}),
  R076: {
    held: opened(),
    broken: [[...hello(), ask(1, 'session/new', { cwd: '/p' })], starting({ mcpServers: null }), starting({ cwd: 5 })],
  },
  R079: { held: opened(), broken: [starting({ cwd: 'src' }), [...hello(), loading({ cwd: '~' })]] },
  R083: { held: [...hello(), loading()], broken: [[...hello(nothing), loading()]] },
  R084: { held: [...hello(), loading()], broken: [[...hello(), loading({ mcpServers: undefined })]] },
  R090: gated('session/resume', { sessionId: 's1', cwd: '/p' }),
  R093: gated('session/close'),
  R096: {
    held: starting({ additionalDirectories: ['/q'] }),
    broken: [startingBare({ additionalDirectories: ['/q'] })],
  },
  R097: {
    held: starting({ additionalDirectories: ['/q'] }),
    broken: [
      starting({ additionalDirectories: ['q'] }),
      starting({ additionalDirectories: [null] }),
      starting({ additionalDirectories: 'q' }),
    ],
  },
  R102: { held: starting({ additionalDirectories: ['/p/q'] }), broken: [starting({ additionalDirectories: ['/p'] })] },
  'session/new may name MCP servers': allowed(starting({ mcpServers: [stdio] })),
  R108: { held: starting({ mcpServers: [http] }), broken: [startingBare({ mcpServers: [http] })] },
  R112: {
    held: starting({ mcpServers: [stdio] }),
    broken: [
      starting({ mcpServers: [{ ...stdio, command: 'npx' }] }),
      starting({ mcpServers: [{ name: 'm', command: '/m', args: [] }] }),
    ],
  },
  R113: {
    held: starting({ mcpServers: [http] }),
    broken: [starting({ mcpServers: [{ ...http, headers: { a: 'b' } }] })],
  },
  R115: gated('session/list', {}),
  R118: {
    held: [...hello(), ask(1, 'session/list', { cwd: '/p' })],
    broken: [[...hello(), ask(1, 'session/list', { cwd: 'p' })]],
  },
  R120: {
    held: [...page, ask(2, 'session/list', { cursor: 'c=1' })],
    broken: [[...page, ask(2, 'session/list', { cursor: 'c=2' })]],
  },
  R130: gated('session/delete'),
  R134: { held: [...opened(), prompting()], broken: [[...hello(), prompting()]] },
  R135: {
    held: [...opened(), prompting(image)],
    broken: [
      [...opened(nothing), prompting(image)],
      [...opened({ agent: { promptCapabilities: { image: true } } }), prompting(embedded)],
    ],
  },
  'a prompt may contain resources and resource links': allowed([...opened(), prompting(link)]),
  R142: {
    held: [...opened(), prompting()],
    broken: [[...opened(), ask(2, 'session/prompt', { sessionId: 's1', prompt: [], messageId: 'm' })]],
  },
  'session/cancel may be sent at any time during a turn': allowed([...opened(), prompting(), stop]),
  R157: {
    held: [...opened(), prompting(), question, stop, noChoice],
    broken: [
      [...opened(), prompting(), question, stop, chosen('yes')],
      [...opened(), prompting(), question, stop, deny(7)],
    ],
  },
  'another prompt may be sent after a turn ended': allowed([...opened(), ...turn(), ...turn([], 'end_turn', 3)]),
  'a side may cancel its own pending request with $/cancel_request': allowed([
    ...opened(),
    prompting(),
    notify('$/cancel_request', { requestId: 2 }),
  ]),
  R197: {
    held: [...opened(), prompting(), question, chosen('yes')],
    broken: [
      [...opened(), prompting(), question, chosen('maybe')],
      [...opened(), prompting(), question, grant(7, { outcome: 'selected' })],
    ],
  },
  R199: {
    held: [...opened(), prompting(), question, stop, noChoice],
    broken: [[...opened(), prompting(), stop, question, chosen('yes')]],
  },
  R207: {
    held: [...opened({ client: withoutReading }), read, deny(7, -32_601)],
    broken: [[...opened({ client: {} }), read, grant(7, { content: 'x' })]],
  },
  R213: {
    held: [...opened(), demand(7, 'fs/write_text_file', { path: '/p/a', content: '' }), grant(7)],
    broken: [[...opened(), demand(7, 'fs/write_text_file', { path: '/p/a', content: '' }), grant(7, true)]],
  },
  R228: {
    held: [...opened(), ...terminal, ...release, demand(3, 'terminal/output', { terminalId: 'x' }), deny(3, -32_002)],
    broken: [
      [
        ...opened(),
        ...terminal,
        ...release,
        demand(3, 'terminal/output', { terminalId: 'x' }),
        grant(3, { output: '', truncated: false }),
      ],
    ],
  },
  R232: {
    held: [...opened(), ...terminal, demand(3, 'terminal/kill', { sessionId: 's2', terminalId: 'x' }), deny(3)],
    broken: [[...opened(), ...terminal, demand(3, 'terminal/kill', { sessionId: 's2', terminalId: 'x' }), grant(3)]],
  },
  R233: {
    held: [...opened(), prompting({ type: 'text', text: '' })],
    broken: [[...opened(), prompting({ type: 'text' })]],
  },
  R234: { held: [...opened(), prompting(image)], broken: [[...opened(), prompting({ ...image, data: '<>' })]] },
  R235: { held: [...opened(), prompting(embedded)], broken: [[...opened(), prompting({ type: 'resource' })]] },
  R236: { held: [...opened(), prompting(link)], broken: [[...opened(), prompting({ ...link, name: 7 })]] },
  R237: { held: [...opened(), prompting(image)], broken: [[...opened(nothing), prompting(embedded)]] },
  'any content block may have annotations (audience, lastModified, priority)': allowed([
    ...opened(),
    prompting({ ...link, annotations: { priority: 1 } }),
  ]),
  R249: {
    held: [...withModes, ask(2, 'session/set_mode', { sessionId: 's1', modeId: 'a' })],
    broken: [[...withModes, ask(2, 'session/set_mode', { sessionId: 's1', modeId: 'b' })]],
  },
  'session/set_mode may be called at any time, idle or during a turn': allowed([
    ...withModes,
    ask(2, 'session/set_mode', { sessionId: 's1', modeId: 'a' }),
  ]),
  R256: {
    held: [...withBoth, setting({ configId: 'mode', value: 'a' })],
    broken: [[...withBoth, ask(2, 'session/set_mode', { sessionId: 's1', modeId: 'a' })]],
  },
  R268: {
    held: [...withBoth, setting({ configId: 'b', type: 'boolean', value: false })],
    broken: [
      [...withBoth, setting({ configId: 'mode', value: 'z' })],
      [...withBoth, setting({ configId: 'none', value: 'a' })],
      [...withBoth, setting({ configId: 'b', value: false })],
    ],
  },
  'config options may be set at any time': allowed([...withBoth, setting({ configId: 'mode', value: 'a' })]),
  'any type may have _meta': allowed([
    ...opened(),
    ask(2, 'session/prompt', { sessionId: 's1', prompt: [], _meta: { a: 1 } }),
  ]),
  R280: { held: opened(), broken: [starting({ project: 'x' })] },
  R282: {
    held: [...opened(), ask(2, 'session/prompt', { sessionId: 's1', prompt: [], _meta: { baggage: 'a=b' } })],
    broken: [[...opened(), ask(2, 'session/prompt', { sessionId: 's1', prompt: [], _meta: { traceparent: 5 } })]],
  },
  R283: { held: [...hello(meta), ask(1, '_x.org/hi')], broken: [[...hello(), ask(1, 'x.org/hi')]] },
  R286: { held: [...hello(meta), ask(1, '_x.org/hi')], broken: [[...hello(), ask(1, '_x.org/hi')]] },
  R289: {
    held: [...opened({ client: { ...allOfAClient, elicitation: {} } }), form, deny(5, -32_602)],
    broken: [[...opened({ client: {} }), form, grant(5, { action: 'cancel' })]],
  },
  R306: {
    held: filled({ a: 'x' }),
    broken: [
      [...opened(), form, grant(5, {})],
      [...opened(), form, grant(5, { action: 1 })],
    ],
  },
  R312: { held: filled({ a: 'x' }), broken: [filled({}), filled({ a: 'y' }), filled({ a: 1 })] },
};
