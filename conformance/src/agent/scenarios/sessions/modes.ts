import { asMessage, at, objectsIn, quoted, type RawMessage } from '../../../wire/messages.ts';
import { Stopped } from '../../../wire/stopped.ts';
import type { AgentScripts, AgentStage } from '../../agent-stage.ts';
import { currentOptions, modeOptionIn, selectIn } from '../../pieces/current-options.ts';
import { calm } from '../../pieces/preconditions.ts';
import type { RunningTurn } from '../../running-turn.ts';
import type { Session } from '../../session.ts';

export const modeScenarios: AgentScripts = {
  'modes/set': async (stage) => {
    const { session, current, available } = await beginWithModes(stage);
    const unknown = await session.ask('session/set_mode', { modeId: 'no-mode-of-yours' });
    const other = available.find((id) => id !== current);
    // Who refuses all of them has refused nothing.
    await setMode(session, other ?? current);
    const fault = unknown.error === undefined && 'session/set_mode took a mode that is not available';
    stage.see.check('R250', fault, unknown);
    if (other === undefined) throw new Stopped('the agent has one mode only');
    await seeInSync(stage, session, other);
    // Some agents keep it for the next session.
    await session.ask('session/set_mode', { modeId: current });
  },
  'modes/leave': async (stage) => {
    const { session, available } = await beginWithModes(stage);
    const planning = available.find((id) => /plan|architect/i.test(id));
    const target = available.find((id) => id !== planning);
    if (planning === undefined || target === undefined) throw new Stopped('the agent has no mode for planning');
    await setMode(session, planning);
    seeLeft(stage, await session.does('switch mode', { mode: target, plan: 'nothing is changed' }), planning);
  },
};

async function beginWithModes(
  stage: AgentStage,
): Promise<{ session: Session; current: unknown; available: readonly string[] }> {
  const session = await stage.session();
  const modes = asMessage(session.setup['modes']);
  if (modes === undefined) throw new Stopped('the agent has no modes');
  const available = objectsIn(modes['availableModes']).map(({ id }) => String(id));
  return { session, current: modes['currentModeId'], available };
}

async function setMode(session: Session, modeId: unknown): Promise<void> {
  const { error } = await session.ask('session/set_mode', { modeId });
  if (error !== undefined) throw new Stopped(`session/set_mode was refused: ${String(error.message)}`);
}

/** After a mode was set the option for it has to say the same: in an update, or in the next complete list. */
async function seeInSync({ see }: AgentStage, session: Session, mode: unknown): Promise<void> {
  const before = modeOptionIn(objectsIn(session.setup['configOptions']));
  if (before === undefined) return see.unseen('R257', 'the agent has no option for the mode');
  await session.wire.quiet(calm);
  const announced = currentOptions(session);
  const probe = selectIn(announced.filter(({ id }) => id !== before['id'])) ?? before;
  const isOwn = probe['id'] === before['id'];
  if (isOwn && modeOptionIn(announced)?.['currentValue'] !== mode)
    return see.unseen('R257', 'no list of options was sent after the mode was set');
  const set = { configId: probe['id'], value: isOwn ? mode : probe['currentValue'] };
  const reply = await session.ask('session/set_config_option', set);
  const after = modeOptionIn(objectsIn(at(reply.result, 'configOptions')))?.['currentValue'];
  if (after === undefined) return;
  const fault = `after session/set_mode to ${quoted(mode)} the option for the mode says ${quoted(after)}`;
  see.check('R257', after !== mode && fault, reply);
}

function seeLeft({ see }: AgentStage, turn: RunningTurn, planning: unknown): void {
  const announced = turn.updates('current_mode_update').filter(({ update }) => update['currentModeId'] !== planning);
  const permissions = turn.asked('session/request_permission');
  const isAsked = permissions.some(({ params }) => kindOf(asMessage(params['toolCall']) ?? {}, turn) === 'switch_mode');
  // What else it asked permission for is no way out of the mode.
  if (announced.length === 0 && !isAsked) throw new Stopped('asked to leave its mode for planning, the agent did not');
  const unasked = !isAsked && 'the mode for planning was left without a permission of kind switch_mode';
  if (!see.check('R254', unasked, permissions, announced)) return;
  const isSilent = announced.length === 0;
  see.check('R254', isSilent && 'leaving the planning mode was approved, and no new mode was announced', permissions);
}

/** The kind of a tool call: of this report, else of the last before it. */
function kindOf(call: RawMessage, turn: RunningTurn): unknown {
  const reports = turn.toolReports.filter(({ update }) => update['toolCallId'] === call['toolCallId']);
  return call['kind'] ?? reports.findLast(({ update }) => update['kind'] !== undefined)?.update['kind'];
}
