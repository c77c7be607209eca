import { expect, test } from 'vitest';
import { codeOf, lines, linesOfHistory, project, fixture } from './faulty.ts';

const text = { type: 'text', text: 'words' };
const strange = { type: 'hologram', data: 7 };
const message = (content: unknown): object => ({ sessionUpdate: 'agent_message_chunk', content });
const call = (fields: object): object => ({ sessionUpdate: 'tool_call', toolCallId: 'a', title: 'A', ...fields });

/** Updates that a later version of the protocol, or a careless agent, may send. */
const updates: Readonly<Record<string, object>> = {
  'an unknown update': { sessionUpdate: 'hologram', data: { deep: [1, 2] } },
  'an unknown content block': message(strange),
  'a content block without its fields': message({ type: 'image' }),
  'a message without content': { sessionUpdate: 'agent_message_chunk' },
  'a message with null': message(null),
  'a message with text that is no text': message({ type: 'text', text: { a: 1 } }),
  'an unknown kind of tool': call({ kind: 'teleport' }),
  'an unknown status of a tool': call({ status: 'wondering' }),
  'unknown content of a tool': call({
    content: [strange, { type: 'content', content: strange }, { type: 'diff' }, { type: 'terminal' }, null, 7],
  }),
  'locations that are none': call({ locations: [{ path: 7 }, null, { line: -1 }] }),
  'an update of a call nobody knows': { sessionUpdate: 'tool_call_update', toolCallId: 'unknown', status: 'completed' },
  'a call without an id': { sessionUpdate: 'tool_call', title: 'A' },
  'a plan with strange entries': {
    sessionUpdate: 'plan',
    entries: [{ content: 'x', priority: 'cosmic', status: 'dreaming' }, null, 7],
  },
  'a plan that is no list': { sessionUpdate: 'plan', entries: 'soon' },
  'commands with unknown input': {
    sessionUpdate: 'available_commands_update',
    availableCommands: [{ name: 'x', description: 'y', input: strange }, {}],
  },
  'a mode that is not on offer': { sessionUpdate: 'current_mode_update', currentModeId: 'cosmic' },
  'options of an unknown type': {
    sessionUpdate: 'config_option_update',
    configOptions: [{ id: 'x', name: 'X', type: 'dial', currentValue: 7 }, {}],
  },
  'a notice of unknown severity': { sessionUpdate: 'notice', severity: 'cosmic', title: 'Hm' },
  'usage that is none': { sessionUpdate: 'usage_update', used: -1, size: 'big', cost: { amount: null, currency: 7 } },
  'a compaction in an unknown state': { sessionUpdate: 'compaction_update', compactionId: 'x', status: 'cosmic' },
  'an update that is no object': [] as object,
  'a prototype': { sessionUpdate: '__proto__', constructor: { prototype: 1 } },
};

test('after an update of any shape the turn continues, and the history contains the shown updates', async () => {
  const own = fixture({ cwd: await project() });
  const seen: Record<string, unknown> = {};
  for (const [what, update] of Object.entries(updates)) {
    seen[what] = await codeOf(own.conversation.prompt(`update ${JSON.stringify(update)}`));
  }
  await own.conversation.prompt(`update ${JSON.stringify(message(text))}`);
  const shown = lines(own.conversation.transcript);
  expect({ seen, last: shown.slice(-2) }).toEqual({
    seen: Object.fromEntries(Object.keys(updates).map((what) => [what, 'no error'])),
    last: ['agent: words', '(end_turn)'],
  });
  expect(linesOfHistory(own.events)).toEqual(shown);
});

test('unknown updates and content are stored unchanged', async () => {
  const own = fixture({ cwd: await project() });
  await own.conversation.prompt(`update ${JSON.stringify(updates['an unknown update'])}`);
  await own.conversation.prompt(`update ${JSON.stringify(message(strange))}`);
  const kept = [...own.conversation.transcript.entries].flatMap((entry): unknown[] => {
    if (entry.type === 'unknown') return [entry.update];
    return entry.type === 'agent' ? [entry.content] : [];
  });
  expect(kept).toEqual([updates['an unknown update'], [strange]]);
});

test.each([
  ['a stop reason', 'session/prompt', { stopReason: 'cosmic' }],
  ['modes', 'session/new', { sessionId: 's', modes: { currentModeId: 'x', availableModes: [{ id: 'y' }, 7] } }],
  ['options', 'session/new', { sessionId: 's', configOptions: [{ id: 'x', type: 'dial' }, null] }],
  [
    'capabilities',
    'initialize',
    { protocolVersion: 1, agentCapabilities: { loadSession: 'maybe', promptCapabilities: 7, mcpCapabilities: [] } },
  ],
  [
    'ways to log in',
    'initialize',
    { protocolVersion: 1, authMethods: [{ id: 'x', name: 'X', type: 'hologram' }, {}, null] },
  ],
  ['an agent without a name', 'initialize', { protocolVersion: 1, agentInfo: { version: 7 } }],
])('an answer with strange %s ends in a result or a typed error, within its limit', async (_, method, result) => {
  const own = fixture({ cwd: await project(), faults: [`answer=${method}:${JSON.stringify(result)}`] });
  const code = await codeOf(own.conversation.opened.then(() => own.conversation.prompt('say hello')));
  expect(['no error', 'invalid-response']).toContain(code);
});
