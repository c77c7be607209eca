import { type AuditCases, allowed } from './audit-case.ts';
import { announce, ask, chunk, demand, grant, notify, opened, reply, type ScriptedLine, turn, update } from './talk.ts';

const call = (changes: object = {}): ScriptedLine =>
  update('tool_call', { toolCallId: 't', title: 'Reading', ...changes });
const change = (changes: object): ScriptedLine => update('tool_call_update', { toolCallId: 't', ...changes });
const done = change({ status: 'completed' });
const calls = (...during: readonly ScriptedLine[]): readonly ScriptedLine[] => [...opened(), ...turn(during)];
const cancel = notify('session/cancel', { sessionId: 's1' });

const options = [
  { optionId: 'yes', name: 'Yes', kind: 'allow_once' },
  { optionId: 'no', name: 'No', kind: 'reject_once' },
];
const question = (changes: object = {}): ScriptedLine =>
  demand(7, 'session/request_permission', { toolCall: { toolCallId: 't' }, options, ...changes });
const yes = grant(7, { outcome: { outcome: 'selected', optionId: 'yes' } });
const no = grant(7, { outcome: { outcome: 'selected', optionId: 'no' } });

const created: readonly ScriptedLine[] = [
  demand(1, 'terminal/create', { command: 'ls', cwd: '/p' }),
  grant(1, { terminalId: 'x' }),
  demand(2, 'terminal/wait_for_exit', { terminalId: 'x' }),
  grant(2, { exitCode: 0 }),
];
const released: readonly ScriptedLine[] = [demand(3, 'terminal/release', { terminalId: 'x' }), grant(3)];
const shown = call({ status: 'completed', content: [{ type: 'terminal', terminalId: 'x' }] });
const file = { type: 'diff', path: '/p/a', newText: '' };

/** A turn that ends with cancelled after some messages. */
function cancelledAfter(...during: readonly ScriptedLine[]): readonly ScriptedLine[] {
  const end = reply(2, { stopReason: 'cancelled' });
  return [...opened(), ask(2, 'session/prompt', { sessionId: 's1', prompt: [] }), ...during, end];
}

/** Turns, tool calls, permissions and requests to the client. */
export const agentTurns: AuditCases = {
  'a turn may contain text, tool calls or both': allowed(calls(chunk())),
  'chunks may have a messageId': allowed(
    calls(update('agent_message_chunk', { messageId: 'm', content: { type: 'text', text: '' } })),
  ),
  'a messageId of null means the same as none in version 1': allowed(
    calls(update('agent_message_chunk', { messageId: null, content: { type: 'text', text: '' } })),
  ),
  'an agent may send usage_update': allowed(calls(update('usage_update', { used: 1, size: 2, cost: null }))),
  R419: {
    held: calls(),
    broken: [cancelledAfter(), cancelledAfter(call(), question(), yes, done)],
  },
  'a turn may end with cancelled after session/cancel': allowed(cancelledAfter(cancel)),
  'a turn may end with cancelled after its session was archived': allowed(
    cancelledAfter(ask(3, 'session/archive', { sessionId: 's1' })),
  ),
  'a turn may end with cancelled after a request of an extension': allowed(
    cancelledAfter(ask(3, '_vendor/stop', { sessionId: 's1' })),
  ),
  'a turn may end with cancelled after a refused permission': allowed(cancelledAfter(call(), question(), no)),
  R145: { held: calls(), broken: [[...opened(), ask(2, 'session/prompt', { sessionId: 's1', prompt: [] }), reply(2)]] },
  R147: { held: calls(), broken: [[...opened(), ...turn([], 'done')]] },
  'an agent may ask for permission before a tool runs': allowed(
    calls(call(), question(), yes, change({ status: 'in_progress' }), done),
  ),
  R150: {
    held: calls(call(), question(), yes, change({ status: 'in_progress' }), done),
    broken: [calls(call(), question(), yes, done)],
  },
  'further updates may follow while a tool runs': allowed(calls(call(), change({ title: 'Read' }), done)),
  'running tools may use files and terminals that the client offers': allowed(
    calls(demand(1, 'fs/read_text_file', { path: '/p/a' }), grant(1, { content: '' })),
  ),
  R409: {
    held: calls(question(), yes, call({ status: 'in_progress' }), done),
    broken: [
      calls(call(), done, question({ toolCall: { toolCallId: 't', status: 'pending' } }), yes),
      calls(call(), done, question({ toolCall: { toolCallId: 'other' } }), yes),
      calls(
        call({ rawInput: { path: 'a' } }),
        call({ toolCallId: 'u', rawInput: { path: 'b' } }),
        question({ toolCall: { toolCallId: 't', rawInput: { path: 'b' } } }),
      ),
    ],
  },
  'a tool call that was refused need not be reported, nor one of a turn that was cancelled': allowed([
    ...calls(question({ toolCall: { toolCallId: 'other' } }), no),
    ...turn([question(), yes, cancel], 'cancelled', 9),
  ]),
  'a permission request may have more or another input than its tool call had before': allowed(
    calls(call(), question({ toolCall: { toolCallId: 't', rawInput: { path: 'b' } } }), no),
  ),
  'a permission request may have the input of an earlier call that has ended: the agent does the same again': allowed(
    calls(
      call({ toolCallId: 'u', rawInput: { path: 'b' } }),
      change({ toolCallId: 'u', status: 'completed' }),
      call({ rawInput: {} }),
      question({ toolCall: { toolCallId: 't', rawInput: { path: 'b' } } }),
      no,
    ),
  ),
  R153: {
    held: calls(call(), change({ status: 'failed' })),
    broken: [calls(call()), calls(call(), change({ title: 'x' }))],
  },
  'content and tool updates may follow session/cancel until the turn ends': allowed([
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
  'mode, command, config, info, usage and notice updates may arrive outside of a turn': allowed([
    ...opened(),
    update('usage_update', { used: 1, size: 2 }),
  ]),
  'a side may cancel its own pending request with $/cancel_request': allowed([
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
  'a tool call may report locations with absolute paths and optional lines': allowed(
    calls(call({ status: 'completed', locations: [{ path: '/a', line: 2 }] })),
  ),
  'rawInput and rawOutput may be any JSON': allowed(calls(call({ status: 'completed', rawInput: 5 }))),
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
  'fs/read_text_file may select a range with line, counted from 1, and limit': allowed(
    calls(demand(1, 'fs/read_text_file', { path: '/p/a', limit: 3 })),
  ),
  R216: {
    held: calls(...created, ...released),
    broken: [[...opened({ client: { terminal: false } }), demand(1, 'terminal/create', { command: 'ls' })]],
  },
  R219: {
    held: calls(demand(1, 'terminal/create', { command: 'ls', cwd: '/p' })),
    broken: [calls(demand(1, 'terminal/create', { command: 'ls', cwd: 'src' }))],
  },
  R413: {
    held: calls(demand(1, 'terminal/create', { command: 'ls', cwd: '/p' })),
    broken: [
      calls(demand(1, 'terminal/create', { command: 'ls' })),
      calls(demand(1, 'terminal/create', { command: 'ls', cwd: null })),
    ],
  },
  R226: {
    held: calls(...created, ...released),
    broken: [
      [...calls(...created), { ...ask(9, '_later'), after: 2000 }],
      calls(...created, ...released, demand(4, 'terminal/output', { terminalId: 'x' })),
    ],
  },
  'an agent may build a timeout from terminal/create, wait, kill, output and release': allowed(
    calls(demand(4, 'terminal/kill', { terminalId: 'x' })),
  ),
};
