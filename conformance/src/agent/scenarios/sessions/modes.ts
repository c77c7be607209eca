import { Stopped } from '../../../wire/stopped.ts';
import type { JournalEntry, RawMessage } from '../../../wire/journal.ts';
import { asMessage } from '../../../wire/messages.ts';
import type { Wire } from '../../../wire/wire.ts';
import type { AgentScenario } from '../../agent-scenario.ts';
import type { AgentStage } from '../../agent-stage.ts';
import { askedIn, entriesOf, objectsIn, toolReportsIn, updatesIn } from '../../pieces/frames.ts';
import { calm } from '../../pieces/preconditions.ts';
import { currentOptions, modeOptionIn, selectIn } from '../../pieces/current-options.ts';
import { expectPart } from '../../pieces/offered.ts';

/** How modes are set and left. */
export const modeScenarios: readonly AgentScenario[] = [
  {
    id: 'modes/set',
    title: 'an unknown mode is refused, a known one is set, and the option for the mode follows',
    covers: ['R250', 'R257'],
    run: async (stage) => {
      const session = await beginWithModes(stage);
      const { wire, sessionId, currentModeId, available } = session;
      const unknown = await wire.ask('session/set_mode', { sessionId, modeId: 'no-mode-of-yours' });
      const other = available.find((id) => id !== currentModeId);
      const { error } = await wire.ask('session/set_mode', { sessionId, modeId: other ?? currentModeId });
      // Who refuses all of them has refused nothing.
      if (error !== undefined) throw new Stopped(`session/set_mode was refused: ${String(error.message)}`);
      stage.see.check('R250', unknown.error !== undefined, {
        otherwise: 'session/set_mode took a mode that is not available',
        evidence: [unknown.entry],
      });
      if (other === undefined) throw new Stopped('the agent has one mode only');
      await seeInSync(stage, session, other);
      // Some agents keep it for the next session.
      await wire.ask('session/set_mode', { sessionId, modeId: currentModeId });
    },
  },
  {
    id: 'modes/leave',
    title:
      'a mode for planning is left with permission, which is requested as switch_mode, and the new mode is announced',
    covers: ['R254'],
    run: async (stage) => {
      const session = await beginWithModes(stage);
      const { wire, sessionId, available } = session;
      const planning = available.find((id) => /plan|architect/i.test(id));
      const target = available.find((id) => id !== planning);
      if (planning === undefined || target === undefined) throw new Stopped('the agent has no mode for planning');
      const { error } = await wire.ask('session/set_mode', { sessionId, modeId: planning });
      if (error !== undefined) throw new Stopped(`session/set_mode was refused: ${String(error.message)}`);
      const prompt = stage.steer('switch mode', { mode: target, plan: 'nothing is changed' });
      const { entries } = await stage.prompt(wire, sessionId, prompt);
      seeLeft(stage, entries, planning);
    },
  },
];

interface SessionWithModes {
  readonly wire: Wire;
  readonly sessionId: string;
  readonly result: RawMessage;
  readonly currentModeId: unknown;
  readonly available: readonly string[];
}

async function beginWithModes(stage: AgentStage): Promise<SessionWithModes> {
  const { wire } = await stage.ready();
  const { id: sessionId, result } = await stage.newSession(wire);
  const modes = expectPart(result['modes'], 'the agent has no modes');
  const available = objectsIn(modes['availableModes']).map(({ id }) => String(id));
  return { wire, sessionId, result, currentModeId: modes['currentModeId'], available };
}

/** After a mode was set the option for it has to say the same: in an update, or in the next complete list. */
async function seeInSync(
  { see }: AgentStage,
  { wire, sessionId, result }: SessionWithModes,
  mode: unknown,
): Promise<void> {
  const before = modeOptionIn(currentOptions([], { sessionId, result }));
  if (before === undefined) return see.unseen('R257', 'the agent has no option for the mode');
  await wire.quiet(calm);
  const announced = currentOptions(wire.journal, { sessionId, result });
  const probe = selectIn(announced.filter(({ id }) => id !== before['id'])) ?? before;
  if (probe['id'] === before['id'] && modeOptionIn(announced)?.['currentValue'] !== mode)
    return see.unseen('R257', 'no list of options was sent after the mode was set');
  const set = { sessionId, configId: probe['id'], value: probe['id'] === before['id'] ? mode : probe['currentValue'] };
  const { entry, result: answer } = await wire.ask('session/set_config_option', set);
  const after = modeOptionIn(objectsIn(asMessage(answer)?.['configOptions']))?.['currentValue'];
  if (after === undefined) return;
  see.check('R257', after === mode, {
    otherwise: `after session/set_mode to ${JSON.stringify(mode)} the option for the mode says ${JSON.stringify(after)}`,
    evidence: [entry],
  });
}

function seeLeft({ see }: AgentStage, entries: readonly JournalEntry[], planning: unknown): void {
  const announced = updatesIn(entries).filter(
    ({ kind, update }) => kind === 'current_mode_update' && update['currentModeId'] !== planning,
  );
  const permissions = askedIn(entries, 'session/request_permission');
  const isAsked = permissions.some(
    ({ params }) => kindOf(asMessage(params['toolCall']) ?? {}, entries) === 'switch_mode',
  );
  // What else it asked permission for is no way out of the mode.
  if (announced.length === 0 && !isAsked) throw new Stopped('asked to leave its mode for planning, the agent did not');
  see.check('R254', isAsked, {
    otherwise: 'the mode for planning was left without a permission of kind switch_mode',
    evidence: entriesOf([...permissions, ...announced]),
  });
  if (!isAsked) return;
  see.check('R254', announced.length > 0, {
    otherwise: 'leaving the planning mode was approved, and no new mode was announced',
    evidence: entriesOf(permissions),
  });
}

/** The kind of a tool call: of this report, else of the last before it. */
function kindOf(call: RawMessage, entries: readonly JournalEntry[]): unknown {
  const reports = toolReportsIn(entries).filter(({ update }) => update['toolCallId'] === call['toolCallId']);
  return call['kind'] ?? reports.findLast(({ update }) => update['kind'] !== undefined)?.update['kind'];
}
