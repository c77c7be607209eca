import { Stopped } from '../../../wire/stopped.ts';
import type { RawMessage } from '../../../wire/journal.ts';
import { asMessage, type Reply } from '../../../wire/messages.ts';
import type { Wire } from '../../../wire/wire.ts';
import type { AgentScenario } from '../../agent-scenario.ts';
import { fullClient } from '../../host/client-offer.ts';
import type { AgentStage } from '../../agent-stage.ts';
import { objectsIn } from '../../pieces/frames.ts';
import { calm } from '../../pieces/preconditions.ts';
import { currentOptions, otherValueIn, selectIn } from '../../pieces/current-options.ts';
import { isOffered } from '../../pieces/offered.ts';
import { bringBack, restart } from '../../pieces/stored-session.ts';

/** How configuration options are set and shown. */
export const configOptionScenarios: readonly AgentScenario[] = [
  {
    id: 'config-options/set',
    title: 'a value or an option that does not exist is refused and changes nothing; setting one returns them all',
    covers: ['R269', 'R270'],
    run: seeSet,
  },
  {
    id: 'config-options/booleans',
    title: 'a client that does not know options of type boolean is shown none, however it comes to its session',
    covers: ['R261'],
    client: { ...fullClient, session: { configOptions: {}, notices: {}, compaction: {} } },
    run: seeNoBooleans,
  },
];

interface SessionWithOptions {
  readonly wire: Wire;
  readonly sessionId: string;
  readonly result: RawMessage;
  /** All options, as they are. */
  readonly options: readonly RawMessage[];
  /** One of them, with a value to choose. */
  readonly select: RawMessage;
}

async function beginWithOptions(stage: AgentStage, wire: Wire): Promise<SessionWithOptions> {
  const { id: sessionId, result } = await stage.newSession(wire);
  // Options that become known late may be announced now.
  await wire.quiet(calm);
  const options = currentOptions(wire.journal, { sessionId, result });
  const select = selectIn(options);
  if (select === undefined) throw new Stopped('the agent has no option with values to choose from');
  return { wire, sessionId, result, options, select };
}

async function seeSet(stage: AgentStage): Promise<void> {
  const { wire } = await stage.ready();
  const { sessionId, options, select } = await beginWithOptions(stage, wire);
  const wrong = [
    { configId: select['id'], value: 'no-value-of-yours' },
    { configId: 'no-option-of-yours', value: select['currentValue'] },
  ];
  const replies: Reply[] = [];
  for (const each of wrong) replies.push(await wire.ask('session/set_config_option', { sessionId, ...each }));
  // To what it is already: nothing else can change with it.
  const set = { sessionId, configId: select['id'], value: select['currentValue'] };
  const { entry, result, error } = await wire.ask('session/set_config_option', set);
  if (error !== undefined) throw new Stopped(`session/set_config_option was refused: ${String(error.message)}`);
  for (const [nth, { entry: refusal, error: refused }] of replies.entries())
    stage.see.check('R269', refused !== undefined, {
      otherwise: `session/set_config_option took ${JSON.stringify(wrong[nth])}`,
      evidence: [refusal],
    });
  const answered = objectsIn(asMessage(result)?.['configOptions']);
  const missing = options.filter(({ id }) => !answered.some((option) => option['id'] === id));
  stage.see.check('R270', missing.length === 0, {
    otherwise: `the answer lacks the options ${missing.map(({ id }) => String(id)).join(', ')}`,
    evidence: [entry],
  });
  const after = answered.find(({ id }) => id === select['id'])?.['currentValue'];
  if (after === undefined) return;
  stage.see.check('R269', after === select['currentValue'], {
    otherwise: `a value that was refused is in force: ${JSON.stringify(after)}`,
    evidence: [entry],
  });
  await seeChange(stage, { wire, sessionId, answered });
}

/** Sets an option to another value, and back: some agents keep it for the next session. */
async function seeChange(
  { see }: AgentStage,
  { wire, sessionId, answered }: Pick<SessionWithOptions, 'wire' | 'sessionId'> & { answered: readonly RawMessage[] },
): Promise<void> {
  const changeable = answered.filter(
    (option) => selectIn([option]) !== undefined && otherValueIn(option) !== undefined,
  );
  // Not every account may use every model.
  const option = changeable.find(({ category }) => category !== 'model') ?? changeable[0];
  if (option === undefined) return;
  const { id: configId, currentValue } = option;
  const set = { sessionId, configId, value: otherValueIn(option) };
  const { entry, result, error } = await wire.ask('session/set_config_option', set);
  if (error !== undefined) return;
  await wire.ask('session/set_config_option', { ...set, value: currentValue });
  const after = objectsIn(asMessage(result)?.['configOptions']).find(({ id }) => id === configId)?.['currentValue'];
  see.check('R270', after !== currentValue, {
    otherwise: `${JSON.stringify(configId)} was set to ${JSON.stringify(set.value)}, and the answer says ${JSON.stringify(after)} as before`,
    evidence: [wire.journal[wire.journal.indexOf(entry) - 1], entry].filter((each) => each !== undefined),
  });
}

/** Makes the agent show its options in every way there is. The audit looks at them. */
async function seeNoBooleans(stage: AgentStage): Promise<void> {
  stage.see.unseen('R261', 'the agent announced no option of type boolean');
  const { wire, initialized } = await stage.ready();
  const { sessionId, result, select } = await beginWithOptions(stage, wire);
  await changeMode(wire, sessionId, asMessage(result['modes']) ?? {});
  await wire.ask('session/set_config_option', { sessionId, configId: select['id'], value: select['currentValue'] });
  const ways = [
    ...(isOffered(initialized, 'loadSession') ? (['session/load'] as const) : []),
    ...(isOffered(initialized, 'sessionCapabilities.resume') ? (['session/resume'] as const) : []),
  ];
  if (ways.length === 0) return;
  await stage.prompt(wire, sessionId, stage.steer('say', { text: 'quince' }));
  const next = await restart(stage, wire);
  for (const method of ways) await bringBack(stage, { wire: next, method, sessionId });
}

/** Another mode may change the options. The first mode is restored: some agents store it for the next session. */
async function changeMode(wire: Wire, sessionId: string, { currentModeId, availableModes }: RawMessage): Promise<void> {
  const other = objectsIn(availableModes).find(({ id }) => id !== currentModeId)?.['id'];
  if (other === undefined) return;
  for (const modeId of [other, currentModeId]) await wire.ask('session/set_mode', { sessionId, modeId });
}
