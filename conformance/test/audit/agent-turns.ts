import { type AuditCases, allowed } from './audit-case.ts';
import { announce, ask, chunk, demand, grant, notify, opened, reply, type Said, turn, update } from './talk.ts';

const call = (changes: object = {}): Said => update('tool_call', { toolCallId: 't', title: 'Reading', ...changes });
const change = (changes: object): Said => update('tool_call_update', { toolCallId: 't', ...changes });
const done = change({ status: 'completed' });
const calls = (...during: readonly Said[]): readonly Said[] => [...opened(), ...turn(during)];
const cancel = notify('session/cancel', { sessionId: 's1' });

const options = [
  { optionId: 'yes', name: 'Yes', kind: 'allow_once' },
  { optionId: 'no', name: 'No', kind: 'reject_once' },
];
const question = (changes: object = {}): Said =>
  demand(7, 'session/request_permission', { toolCall: { toolCallId: 't' }, options, ...changes });
const yes = grant(7, { outcome: { outcome: 'selected', optionId: 'yes' } });

const created: readonly Said[] = [
  demand(1, 'terminal/create', { command: 'ls' }),
  grant(1, { terminalId: 'x' }),
  demand(2, 'terminal/wait_for_exit', { terminalId: 'x' }),
  grant(2, { exitCode: 0 }),
];
const released: readonly Said[] = [demand(3, 'terminal/release', { terminalId: 'x' }), grant(3)];
const shown = call({ status: 'completed', content: [{ type: 'terminal', terminalId: 'x' }] });
const file = { type: 'diff', path: '/p/a', newText: '' };

/** Turns, tool calls, permissions and what is asked of the client. */
export const agentTurns: AuditCases = {
  'The model may answer with text, tool calls or both': allowed(calls(chunk())),
  'Chunks may carry messageId': allowed(
    calls(update('agent_message_chunk', { messageId: 'm', content: { type: 'text', text: '' } })),
  ),
  'messageId absent and null mean the same in v1': allowed(
    calls(update('agent_message_chunk', { messageId: null, content: { type: 'text', text: '' } })),
  ),
  'usage_update may be sent': allowed(calls(update('usage_update', { used: 1, size: 2, cost: null }))),
  R145: { held: calls(), broken: [[...opened(), ask(2, 'session/prompt', { sessionId: 's1', prompt: [] }), reply(2)]] },
  R147: { held: calls(), broken: [[...opened(), ...turn([], 'done')]] },
  'Permission may be asked before a tool runs': allowed(
    calls(call(), question(), yes, change({ status: 'in_progress' }), done),
  ),
  R150: {
    held: calls(call(), question(), yes, change({ status: 'in_progress' }), done),
    broken: [calls(call(), question(), yes, done)],
  },
  'More updates may follow while the tool runs': allowed(calls(call(), change({ title: 'Read' }), done)),
  'Running tools may use client fs/terminal if offered': allowed(
    calls(demand(1, 'fs/read_text_file', { path: '/p/a' }), grant(1, { content: '' })),
  ),
  R153: {
    held: calls(call(), change({ status: 'failed' })),
    broken: [calls(call()), calls(call(), change({ title: 'x' }))],
  },
  'Content and tool updates may still be sent after session/cancel arrived': allowed([
    ...opened(),
    ...turn([cancel, chunk()], 'cancelled'),
  ]),
  R162: {
    held: [...calls(chunk()), update('usage_update', { used: 1, size: 2 })],
    broken: [
      [...calls(), chunk()],
      [...calls(call(), done), change({ status: 'failed' })],
    ],
  },
  'Updates may arrive outside a turn (mode, commands, config, info, usage, notices)': allowed([
    ...opened(),
    update('usage_update', { used: 1, size: 2 }),
  ]),
  'Any side may cancel its own pending request with $/cancel_request{requestId}': allowed([
    ...opened(),
    ...turn([demand(5, 'fs/read_text_file', { path: '/p' }), announce('$/cancel_request', { requestId: 5 })]),
  ]),
  R176: {
    held: [
      ...opened(),
      ...turn([call(), question(), cancel, announce('$/cancel_request', { requestId: 7 })], 'cancelled'),
    ],
    broken: [
      [
        ...opened(),
        ...turn([call(), question(), cancel, announce('$/cancel_request', { requestId: 99 })], 'cancelled'),
      ],
    ],
  },
  R179: { held: calls(call(), done), broken: [calls(done)] },
  R180: {
    held: calls(call({ status: 'completed' }), call({ toolCallId: 'u', status: 'completed' })),
    broken: [[...calls(call(), done), ...turn([call({ status: 'completed' })], 'end_turn', 3)]],
  },
  R181: { held: calls(call(), done), broken: [calls(update('tool_call', { toolCallId: 't' }))] },
  R182: { held: calls(call(), done), broken: [calls(update('tool_call_update', { status: 'completed' }))] },
  R185: { held: calls(call({ kind: 'read' }), done), broken: [calls(call({ kind: 'shell' }))] },
  R186: { held: calls(call(), done), broken: [calls(call(), change({ status: 'cancelled' }))] },
  R187: {
    held: calls(call(), question(), yes, change({ status: 'in_progress' }), done),
    broken: [calls(call({ status: 'completed' }), question())],
  },
  R188: {
    held: calls(call({ status: 'completed', content: [{ type: 'content', content: { type: 'text', text: '' } }] })),
    broken: [
      calls(call({ content: [{ type: 'content', text: 'x' }] })),
      calls(call({ content: [{ type: 'terminal' }] })),
      calls(call({ content: [{ type: 'diff', path: '/p' }] })),
      calls(call({ content: [{ type: 'text', text: 'x' }] })),
    ],
  },
  R189: {
    held: calls(call({ status: 'completed', content: [file] })),
    broken: [calls(call({ content: [{ ...file, path: 'a' }] }))],
  },
  R191: { held: calls(...created, shown, ...released), broken: [calls(...created, ...released, shown)] },
  'locations{path absolute, line?} may be reported for follow-along': allowed(
    calls(call({ status: 'completed', locations: [{ path: '/a', line: 2 }] })),
  ),
  'rawInput/rawOutput may hold any JSON': allowed(calls(call({ status: 'completed', rawInput: 5 }))),
  R194: {
    held: calls(call({ name: 'read' }), change({ name: 'read' }), change({ name: null }), done),
    broken: [calls(call({ name: 'read' }), change({ name: 'write' }))],
  },
  R196: {
    held: calls(call(), question(), yes, change({ status: 'in_progress' }), done),
    broken: [
      calls(call(), question({ options: [options[0], options[0]] })),
      calls(call(), question({ options: [{ optionId: 'yes', name: 'Yes', kind: 'allow' }] })),
      calls(call(), question({ options: 'yes' })),
    ],
  },
  R206: {
    held: calls(demand(1, 'fs/write_text_file', { path: '/p/a', content: '' }), grant(1)),
    broken: [
      [
        ...opened({ client: { fs: { readTextFile: true } } }),
        demand(1, 'fs/write_text_file', { path: '/p/a', content: '' }),
      ],
    ],
  },
  'line (1-based) and limit select a range': allowed(calls(demand(1, 'fs/read_text_file', { path: '/p/a', limit: 3 }))),
  R216: {
    held: calls(...created, ...released),
    broken: [[...opened({ client: { terminal: false } }), demand(1, 'terminal/create', { command: 'ls' })]],
  },
  R219: {
    held: calls(demand(1, 'terminal/create', { command: 'ls', cwd: '/p' })),
    broken: [calls(demand(1, 'terminal/create', { command: 'ls', cwd: 'src' }))],
  },
  R226: {
    held: calls(...created, ...released),
    broken: [
      [...calls(...created), { ...ask(9, '_later'), after: 2000 }],
      calls(...created, ...released, demand(4, 'terminal/output', { terminalId: 'x' })),
    ],
  },
  'Timeouts are built from create + wait + kill + output + release': allowed(
    calls(demand(4, 'terminal/kill', { terminalId: 'x' })),
  ),
};
