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

/** Accepts every setting, and answers with the previous options. */
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

/** Agents with faults in modes, options and commands. */
export const settingsMutants: readonly Mutant[] = [
  {
    name: 'accepts modes that do not exist',
    judges,
    scenario: 'modes/set',
    breaks: 'R250',
    defect: inventing('session/set_mode', ({ modeId }) => (modeId === 'no-mode-of-yours' ? { result: {} } : undefined)),
  },
  {
    name: 'refuses every mode that it lists',
    judges,
    scenario: 'modes/set',
    breaks: 'R420',
    defect: inventing('session/set_mode', () => ({ error: { code: -32_603, message: 'no plan is active' } })),
  },
  {
    name: 'does not update the config option for the mode',
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
    name: 'leaves its planning mode without asking',
    judges,
    scenario: 'modes/leave',
    breaks: 'R254',
    defect: (tampering) => ({ says: permittingItself(tampering) }),
  },
  {
    name: 'accepts values and options that do not exist',
    judges,
    scenario: 'config-options/set',
    breaks: 'R269',
    defect: takingAnything,
  },
  {
    name: 'accepts a value but keeps the old one',
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
    name: 'answers with only the option that was set',
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
        name: `answers ${method} with a boolean option for a client without them`,
        judges,
        scenario: 'config-options/booleans',
        breaks: 'R261',
        defect: misanswering([method], (result) => ({ ...result, configOptions: [...optionsIn(result), boolean] })),
      }) as const,
  ),
  {
    name: 'announces boolean options to a client without them',
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
    name: 'announces a boolean option after a mode change to a client without them',
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
    name: 'does not recognise its commands with a link after them',
    judges,
    scenario: 'commands/link',
    breaks: 'R278',
    defect: misreading(['session/prompt'], (params) =>
      (params['prompt'] as readonly unknown[]).length > 1 ? withPrompt(params, promptIn(params).slice(1)) : params,
    ),
  },
];
