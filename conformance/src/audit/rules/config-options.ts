import { objectsIn, quoted } from '../../wire/messages.ts';
import type { Frame } from '../frame.ts';
import { listener, type Rule, rule, type RuleContext } from '../rule.ts';
import { choicesOf, idOf } from '../session-facts.ts';

const categories = ['mode', 'model', 'model_config', 'thought_level'];

/** The current value of every option is one of its choices; its category is defined by the protocol or starts with an underscore. */
export const soundOptions: Rule = rule('agent', ['R260', 'R265'], (frame, { check }) => {
  for (const option of frame.partsOf('SessionConfigOption')) {
    const { type, category, currentValue } = option;
    if (type === 'select') {
      const fault =
        !choicesOf(option).includes(currentValue) &&
        `The current value ${quoted(currentValue)} is not a choice of the option ${quoted(idOf(option))}`;
      check('R260', fault, frame);
    }
    if (typeof category !== 'string' || categories.includes(category)) continue;
    const fault =
      !category.startsWith('_') &&
      `The category ${quoted(category)} is not defined by the protocol and does not start with an underscore`;
    check('R265', fault, frame);
  }
});

/** An agent that sends options always sends all of them. */
export const completeOptions: Rule = listener('agent', ['R270', 'R271'], (context) => {
  const before = new Map<string, List>();
  return {
    sent: (frame) => {
      const session = frame.sessionId ?? String(frame.result?.['sessionId']);
      const isSet = frame.method === 'session/set_config_option' && frame.isSuccess;
      const announced = frame.update?.sessionUpdate === 'config_option_update' ? frame.update : frame.result;
      const options: unknown = announced?.['configOptions'];
      if (!Array.isArray(options)) return;
      const values = new Map(objectsIn(options).map((option) => [idOf(option), option['currentValue']]));
      const list: List = { frame, requirement: isSet ? 'R270' : 'R271', values, gone: [] };
      const known = before.get(session);
      if (known !== undefined && (isSet || announced === frame.update)) judgeList(known, list, context);
      before.set(session, list);
    },
  };
});

interface List {
  readonly frame: Frame;
  readonly requirement: 'R270' | 'R271';
  /** Values of the options by id. */
  readonly values: ReadonlyMap<unknown, unknown>;
  /** Options from the previous list that are missing here, if the option that was set may have removed them. */
  gone: readonly unknown[];
}

function judgeList(known: List, list: List, context: RuleContext): void {
  const { frame, requirement, values } = list;
  if (known.gone.some((id) => values.has(id)) && isAsBefore(known, list))
    return context.broken(
      known.requirement,
      'Options were missing from one list and reappeared in the next',
      known.frame,
      frame,
    );
  if (known.values.size === 0) return;
  const set = requirement === 'R270' ? frame.request?.params['configId'] : undefined;
  if (set === undefined || values.has(set)) return judgeLeft(known, list, context);
  context.broken(requirement, `The answer lacks the option that was set, ${quoted(set)}`, frame);
}

/** A choice may remove other options. But not all of them, nor all but one of many, if no value changed. */
function judgeLeft(known: List, list: List, { held, broken }: RuleContext): void {
  const { frame, requirement, values } = list;
  const gone = [...known.values.keys()].filter((id) => !values.has(id));
  if (gone.length === 0) return held(requirement);
  const isRest = values.size === 0 || (values.size === 1 && known.values.size > 2);
  if (isRest && isAsBefore(list, known))
    broken(requirement, `The previous list had ${known.values.size} options, this one has ${values.size}`, frame);
  else if (isRest) list.gone = gone;
}

/** Whether the options of one list have the same values in another: then no choice changed anything. */
function isAsBefore(one: List, other: List): boolean {
  return [...one.values].every(([id, value]) => other.values.get(id) === value);
}

/** A client sets only known options, and only to their choices. */
export const listedValue: Rule = rule('client', ['R268'], (frame, { facts, held, broken }) => {
  if (frame.kind !== 'request' || frame.method !== 'session/set_config_option' || frame.sessionId === undefined) return;
  const { configId, value, type } = frame.params;
  const { choices } = facts.session(frame.sessionId);
  if (choices.size === 0) return;
  const known = choices.get(String(configId));
  if (known?.has(value) !== true)
    return broken('R268', `${quoted(value)} is not a choice of the option ${quoted(configId)}`, frame);
  if (typeof value === 'boolean' && type !== 'boolean')
    return broken('R268', 'A boolean value has no "type": "boolean"', frame);
  held('R268');
});
