import { asMessage, at, objectsIn, quoted, type RawMessage, type Reply } from '../../../wire/messages.ts';
import { Stopped } from '../../../wire/stopped.ts';
import type { AgentScripts, AgentStage } from '../../agent-stage.ts';
import { currentOptions, otherValueIn, selectIn } from '../../pieces/current-options.ts';
import { calm } from '../../pieces/preconditions.ts';
import type { Session } from '../../session.ts';

const set = 'session/set_config_option';

export const configOptionScenarios: AgentScripts = {
  'config-options/set': async (stage) => {
    const { session, options, select } = await beginWithOptions(stage);
    const { id: configId, currentValue } = select;
    const wrong = [
      { configId, value: 'no-value-of-yours' },
      { configId: 'no-option-of-yours', value: currentValue },
    ];
    const replies: Reply[] = [];
    for (const each of wrong) replies.push(await session.ask(set, each));
    // To what it is already: nothing else can change with it.
    const reply = await session.ask(set, { configId, value: currentValue });
    if (reply.error !== undefined) throw new Stopped(`${set} was refused: ${String(reply.error.message)}`);
    for (const [nth, refusal] of replies.entries())
      stage.see.check('R269', refusal.error === undefined && `${set} took ${quoted(wrong[nth])}`, refusal);
    const answered = objectsIn(at(reply.result, 'configOptions'));
    const missing = options.map(({ id }) => id).filter((id) => !answered.some((option) => option['id'] === id));
    stage.see.check('R270', missing.length > 0 && `the answer lacks the options ${missing.join(', ')}`, reply);
    const after = answered.find(({ id }) => id === configId)?.['currentValue'];
    if (after === undefined) return;
    stage.see.check('R269', after !== currentValue && `a value that was refused is in force: ${quoted(after)}`, reply);
    await seeChange(stage, session, answered);
  },
  // Makes the agent show its options in every way there is. The audit looks at them.
  'config-options/booleans': async (stage) => {
    stage.see.unseen('R261', 'the agent announced no option of type boolean');
    const { session, select } = await beginWithOptions(stage);
    const { currentModeId, availableModes } = asMessage(session.setup['modes']) ?? {};
    const other = objectsIn(availableModes).find(({ id }) => id !== currentModeId)?.['id'];
    // Another mode may change the options. The first mode is restored: some agents store it for the next session.
    for (const modeId of other === undefined ? [] : [other, currentModeId])
      await session.ask('session/set_mode', { modeId });
    await session.ask(set, { configId: select['id'], value: select['currentValue'] });
    const ways = session.agent.waysBack();
    await session.says('quince');
    const next = await session.agent.restart();
    for (const way of ways) await next.bringBack(way, session.id);
  },
};

/** A session with all its options, and one of them with a value to choose. */
async function beginWithOptions(
  stage: AgentStage,
): Promise<{ readonly session: Session; readonly options: readonly RawMessage[]; readonly select: RawMessage }> {
  const session = await stage.session();
  // Options that become known late may be announced now.
  await session.wire.quiet(calm);
  const options = currentOptions(session);
  const select = selectIn(options);
  if (select === undefined) throw new Stopped('the agent has no option with values to choose from');
  return { session, options, select };
}

/** Sets an option to another value, and back: some agents keep it for the next session. */
async function seeChange({ see }: AgentStage, session: Session, options: readonly RawMessage[]): Promise<void> {
  const changeable = options.filter((option) => selectIn([option]) !== undefined && otherValueIn(option) !== undefined);
  // Not every account may use every model.
  const option = changeable.find(({ category }) => category !== 'model') ?? changeable[0];
  if (option === undefined) return;
  const { id: configId, currentValue } = option;
  const value = otherValueIn(option);
  const reply = await session.ask(set, { configId, value });
  if (reply.error !== undefined) return;
  await session.ask(set, { configId, value: currentValue });
  const after = objectsIn(at(reply.result, 'configOptions')).find(({ id }) => id === configId)?.['currentValue'];
  const said = `the answer says ${quoted(after)} as before`;
  const { journal } = session.wire;
  const fault = after === currentValue && `${quoted(configId)} was set to ${quoted(value)}, and ${said}`;
  see.check('R270', fault, journal[journal.indexOf(reply.entry) - 1], reply);
}
