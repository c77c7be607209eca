import type { Defect, Mutant } from '../../mutant-line.ts';
import { asMessage, type RawMessage } from '../../../../src/wire/messages.ts';
import {
  inventing,
  misanswering,
  misreading,
  mistelling,
  permittingItself,
  withUpdate,
  promptIn,
  withPrompt,
} from './defects.ts';

const judges = 'agent';
const boolean = { id: 'sure', name: 'Sure', type: 'boolean', currentValue: true };

function optionsIn({ configOptions }: RawMessage): readonly RawMessage[] {
  return configOptions as readonly RawMessage[];
}

/** Takes whatever is set, and answers with options as they were last. */
const takingAnything: Defect = (tampering) => {
  let options: readonly RawMessage[] = [];
  const { hears } = inventing('session/set_config_option', ({ configId, value }) =>
    `${String(configId)} ${String(value)}`.includes('of-yours') ? { result: { configOptions: options } } : undefined,
  )(tampering);
  return {
    ...(hears && { hears }),
    says: (message) => {
      options = optionsIn(asMessage(message['result']) ?? {}) ?? options;
      return [message];
    },
  };
};

/** Agents whose modes, options and commands are not what they say. */
export const settingsMutants: readonly Mutant[] = [
  {
    name: 'takes modes that there are not',
    judges,
    scenario: 'modes/set',
    breaks: 'R250',
    defect: inventing('session/set_mode', ({ modeId }) => (modeId === 'no-mode-of-yours' ? { result: {} } : undefined)),
  },
  {
    name: 'has an option for the mode that stays as it was',
    judges,
    scenario: 'modes/set',
    breaks: 'R257',
    defect: misanswering(['session/set_config_option'], (result) => ({
      ...result,
      configOptions: optionsIn(result).map((option) =>
        option['category'] === 'mode' ? { ...option, currentValue: 'ask' } : option,
      ),
    })),
  },
  {
    name: 'leaves its mode for planning unasked',
    judges,
    scenario: 'modes/leave',
    breaks: 'R254',
    defect: (tampering) => ({ says: permittingItself(tampering) }),
  },
  {
    name: 'takes values and options that there are not',
    judges,
    scenario: 'config-options/set',
    breaks: 'R269',
    defect: takingAnything,
  },
  {
    name: 'takes a value and keeps the one it had',
    judges,
    scenario: 'config-options/set',
    breaks: 'R270',
    defect: (tampering) => {
      let first: readonly RawMessage[] | undefined;
      const { hears, says } = misanswering(['session/set_config_option'], (result) => ({
        ...result,
        configOptions: first,
      }))(tampering);
      return {
        ...(hears && { hears }),
        says: (message, text) => {
          first ??= optionsIn(asMessage(message['result']) ?? {});
          return says?.(message, text) ?? [message];
        },
      };
    },
  },
  {
    name: 'answers with the option that was set alone',
    judges,
    scenario: 'config-options/set',
    breaks: 'R270',
    defect: misanswering(['session/set_config_option'], (result) => ({
      ...result,
      configOptions: optionsIn(result).slice(0, 1),
    })),
  },
  ...['session/new', 'session/load', 'session/resume', 'session/set_config_option'].map(
    (method) =>
      ({
        name: `answers ${method} with a boolean to whom that is nothing`,
        judges,
        scenario: 'config-options/booleans',
        breaks: 'R261',
        defect: misanswering([method], (result) => ({ ...result, configOptions: [...optionsIn(result), boolean] })),
      }) as const,
  ),
  {
    name: 'tells of booleans to whom knows of options',
    judges,
    scenario: 'config-options/booleans',
    breaks: 'R261',
    defect: (tampering) => {
      let knowsOptions = false;
      const { hears, says } = misanswering(['session/new'], (result) => ({
        ...result,
        ...(knowsOptions && { configOptions: [...optionsIn(result), boolean] }),
      }))(tampering);
      return {
        ...(says && { says }),
        hears: (message, text) => {
          knowsOptions ||= text.includes('"configOptions":{');
          return hears?.(message, text) ?? [message];
        },
      };
    },
  },
  {
    name: 'tells of a boolean with another mode to whom that is nothing',
    judges,
    scenario: 'config-options/booleans',
    breaks: 'R261',
    defect: mistelling((update, message) =>
      update['sessionUpdate'] === 'config_option_update'
        ? [withUpdate(message, { ...update, configOptions: [...optionsIn(update), boolean] })]
        : undefined,
    ),
  },
  {
    name: 'does not know its commands when a link is beside them',
    judges,
    scenario: 'commands/link',
    breaks: 'R278',
    defect: misreading(['session/prompt'], (params) =>
      (params['prompt'] as readonly unknown[]).length > 1 ? withPrompt(params, promptIn(params).slice(1)) : params,
    ),
  },
];
