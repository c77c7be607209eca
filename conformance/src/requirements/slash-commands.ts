import type { Requirement } from './requirement.ts';

const section = 'Slash commands';

export const slashCommandsRequirements: readonly Requirement[] = [
  {
    id: 'R275',
    level: 'MAY',
    binds: 'agent',
    section,
    behaviour: 'After session creation available_commands_update may be sent, and again at any time (full list)',
    sources: ['slash commands', 'schema'],
  },
  {
    id: 'R276',
    level: 'MUST',
    binds: 'agent',
    section,
    behaviour: 'Command = name, description, optional input{hint}',
    sources: ['slash commands', 'schema'],
  },
  {
    id: 'R277',
    level: 'MUST',
    binds: 'client',
    section,
    behaviour: 'A command is run by ordinary prompt text `/name rest`',
    sources: ['slash commands'],
  },
  {
    id: 'R278',
    level: 'MUST',
    binds: 'agent',
    section,
    behaviour: 'The prefix is recognised; other blocks may accompany it',
    sources: ['slash commands'],
  },
];
