import offers from './settings.json' with { type: 'json' };
import type { RequirementId } from '../../../requirements/requirement.ts';
import { quoted, type RawMessage } from '../../../wire/messages.ts';
import { Stopped } from '../../../wire/stopped.ts';
import type { PlayedAgent } from '../../agent/played-agent.ts';
import { type ClientScripts, type ClientStage, type Done, howItEnded, type Values } from '../../client-stage.ts';
import { faultOf, reports } from '../endings.ts';

const setOption = 'session/set_config_option';
const { modes, model, modeOption, grouped, fast, odd } = offers;

export const settingsScenarios: ClientScripts = {
  'settings/mode': async (stage) => {
    const done = await begun(stage, { modes }, { mode: 'plan' });
    isSet(stage, done, { method: 'session/set_mode', params: { modeId: 'plan' }, because: ['R249'] });
  },
  'settings/unknown-mode': async (stage) => {
    const done = await begun(stage, { modes }, { mode: 'no-such-mode' });
    refusedAloud(stage, done, ['R249', 'session/set_mode']);
  },
  'settings/options-for-modes': async (stage) => {
    const { agents, end } = await begun(stage, { modes, configOptions: [modeOption, model] }, { mode: 'plan' });
    const byMode = callsIn(agents, 'session/set_mode').length;
    const byOption = callsIn(agents, setOption).length;
    if (byMode + byOption === 0) throw new Stopped(`the client set no mode: ${howItEnded(end)}`);
    // If it is set as a mode, the frames show it.
    if (byMode === 0) stage.see.held('R256');
  },
  'settings/option': async (stage) => {
    const done = await begun(stage, { configOptions: [model] }, { option: 'model', value: 'large' });
    isSet(stage, done, { params: { configId: 'model', value: 'large' }, because: ['R268'] });
  },
  'settings/unknown-value': async (stage) => {
    const done = await begun(stage, { configOptions: [model] }, { option: 'model', value: 'enormous' });
    refusedAloud(stage, done, ['R268', setOption]);
  },
  'settings/boolean': async (stage) => {
    const needs = 'session.configOptions.boolean';
    stage.play((agent) =>
      agent.handle('initialize', () => {
        if (!agent.clientOffers(needs)) throw new Stopped(`the client does not offer ${needs}`);
        return agent.introduction();
      }),
    );
    const done = await begun(stage, { configOptions: [model, fast] }, { option: 'fast', value: 'true' });
    isSet(stage, done, { params: { configId: 'fast', type: 'boolean', value: true }, because: ['R268'] });
  },
  'settings/odd-options': async (stage) => {
    const setup = { configOptions: odd };
    const done = await begunAfterPlain(stage, setup, { option: 'model', value: 'large' });
    const because: readonly RequirementId[] = ['R262', 'R263', 'R265', 'R267'];
    isSet(stage, done, { params: { configId: 'model', value: 'large' }, because, isOwed: true });
  },
  'settings/groups': async (stage) => {
    const setup = { configOptions: [model, grouped] };
    const done = await begunAfterPlain(stage, setup, { option: 'grouped', value: 'large' });
    isSet(stage, done, { params: { configId: 'grouped', value: 'large' }, because: ['R274'], isOwed: true });
  },
};

/** A client that did something, and the agents it started for that. */
interface Begun extends Done {
  readonly agents: readonly PlayedAgent[];
}

/** A client that sets a mode, or an option, in a session that begins so. Stops the scenario if it begins none. */
async function begun(stage: ClientStage, setup: RawMessage, wanted: Values): Promise<Begun> {
  const from = stage.agents.length;
  stage.play((agent) => agent.offer({ setup }));
  const done = await stage.perform(wanted['mode'] === undefined ? 'option' : 'mode', wanted);
  const agents = stage.agents.slice(from);
  if (callsIn(agents, 'session/new').length === 0)
    throw new Stopped(`the client began no session: ${howItEnded(done.end)}`);
  return { ...done, agents };
}

/** The same, once it has set a plain option: the protocol does not require that it can be made to. */
async function begunAfterPlain(stage: ClientStage, setup: RawMessage, wanted: Values): Promise<Begun> {
  const before = await begun(stage, { configOptions: [model] }, { option: 'model', value: 'large' });
  if (callsIn(before.agents, setOption).length === 0)
    throw new Stopped(`the client did not set a plain option: ${howItEnded(before.end)}`);
  return begun(stage, setup, wanted);
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
  const missing = `${method} was not called with ${quoted(params)}: ${howItEnded(end)}`;
  if (calls.length === 0 && !isOwed) throw new Stopped(missing);
  const isSent = calls.some((call) => Object.entries(params).every(([key, value]) => call.params[key] === value));
  see.check(because, (isOwed && faultOf(end)) || (!isSent && missing), calls);
}

/** An invalid setting is not sent, and the user is informed. That it is sent is seen in the frames. */
function refusedAloud(stage: ClientStage, done: Begun, [requirement, method]: readonly [RequirementId, string]): void {
  if (callsIn(done.agents, method).length > 0) return;
  stage.see.held(requirement);
  reports(stage, done);
}

/** What was called of all agents: a client may set something by another process than the one that began the session. */
function callsIn(agents: readonly PlayedAgent[], method: string): ReturnType<PlayedAgent['calls']> {
  return agents.flatMap((agent) => agent.calls(method));
}
