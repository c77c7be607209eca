import { idOf } from '../../../audit/session-facts.ts';
import {
  asMessage,
  at,
  objectsIn,
  type JournalEntry,
  quoted,
  type RawMessage,
  type Reply,
} from '../../../wire/messages.ts';
import { Stopped } from '../../../wire/stopped.ts';
import type { AgentScripts, AgentContext } from '../../agent-context.ts';
import { currentOptions, otherValueIn, selectIn } from '../../fixtures/current-options.ts';
import { calm } from '../../fixtures/preconditions.ts';
import type { Session } from '../../session.ts';

const set = 'session/set_config_option';

export const configOptionScenarios: AgentScripts = {
  'config-options/set': async (context) => {
    const { session, options, select } = await beginWithOptions(context);
    const { currentValue } = select;
    const configId = idOf(select);
    // Version 2 names the type of the value.
    const typed = context.version === 2 ? { type: 'id' } : {};
    const wrong = [
      { ...typed, configId, value: 'no-value-of-yours' },
      { ...typed, configId: 'no-option-of-yours', value: currentValue },
    ];
    const replies: Reply[] = [];
    for (const each of wrong) replies.push(await session.ask(set, each));
    // The current value: setting it cannot change another option.
    const reply = await session.ask(set, { ...typed, configId, value: currentValue });
    if (reply.error !== undefined) throw new Stopped(`${set} was refused: ${String(reply.error.message)}`);
    for (const [nth, refusal] of replies.entries())
      context.see.check('R269', refusal.error === undefined && `${set} accepted ${quoted(wrong[nth])}`, refusal);
    const answered = objectsIn(at(reply.result, 'configOptions'));
    const missing = options.map(idOf).filter((id) => !answered.some((option) => idOf(option) === id));
    context.see.check('R270', missing.length > 0 && `the answer lacks the options ${missing.join(', ')}`, reply);
    const after = answered.find((option) => idOf(option) === configId)?.['currentValue'];
    if (after === undefined) return;
    context.see.check(
      'R269',
      after !== currentValue && `a refused request changed the value to ${quoted(after)}`,
      reply,
    );
    await seeChange(context, session, { options: answered, typed });
  },
  // An audit rule judges that every value is one of its choices, also after the model has changed them.
  'config-options/model': async (context) => {
    const { session, options } = await beginWithOptions(context);
    const model = options.find((option) => option['category'] === 'model' && otherValueIn(option) !== undefined);
    if (model === undefined) throw new Stopped('the agent has no option for its model with several values');
    const typed = context.version === 2 ? { type: 'id' } : {};
    const setTo = (option: RawMessage, value: unknown): Promise<Reply> =>
      session.ask(set, { ...typed, configId: idOf(option), value });
    const value = otherValueIn(model);
    const chosen = await setTo(model, value);
    if (chosen.error !== undefined) throw new Stopped('the agent refused another model: an account may not have it');
    const valueIn = (list: readonly RawMessage[]): unknown =>
      list.find((each) => idOf(each) === idOf(model))?.['currentValue'];
    const answered = objectsIn(at(chosen.result, 'configOptions'));
    const seeValue = (list: readonly RawMessage[], where: string, entry: JournalEntry): void => {
      const fault = `the model was set to ${quoted(value)}, but ${where} still has ${quoted(valueIn(list))}`;
      context.see.check('R270', valueIn(list) !== value && fault, chosen, entry);
    };
    seeValue(answered, 'the answer', chosen.entry);
    await session.wire.quiet(calm);
    const update = session.updates('config_option_update').findLast(({ sessionId }) => sessionId === session.id);
    if (update !== undefined && session.entries.indexOf(update.entry) > session.entries.indexOf(chosen.entry))
      seeValue(currentOptions(session), 'the next update', update.entry);
    const other = answered.find((option) => idOf(option) !== idOf(model) && selectIn([option]) !== undefined);
    if (other !== undefined) {
      // Its own value: that changes nothing.
      const later = await setTo(other, other['currentValue']);
      const list = objectsIn(at(later.result, 'configOptions'));
      if (later.error === undefined && list.length > 0)
        seeValue(list, 'the list after another option was set', later.entry);
    }
    await setTo(model, model['currentValue']);
  },
  // Makes the agent show its options in every possible way, for the audit rules to judge.
  'config-options/booleans': async (context) => {
    context.see.unseen('R261', 'the agent announced no option of type boolean');
    const { session, select } = await beginWithOptions(context);
    const { currentModeId, availableModes } = asMessage(session.setup['modes']) ?? {};
    const other = objectsIn(availableModes).find(({ id }) => id !== currentModeId)?.['id'];
    // Another mode may change the options. The first mode is restored afterwards: some agents store it for the next session.
    for (const modeId of other === undefined ? [] : [other, currentModeId])
      await session.ask('session/set_mode', { modeId });
    await session.ask(set, { configId: select['id'], value: select['currentValue'] });
    const ways = session.agent.restoreMethods();
    await session.says('quince');
    const next = await session.agent.restart();
    for (const way of ways) await next.restore(way, session.id);
  },
};

/** A session with its options, one of which offers values to choose from. */
async function beginWithOptions(
  context: AgentContext,
): Promise<{ readonly session: Session; readonly options: readonly RawMessage[]; readonly select: RawMessage }> {
  const session = await context.session();
  // Late options may be announced now.
  await session.wire.quiet(calm);
  const options = currentOptions(session);
  const select = selectIn(options);
  if (select === undefined) throw new Stopped('the agent has no option with values to choose from');
  return { session, options, select };
}

/** Sets an option to another value and back: some agents store it for the next session. */
async function seeChange(
  { see }: AgentContext,
  session: Session,
  { options, typed }: { readonly options: readonly RawMessage[]; readonly typed: RawMessage },
): Promise<void> {
  const changeable = options.filter((option) => selectIn([option]) !== undefined && otherValueIn(option) !== undefined);
  // Avoid the model option: an account may not have access to every model.
  const option = changeable.find(({ category }) => category !== 'model') ?? changeable[0];
  if (option === undefined) return;
  const { currentValue } = option;
  const configId = idOf(option);
  const value = otherValueIn(option);
  const reply = await session.ask(set, { ...typed, configId, value });
  if (reply.error !== undefined) return;
  await session.ask(set, { ...typed, configId, value: currentValue });
  const after = objectsIn(at(reply.result, 'configOptions')).find((each) => idOf(each) === configId)?.['currentValue'];
  const said = `the answer still reports ${quoted(after)}`;
  const { journal } = session.wire;
  const fault = after === currentValue && `${quoted(configId)} was set to ${quoted(value)}, but ${said}`;
  see.check('R270', fault, journal[journal.indexOf(reply.entry) - 1], reply);
}
