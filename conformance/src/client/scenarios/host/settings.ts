import type { RequirementId } from '../../../requirements/requirement.ts';
import type { RawMessage } from '../../../wire/journal.ts';
import { Stopped } from '../../../wire/stopped.ts';
import type { PlayedAgent } from '../../agent/played-agent.ts';
import type { ClientScenario } from '../../client-scenario.ts';
import { type ClientStage, type Done, howItEnded } from '../../client-stage.ts';
import { faultOf, reports } from '../endings.ts';
import { clientOffers } from './host-turn.ts';

const setOption = 'session/set_config_option';
const modes = {
  currentModeId: 'ask',
  availableModes: [
    { id: 'ask', name: 'Ask' },
    { id: 'plan', name: 'Plan', description: null },
  ],
};
const values = [
  { value: 'small', name: 'Small' },
  { value: 'large', name: 'Large', description: 'Slow' },
];
const model = { id: 'model', name: 'Model', category: 'model', type: 'select', currentValue: 'small', options: values };
const modeOption = {
  ...{ id: 'mode', name: 'Mode', category: 'mode', type: 'select', currentValue: 'ask' },
  options: modes.availableModes.map(({ id, name }) => ({ value: id, name })),
};
const grouped = {
  ...{ id: 'grouped', name: 'Grouped', type: 'select', currentValue: 'small' },
  options: [
    { group: 'usual', name: 'Usual', options: [values[0]] },
    { group: 'unusual', name: 'Unusual', options: [values[1]] },
  ],
};

/** Modes and options of a session. */
export const settingsScenarios: readonly ClientScenario[] = [
  {
    id: 'settings/mode',
    title: 'a mode that is listed can be set',
    covers: ['R249'],
    run: async (stage) => {
      const done = await begun(stage, { action: 'mode', setup: { modes }, values: { mode: 'plan' } });
      isSet(stage, done, { method: 'session/set_mode', params: { modeId: 'plan' }, because: ['R249'] });
    },
  },
  {
    id: 'settings/unknown-mode',
    title: 'a mode that is not listed is not set, and the user is informed',
    covers: ['R249', 'R338'],
    run: async (stage) => {
      const done = await begun(stage, { action: 'mode', setup: { modes }, values: { mode: 'no-such-mode' } });
      // That it is sent is seen in the frames.
      if (callsIn(done.agents, 'session/set_mode').length === 0) refusedAloud(stage, done, 'R249');
    },
  },
  {
    id: 'settings/options-for-modes',
    title: 'where there is an option for the mode, it is used in place of session/set_mode',
    covers: ['R256'],
    run: async (stage) => {
      const setup = { modes, configOptions: [modeOption, model] };
      const { agents, end } = await begun(stage, { action: 'mode', setup, values: { mode: 'plan' } });
      const byMode = callsIn(agents, 'session/set_mode').length;
      const byOption = callsIn(agents, setOption).length;
      if (byMode + byOption === 0) throw new Stopped(`the client set no mode: ${howItEnded(end)}`);
      // If it is set as a mode, the frames show it.
      if (byMode === 0) stage.see.held('R256');
    },
  },
  {
    id: 'settings/option',
    title: 'an option can be set to a value that is listed',
    covers: ['R268'],
    run: async (stage) => {
      const setup = { configOptions: [model] };
      const done = await begun(stage, { action: 'option', setup, values: { option: 'model', value: 'large' } });
      isSet(stage, done, { params: { configId: 'model', value: 'large' }, because: ['R268'] });
    },
  },
  {
    id: 'settings/unknown-value',
    title: 'an option is not set to a value that is not listed, and the user is informed',
    covers: ['R268', 'R338'],
    run: async (stage) => {
      const setup = { configOptions: [model] };
      const done = await begun(stage, { action: 'option', setup, values: { option: 'model', value: 'enormous' } });
      // That it is sent is seen in the frames.
      if (callsIn(done.agents, setOption).length === 0) refusedAloud(stage, done, 'R268');
    },
  },
  {
    id: 'settings/boolean',
    title: 'an option that is on or off is set to true or false, with its type',
    covers: ['R268'],
    run: async (stage) => {
      const setup = { configOptions: [model, { id: 'fast', name: 'Fast', type: 'boolean', currentValue: false }] };
      const values = { option: 'fast', value: 'true' };
      const done = await begun(stage, { action: 'option', setup, values, needs: 'session.configOptions.boolean' });
      isSet(stage, done, { params: { configId: 'fast', type: 'boolean', value: true }, because: ['R268'] });
    },
  },
  {
    id: 'settings/odd-options',
    title: 'options of an unknown type are ignored, and categories change nothing',
    covers: ['R262', 'R263', 'R265', 'R267'],
    run: async (stage) => {
      const odd = [
        { id: 'volume', name: 'Volume', type: 'slider', currentValue: 5, minimum: 0, maximum: 10 },
        { ...model, id: 'own', category: '_own' },
        { ...model, id: 'future', category: 'temperament' },
        { ...model, id: 'none', category: null },
      ];
      const setup = { configOptions: [...odd, { ...model, category: undefined }] };
      const done = await begunAfterPlain(stage, setup, { option: 'model', value: 'large' });
      const because: readonly RequirementId[] = ['R262', 'R263', 'R265', 'R267'];
      isSet(stage, done, { params: { configId: 'model', value: 'large' }, because, isOwed: true });
    },
  },
  {
    id: 'settings/groups',
    title: 'a value is found in whatever group it is listed',
    covers: ['R274'],
    run: async (stage) => {
      const setup = { configOptions: [model, grouped] };
      const done = await begunAfterPlain(stage, setup, { option: 'grouped', value: 'large' });
      isSet(stage, done, { params: { configId: 'grouped', value: 'large' }, because: ['R274'], isOwed: true });
    },
  },
];

interface Beginning {
  readonly action: 'mode' | 'option';
  /** What sessions begin with. */
  readonly setup: RawMessage;
  readonly values: Readonly<Record<string, string>>;
  /** What the client must offer for this. */
  readonly needs?: string;
}

/** A client that did something, and the agents it started for that. */
interface Begun extends Done {
  readonly agents: readonly PlayedAgent[];
}

/** A client that sets something in a session that begins so. Stops the scenario if it begins none. */
async function begun(stage: ClientStage, { action, setup, values, needs }: Beginning): Promise<Begun> {
  const from = stage.agents.length;
  stage.play((agent) => {
    agent.offer({ setup });
    agent.handle('initialize', () => {
      if (needs !== undefined && !clientOffers(agent, needs)) throw new Stopped(`the client does not offer ${needs}`);
      return agent.introduction();
    });
  });
  const done = await stage.perform(action, values);
  const agents = stage.agents.slice(from);
  if (callsIn(agents, 'session/new').length === 0)
    throw new Stopped(`the client began no session: ${howItEnded(done.end)}`);
  return { ...done, agents };
}

/** The same, once it has set a plain option: the protocol does not require that it can be made to. */
async function begunAfterPlain(stage: ClientStage, setup: RawMessage, values: Beginning['values']): Promise<Begun> {
  const plain = { option: 'model', value: 'large' };
  const before = await begun(stage, { action: 'option', setup: { configOptions: [model] }, values: plain });
  if (callsIn(before.agents, setOption).length === 0)
    throw new Stopped(`the client did not set a plain option: ${howItEnded(before.end)}`);
  return begun(stage, { action: 'option', setup, values });
}

interface Setting {
  /** Default `session/set_config_option`. */
  readonly method?: string;
  /** What it must have been called with. */
  readonly params: RawMessage;
  readonly because: readonly RequirementId[];
  /** Whether it is known that the client can set such things. */
  readonly isOwed?: boolean;
}

function isSet({ see }: ClientStage, { agents, end }: Begun, setting: Setting): void {
  const { method = setOption, params, because, isOwed = false } = setting;
  const calls = callsIn(agents, method);
  const wanted = `${method} was not called with ${JSON.stringify(params)}: ${howItEnded(end)}`;
  if (calls.length === 0 && !isOwed) throw new Stopped(wanted);
  const isSent = calls.some((call) => Object.entries(params).every(([key, value]) => call.params[key] === value));
  const fault = (isOwed ? faultOf(end) : undefined) ?? (isSent ? undefined : wanted);
  for (const requirement of because) see.check(requirement, fault, calls);
}

/** An invalid setting is not sent, and the user is informed. */
function refusedAloud(stage: ClientStage, done: Begun, requirement: RequirementId): void {
  stage.see.held(requirement);
  reports(stage, done);
}

/** What was called of all agents: a client may set something by another process than the one that began the session. */
function callsIn(agents: readonly PlayedAgent[], method: string): ReturnType<PlayedAgent['calls']> {
  return agents.flatMap((agent) => agent.calls(method));
}
