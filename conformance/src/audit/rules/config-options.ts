import type { RawMessage } from '../../wire/journal.ts';
import { asMessage } from '../../wire/messages.ts';
import type { Frame } from '../frame.ts';
import type { Hearing, Rule } from '../rule.ts';
import { choicesOf } from '../session-facts.ts';

const categories = ['mode', 'model', 'model_config', 'thought_level'];

export const soundOptions: Rule = {
  name: 'Every option has a value that can be chosen, and a category of the protocol or one with an underscore',
  judges: 'agent',
  requirements: ['R260', 'R265'],
  listen: ({ held, broken }) => ({
    said: (frame) => {
      for (const option of optionsIn(frame)) {
        const { id, type, category, currentValue } = option;
        if (type === 'select') {
          if (choicesOf(option).includes(currentValue)) held('R260');
          else
            broken(
              'R260',
              `${JSON.stringify(currentValue)} cannot be chosen in the option ${JSON.stringify(id)}`,
              frame,
            );
        }
        if (typeof category !== 'string' || categories.includes(category)) continue;
        if (category.startsWith('_')) held('R265');
        else broken('R265', `The category ${JSON.stringify(category)} has no underscore in front`, frame);
      }
    },
  }),
};

function optionsIn(frame: Frame): readonly RawMessage[] {
  return frame.dissection.parts
    .filter(({ type }) => type === 'SessionConfigOption')
    .map(({ value }) => asMessage(value))
    .filter((option) => option !== undefined);
}

export const completeOptions: Rule = {
  name: 'Whenever options are told, all of them are',
  judges: 'agent',
  requirements: ['R270', 'R271'],
  listen: (hearing) => {
    const before = new Map<string, readonly unknown[]>();
    return {
      said: (frame) => {
        const session = frame.sessionId ?? String(frame.result?.['sessionId']);
        const isSet = frame.method === 'session/set_config_option' && frame.isSuccess;
        const told = frame.update?.sessionUpdate === 'config_option_update' ? frame.update : frame.result;
        const options: unknown = told?.['configOptions'];
        if (!Array.isArray(options)) return;
        const ids = options.map((option) => asMessage(option)?.['id']);
        const known = before.get(session) ?? [];
        if (isSet)
          judgeList(hearing, { requirement: 'R270', frame, known, ids, set: frame.request?.params['configId'] });
        else if (told === frame.update) judgeList(hearing, { requirement: 'R271', frame, known, ids });
        before.set(session, ids);
      },
    };
  },
};

interface Told {
  readonly requirement: 'R270' | 'R271';
  readonly frame: Frame;
  readonly known: readonly unknown[];
  readonly ids: readonly unknown[];
  /** The option that was set. */
  readonly set?: unknown;
}

/** Options may go because of what is chosen in others. But not all of them, nor the one that was set, nor all but one of many. */
function judgeList({ held, broken }: Hearing, { requirement, frame, known, ids, set }: Told): void {
  if (known.length === 0) return;
  if (set !== undefined && !ids.includes(set))
    return broken(requirement, `The option that was set, ${JSON.stringify(set)}, is missing in the answer`, frame);
  const isRest = ids.length === 0 || (ids.length === 1 && known.length > 2);
  if (isRest) broken(requirement, `${known.length} options were told before, and now there are ${ids.length}`, frame);
  else if (known.every((id) => ids.includes(id))) held(requirement);
}

export const listedValue: Rule = {
  name: 'A client sets options that were told to values that can be chosen',
  judges: 'client',
  requirements: ['R268'],
  listen: ({ facts, held, broken }) => ({
    said: (frame) => {
      if (frame.kind !== 'request' || frame.method !== 'session/set_config_option' || frame.sessionId === undefined)
        return;
      const { configId, value, type } = frame.params;
      const { choices } = facts.session(frame.sessionId);
      if (choices.size === 0) return;
      const known = choices.get(String(configId));
      if (known?.has(value) !== true)
        return broken(
          'R268',
          `${JSON.stringify(value)} cannot be chosen in the option ${JSON.stringify(configId)}`,
          frame,
        );
      if (typeof value === 'boolean' && type !== 'boolean')
        return broken('R268', 'A boolean value has no "type": "boolean"', frame);
      held('R268');
    },
  }),
};
