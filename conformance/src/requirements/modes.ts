import type { Requirement } from './requirement.ts';

const section = 'Modes';

export const modesRequirements: readonly Requirement[] = [
  {
    id: 'R248',
    level: 'MAY',
    binds: 'agent',
    section,
    behaviour: 'new/load/resume may return modes{currentModeId,availableModes[]}',
    sources: ['session modes', 'schema'],
  },
  {
    id: 'R249',
    level: 'MUST',
    binds: 'client',
    section,
    behaviour: 'modeId in set_mode is one of availableModes',
    sources: ['session modes', 'schema'],
  },
  {
    id: 'R250',
    level: 'DERIVED',
    binds: 'agent',
    section,
    behaviour: 'An unknown modeId is refused',
    sources: ['derived'],
  },
  {
    id: 'R251',
    level: 'MAY',
    binds: 'client',
    section,
    behaviour: 'set_mode may come at any time, idle or generating',
    sources: ['session modes', 'schema'],
  },
  {
    id: 'R252',
    level: 'MAY',
    binds: 'agent',
    section,
    behaviour: 'The agent may change mode itself and must tell with current_mode_update',
    sources: ['session modes', 'schema'],
  },
  {
    id: 'R253',
    level: 'MUST',
    binds: 'agent',
    section,
    behaviour:
      '`current_mode_update` names the mode in `currentModeId`, as the schema has it; a page of the documentation says `modeId`',
    sources: ['schema'],
  },
  {
    id: 'R254',
    level: 'SHOULD',
    binds: 'agent',
    section,
    behaviour:
      'Leaving plan/architect mode goes through a permission request of kind switch_mode; on approval the mode is set and announced',
    sources: ['session modes', 'Pharo specification'],
  },
  {
    id: 'R255',
    level: 'MAY',
    binds: 'agent',
    section,
    behaviour: 'Modes may change prompts, tools and permission behaviour',
    sources: ['session modes', 'schema', 'Pharo specification'],
  },
];
