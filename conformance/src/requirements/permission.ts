import type { Requirement } from './requirement.ts';

const section = 'Permission';

export const permissionRequirements: readonly Requirement[] = [
  {
    id: 'R196',
    level: 'MUST',
    binds: 'agent',
    section,
    behaviour:
      '`session/request_permission` carries sessionId, toolCall with its toolCallId, and options of optionId, name and kind',
    sources: ['tool calls', 'summary of the protocol', 'Go reference'],
  },
  {
    id: 'R197',
    level: 'MUST',
    binds: 'client',
    section,
    behaviour: 'The choice is returned as outcome selected+optionId (options SHOULD be shown to the user)',
    sources: ['tool calls', 'summary of the protocol', 'schema', 'Go reference'],
  },
  {
    id: 'R198',
    level: 'MAY',
    binds: 'client',
    section,
    behaviour: 'Requests may be answered automatically from user settings',
    sources: ['tool calls'],
  },
  {
    id: 'R199',
    level: 'MUST',
    binds: 'client',
    section,
    behaviour: 'If the turn is cancelled the answer is outcome cancelled',
    sources: ['tool calls', 'schema'],
  },
  {
    id: 'R200',
    level: 'DERIVED',
    binds: 'agent',
    section,
    behaviour: 'optionId returned is one that was offered; anything else is not approval',
    sources: ['derived', 'version 2'],
  },
  {
    id: 'R201',
    level: 'MUST',
    binds: 'agent',
    section,
    behaviour: 'A rejection or a cancelled outcome never leads to execution',
    sources: ['tool calls', 'prompt turn'],
  },
  {
    id: 'R202',
    level: 'DERIVED',
    binds: 'agent',
    section,
    behaviour: 'An error answer to a permission request is not approval',
    sources: ['derived'],
  },
  {
    id: 'R203',
    level: 'SHOULD',
    binds: 'both',
    section,
    behaviour: "An option's `kind` only steers how it looks and is treated; `allow_always` asks to remember the choice",
    sources: ['tool calls', 'schema', 'Pharo specification'],
  },
  {
    id: 'R204',
    level: 'SHOULD',
    binds: 'both',
    section,
    behaviour: '`reject_always` asks to remember the choice likewise',
    sources: ['schema', 'Pharo specification'],
  },
  {
    id: 'R205',
    level: 'MUST',
    binds: 'client',
    section,
    behaviour: 'The toolCall of a permission request updates the tool call that is known by its id',
    sources: ['tool calls', 'summary of the protocol'],
  },
];
