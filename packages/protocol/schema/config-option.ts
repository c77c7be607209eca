import {
  anyOf,
  boolean,
  choice,
  list,
  meaning,
  nullable,
  object,
  openChoice,
  optional,
  part,
  required,
  string,
  tagged,
  variant,
} from './language.ts';
import { SessionId } from './session-id.ts';

export const SessionConfigId = meaning(string, 'Names a configuration option of a session. The agent chooses it.');

export const SessionConfigValueId = meaning(string, 'Names one of the values of a `select` option. The agent chooses it.');

export const SessionConfigGroupId = meaning(string, 'Names a group of values. The agent chooses it.');

export const SessionConfigOptionCategory = openChoice(
  'What an option is about, so that a client can give it a fitting place. Only a hint: never rely on it. Names that start with `_` are free for anyone’s use.',
  {
    mode: 'The session’s mode.',
    model: 'The model that answers.',
    model_config: 'A setting of the model.',
    thought_level: 'How long the model thinks.',
  },
);

export const SessionConfigSelectOption = object('A value to choose.', {
  value: required(SessionConfigValueId, 'What requests refer to.'),
  name: required(string, 'What the user reads.'),
  description: optional(nullable(string), 'More about it, for the user. Absent or `null`: nothing more.').orAbsent(),
});

export const SessionConfigSelectGroup = object('Some values under a heading.', {
  group: required(SessionConfigGroupId, 'Tells the groups apart.'),
  name: required(string, 'The heading.'),
  options: required(list(SessionConfigSelectOption), 'The values under it.').orEmpty().withoutBadItems(),
});

export const SessionConfigSelectOptions = anyOf(
  'The values to choose from, all grouped or all not.',
  meaning(list(SessionConfigSelectOption), 'One flat list.'),
  meaning(list(SessionConfigSelectGroup), 'Under headings.'),
);

export const SessionConfigSelect = part('One value out of several.', {
  currentValue: required(SessionConfigValueId, 'The value in force.'),
  options: required(SessionConfigSelectOptions, 'The values there are.'),
});

export const SessionConfigBoolean = part('On or off.', {
  currentValue: required(boolean, 'Whether it is on.'),
});

export const SessionConfigOption = object(
  'Something about a session the user can set, and how it is set now.',
  {
    id: required(SessionConfigId, 'What requests refer to.'),
    name: required(string, 'What the user reads.'),
    description: optional(nullable(string), 'More about it, for the user. Absent or `null`: nothing more.').orAbsent(),
    category: optional(nullable(SessionConfigOptionCategory), 'What it is about. Absent or `null`: nothing in particular.').orAbsent(),
  },
  tagged({
    tag: 'type',
    variants: {
      select: variant(SessionConfigSelect, 'One value out of several.'),
      boolean: variant(SessionConfigBoolean, 'On or off. Only for clients with the capability `session.configOptions.boolean`.'),
    },
  }),
);

export const SetSessionConfigOptionRequest = object(
  'Sets a configuration option of a session.',
  {
    sessionId: required(SessionId, 'The session.'),
    configId: required(SessionConfigId, 'The option.'),
  },
  anyOf(
    '',
    part('Turns an option on or off.', {
      type: required(choice('', { boolean: 'The value is a boolean.' }), 'Says that the value is a boolean.'),
      value: required(boolean, 'Whether it is to be on.'),
    }),
    part('Chooses a value.', { value: required(SessionConfigValueId, 'One of the option’s values.') }),
  ),
);

export const SetSessionConfigOptionResponse = object('The option is set; others may have changed with it.', {
  configOptions: required(list(SessionConfigOption), 'All the options of the session as they are now.').orEmpty().withoutBadItems(),
});

export const ConfigOptionUpdate = object('The configuration options of a session have changed.', {
  configOptions: required(list(SessionConfigOption), 'All of them as they are now.').orEmpty().withoutBadItems(),
});
