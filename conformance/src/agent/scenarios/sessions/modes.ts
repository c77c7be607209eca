import { asMessage, at, objectsIn, quoted, type RawMessage, type Reply } from '../../../wire/messages.ts';
import { Stopped } from '../../../wire/stopped.ts';
import type { AgentScripts, AgentContext } from '../../agent-context.ts';
import { currentOptions, modeOptionIn, selectIn } from '../../fixtures/current-options.ts';
import { calm } from '../../fixtures/preconditions.ts';
import { authenticationRequired, textOfError } from '../../failed-turn.ts';
import type { RunningTurn } from '../../running-turn.ts';
import type { Session } from '../../session.ts';

export const modeScenarios: AgentScripts = {
  'modes/set': async (context) => {
    const { session, current, available } = await beginWithModes(context);
    const unknown = await session.ask('session/set_mode', { modeId: 'no-mode-of-yours' });
    const other = available.find((id) => id !== current);
    await seeSettable(context, session, [other, current]);
    // An agent that refuses every mode has not recognised the unknown one.
    await setMode(session, other ?? current);
    const fault = unknown.error === undefined && 'session/set_mode accepted a mode that is not available';
    context.see.check('R250', fault, unknown);
    if (other === undefined) throw new Stopped('the agent has only one mode');
    await seeInSync(context, session, other);
    // Some agents store the mode for the next session.
    await session.ask('session/set_mode', { modeId: current });
  },
  'modes/leave': async (context) => {
    const { session, available } = await beginWithModes(context);
    const planning = available.find((id) => /plan|architect/i.test(id));
    const target = available.find((id) => id !== planning);
    if (planning === undefined || target === undefined) throw new Stopped('the agent has no planning mode');
    await setMode(session, planning);
    seeLeft(context, await session.does('switch mode', { mode: target, plan: 'nothing is changed' }), planning);
  },
};

async function beginWithModes(
  context: AgentContext,
): Promise<{ session: Session; current: unknown; available: readonly string[] }> {
  const session = await context.session();
  const modes = asMessage(session.setup['modes']);
  if (modes === undefined) throw new Stopped('the agent has no modes');
  const available = objectsIn(modes['availableModes']).map(({ id }) => String(id));
  return { session, current: modes['currentModeId'], available };
}

/** Judges that one of the listed modes can be set. An agent may have a reason to refuse a single mode. */
async function seeSettable({ see }: AgentContext, session: Session, modes: readonly unknown[]): Promise<void> {
  const replies: Reply[] = [];
  for (const modeId of modes.filter((each) => each !== undefined)) {
    const reply = await session.ask('session/set_mode', { modeId });
    if (reply.error === undefined) return see.held('R420');
    replies.push(reply);
  }
  if (replies.some(({ error }) => error?.code === authenticationRequired)) return;
  see.broken(
    'R420',
    `no listed mode can be set, not even the current one: ${textOfError(replies.at(-1) as Reply)}`,
    replies,
  );
}

async function setMode(session: Session, modeId: unknown): Promise<void> {
  const { error } = await session.ask('session/set_mode', { modeId });
  if (error !== undefined) throw new Stopped(`session/set_mode was refused: ${String(error.message)}`);
}

/** Judges that the config option for the mode follows `session/set_mode`: in an update, or in the next complete list. */
async function seeInSync({ see }: AgentContext, session: Session, mode: unknown): Promise<void> {
  const before = modeOptionIn(objectsIn(session.setup['configOptions']));
  if (before === undefined) return see.unseen('R257', 'the agent has no config option for the mode');
  await session.wire.quiet(calm);
  const announced = currentOptions(session);
  const probe = selectIn(announced.filter(({ id }) => id !== before['id'])) ?? before;
  const isOwn = probe['id'] === before['id'];
  if (isOwn && modeOptionIn(announced)?.['currentValue'] !== mode)
    return see.unseen('R257', 'the agent sent no list of options after the mode was set');
  const set = { configId: probe['id'], value: isOwn ? mode : probe['currentValue'] };
  const reply = await session.ask('session/set_config_option', set);
  const after = modeOptionIn(objectsIn(at(reply.result, 'configOptions')))?.['currentValue'];
  if (after === undefined) return;
  const fault = `after session/set_mode to ${quoted(mode)} the config option for the mode is ${quoted(after)}`;
  see.check('R257', after !== mode && fault, reply);
}

function seeLeft({ see }: AgentContext, turn: RunningTurn, planning: unknown): void {
  const announced = turn.updates('current_mode_update').filter(({ update }) => update['currentModeId'] !== planning);
  const permissions = turn.requests('session/request_permission');
  const isAsked = permissions.some(({ params }) => kindOf(asMessage(params['toolCall']) ?? {}, turn) === 'switch_mode');
  // A permission for another action does not leave the mode.
  if (announced.length === 0 && !isAsked) throw new Stopped('the agent did not leave its planning mode when asked to');
  const unasked =
    !isAsked && 'the agent left its planning mode without asking permission for a tool call of kind switch_mode';
  if (!see.check('R254', unasked, permissions, announced)) return;
  const isSilent = announced.length === 0;
  see.check(
    'R254',
    isSilent && 'leaving the planning mode was approved, but the agent announced no new mode',
    permissions,
  );
}

/** The kind of a tool call: from this report, or else from the last report that has one. */
function kindOf(call: RawMessage, turn: RunningTurn): unknown {
  const reports = turn.toolReports.filter(({ update }) => update['toolCallId'] === call['toolCallId']);
  return call['kind'] ?? reports.findLast(({ update }) => update['kind'] !== undefined)?.update['kind'];
}
