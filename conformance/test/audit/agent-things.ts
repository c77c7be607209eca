import { type AuditCases, allowed } from './audit-case.ts';
import { announce, ask, demand, everything, grant, opened, reply, type ScriptedLine, turn, update } from './talk.ts';

const block = (content: object): readonly ScriptedLine[] => [
  ...opened(),
  ...turn([update('agent_message_chunk', { content })]),
];
const modes = {
  currentModeId: 'ask',
  availableModes: [
    { id: 'ask', name: 'Ask' },
    { id: 'code', name: 'Code' },
  ],
};
const values = [
  { value: 'ask', name: 'Ask' },
  { value: 'code', name: 'Code' },
];
const modeOption = { id: 'mode', name: 'Mode', category: 'mode', type: 'select', currentValue: 'ask', options: values };
const model = { id: 'model', name: 'Model', type: 'select', currentValue: 'ask', options: values };
const chosen = { ...model, currentValue: 'code' };
const effort = { ...model, id: 'effort', category: '_effort' };
const withOptions = (...configOptions: readonly unknown[]): readonly ScriptedLine[] =>
  opened({ session: { configOptions } });
const all = [modeOption, model, effort];
const set = (...answer: readonly unknown[]): readonly ScriptedLine[] => [
  ...withOptions(...all),
  ask(2, 'session/set_config_option', { sessionId: 's1', configId: 'model', value: 'code' }),
  reply(2, { configOptions: answer }),
];
const command = { name: 'web', description: 'Searches' };
const plan = (entry: object): readonly ScriptedLine[] => [...opened(), update('plan', { entries: [entry] })];
const form = (changes: object = {}, properties: unknown = { a: { type: 'string' } }): ScriptedLine =>
  demand(5, 'elicitation/create', {
    mode: 'form',
    message: 'Who?',
    requestedSchema: { type: 'object', properties },
    ...changes,
  });
const link = (id: number, changes: object = {}): ScriptedLine =>
  demand(id, 'elicitation/create', {
    mode: 'url',
    message: 'Look',
    elicitationId: 'e',
    url: 'https://example.org/',
    ...changes,
  });
const accept = grant(5, { action: 'accept' });
const compaction = (status: string, changes: object = {}): ScriptedLine =>
  update('compaction_update', { compactionId: 'c', status, ...changes });
const summary = update('compaction_summary_chunk', { compactionId: 'c', content: { type: 'text', text: '' } });
const meta = { ...everything, _meta: { 'x.org': { y: true } } };

const forking = [
  ...opened({ agent: { ...everything, sessionCapabilities: { fork: {} } } }),
  ask(2, 'session/fork', { sessionId: 's1', cwd: '/p', mcpServers: [] }),
];

/** Content, plans, modes, options, commands, extensions, questions, notices and compaction. */
export const agentThings: AuditCases = {
  R371: {
    held: [...forking, reply(2, { sessionId: 's2' })],
    broken: [
      [...forking, reply(2, { session: 's2' })],
      [...opened(), update('plan_removed', { plan: 7 })],
    ],
  },
  R394: {
    held: [...opened({ client: { ...everything, plan: {} } }), update('plan_removed', { planId: 'one' })],
    broken: [
      [...opened(), update('plan_removed', { planId: 'one' })],
      [...opened({ client: { ...everything, plan: {} } }), update('subagent_update', { sessionId: 'child' })],
    ],
  },
  R233: {
    held: block({ type: 'text', text: '' }),
    broken: [block({ type: 'text' }), block({ type: 'video', url: 'https://a.b' })],
  },
  R234: {
    held: block({ type: 'image', data: 'AAAA', mimeType: 'image/png' }),
    broken: [
      block({ type: 'image', data: 'AAAA' }),
      block({ type: 'audio', data: 'not base64!', mimeType: 'audio/wav' }),
    ],
  },
  R235: {
    held: block({ type: 'resource', resource: { uri: 'file:///a', text: '' } }),
    broken: [
      block({ type: 'resource', resource: { uri: 'file:///a' } }),
      block({ type: 'resource', uri: 'file:///a' }),
    ],
  },
  R236: {
    held: block({ type: 'resource_link', uri: 'file:///a', name: 'a' }),
    broken: [block({ type: 'resource_link', uri: 'a:b' })],
  },
  'any content block may have annotations (audience, lastModified, priority)': allowed(
    block({ type: 'text', text: '', annotations: { priority: 1 } }),
  ),
  'an agent may send plans': allowed(plan({ content: 'x', priority: 'high', status: 'pending' })),
  R245: {
    held: plan({ content: 'x', priority: 'high', status: 'pending' }),
    broken: [plan({ content: 'x', priority: 'urgent', status: 'pending' }), plan({ content: 'x', status: 'pending' })],
  },
  R247: {
    held: [...opened({ client: { plan: {} } }), update('plan_removed', { planId: 'p' })],
    broken: [[...opened(), update('plan_removed', { planId: 'p' })]],
  },
  'session/new, load and resume may return modes with currentModeId and availableModes': allowed(
    opened({ session: { modes } }),
  ),
  'an agent may change the mode itself if it sends current_mode_update': allowed([
    ...opened({ session: { modes } }),
    update('current_mode_update', { currentModeId: 'code' }),
  ]),
  R253: {
    held: [...opened({ session: { modes } }), update('current_mode_update', { currentModeId: 'code' })],
    broken: [
      [...opened({ session: { modes } }), update('current_mode_update', { modeId: 'code' })],
      [...opened({ session: { modes } }), update('current_mode_update', { currentModeId: 'plan' })],
      opened({ session: { modes: { ...modes, currentModeId: 'plan' } } }),
    ],
  },
  R257: {
    held: opened({ session: { modes, configOptions: [modeOption] } }),
    broken: [opened({ session: { modes, configOptions: [{ ...modeOption, currentValue: 'code' }] } })],
  },
  R260: { held: withOptions(model), broken: [withOptions({ ...model, currentValue: 'other' })] },
  R261: {
    held: withOptions({ id: 'b', name: 'B', type: 'boolean', currentValue: true }),
    broken: [
      opened({
        client: {},
        session: { configOptions: [{ id: 'b', name: 'B', type: 'boolean', currentValue: true }] },
      }),
    ],
  },
  'an option may have a category (mode, model, model_config, thought_level or _custom)': allowed(
    withOptions(modeOption),
  ),
  R265: { held: withOptions(effort), broken: [withOptions({ ...effort, category: 'effort' })] },
  R270: {
    held: set(...all),
    broken: [
      set(model),
      set(modeOption, effort),
      set(),
      set(1),
      [...set(chosen), update('config_option_update', { configOptions: [modeOption, chosen, effort] })],
    ],
  },
  R271: {
    held: [...withOptions(...all), update('config_option_update', { configOptions: all })],
    broken: [
      [...withOptions(...all), update('config_option_update', { configOptions: [model] })],
      [...withOptions(...all), update('config_option_update')],
    ],
  },
  R274: {
    held: withOptions({ ...model, options: [{ group: 'g', name: 'G', options: values }] }),
    broken: [withOptions({ ...model, options: { ask: 'Ask' } })],
  },
  'available_commands_update may be sent after session creation and again at any time, with the full list': allowed([
    ...opened(),
    update('available_commands_update', { availableCommands: [] }),
  ]),
  R276: {
    held: [
      ...opened(),
      update('available_commands_update', { availableCommands: [{ ...command, input: { hint: 'x' } }] }),
    ],
    broken: [[...opened(), update('available_commands_update', { availableCommands: [{ name: 'web' }] })]],
  },
  'any type may have _meta': allowed([
    ...opened(),
    ...turn([update('usage_update', { used: 1, size: 2, _meta: { a: 1 } })]),
  ]),
  R280: {
    held: [...opened(), ...turn()],
    broken: [
      [...opened(), update('usage_update', { used: 1, size: 2, model: 'x' })],
      opened({ session: { colour: 'red' } }),
      opened({ agent: { ...everything, mcpCapabilities: { colour: 'red' } } }),
    ],
  },
  'objects without a name in the schema may have the keys of drafts': allowed(
    opened({ agent: { ...everything, mcpCapabilities: { acp: false }, auth: { status: {} } } }),
  ),
  R282: {
    held: [
      ...opened(),
      announce('session/update', { ...traced('00-'.concat('a'.repeat(32), '-', 'b'.repeat(16), '-01')) }),
    ],
    broken: [[...opened(), announce('session/update', traced('mine'))]],
  },
  R283: {
    held: [...opened({ agent: meta }), announce('_x.org/told'), announce('session/archive')],
    broken: [[...opened(), announce('told')]],
  },
  R286: {
    held: [...opened({ agent: meta }), announce('_x.org/told')],
    broken: [[...opened(), announce('_x.org/told')]],
  },
  R287: {
    held: [...opened(), ...turn([form(), accept])],
    broken: [
      [...opened({ client: { elicitation: {} } }), form()],
      [...opened({ client: { elicitation: { form: {} } } }), link(5)],
    ],
  },
  R290: {
    held: [...opened(), ...turn([form(), accept])],
    broken: [
      [...opened(), form({ mode: undefined })],
      [...opened(), form({ sessionId: undefined })],
      [...opened(), form({ sessionId: undefined, requestId: 77 })],
    ],
  },
  R298: {
    held: [...opened(), ...turn([form(), accept])],
    broken: [
      [...opened(), form({}, { a: { type: 'object', properties: {} } })],
      [...opened(), form({}, { a: { type: 'string', minLength: 'x' } })],
    ],
  },
  R303: {
    held: [...opened(), link(5)],
    broken: [[...opened(), link(5, { url: 'https://me:secret@example.org/' })]],
  },
  R309: {
    held: [...opened(), link(5), accept, announce('elicitation/complete', { elicitationId: 'e' }), link(6)],
    broken: [[...opened(), link(5), accept, link(6)]],
  },
  'elicitation/complete may be sent when a URL question is completed': allowed([
    ...opened(),
    link(5),
    accept,
    announce('elicitation/complete', { elicitationId: 'e' }),
  ]),
  R315: {
    held: [...opened(), update('notice', { severity: 'info', title: 'x' })],
    broken: [[...opened({ client: { session: {} } }), update('notice', { severity: 'info', title: 'x' })]],
  },
  R316: {
    held: [...opened(), update('notice', { severity: 'odd', title: 'x' })],
    broken: [[...opened(), update('notice', { severity: 'info', title: '' })]],
  },
  R319: {
    held: [...opened(), compaction('in_progress'), compaction('completed')],
    broken: [[...opened({ client: {} }), compaction('in_progress')]],
  },
  R320: {
    held: [...opened(), compaction('in_progress'), summary, compaction('completed')],
    broken: [
      [...opened(), summary],
      [...opened(), compaction('in_progress'), compaction('completed'), summary],
      [...opened(), compaction('failed'), compaction('completed')],
    ],
  },
  R322: {
    held: [...opened(), compaction('in_progress'), compaction('failed', { error: 'x' })],
    broken: [
      [...opened(), compaction('completed'), compaction('in_progress')],
      [...opened(), compaction('in_progress', { summary: [{ type: 'text', text: '' }] })],
      [...opened(), compaction('completed', { error: 'x' })],
    ],
  },
};

function traced(traceparent: string): { readonly [key: string]: unknown } {
  const content = { type: 'text', text: '' };
  return { sessionId: 's1', update: { sessionUpdate: 'agent_thought_chunk', content }, _meta: { traceparent } };
}
