import type { Requirement } from './requirement.ts';

const section = 'Plan';

export const planRequirements: readonly Requirement[] = [
  { id: 'R241', level: 'MAY', binds: 'agent', section, behaviour: 'Plans may be shared', sources: ['agent plan'] },
  {
    id: 'R242',
    level: 'SHOULD',
    binds: 'agent',
    section,
    behaviour: 'A plan made by the model is reported and progress is reported with more plan updates',
    sources: ['agent plan'],
  },
  {
    id: 'R243',
    level: 'MUST',
    binds: 'agent',
    section,
    behaviour: 'Each plan update lists all entries with current status',
    sources: ['agent plan', 'schema'],
  },
  {
    id: 'R244',
    level: 'MUST',
    binds: 'client',
    section,
    behaviour: 'The client replaces the whole plan',
    sources: ['agent plan', 'schema'],
  },
  {
    id: 'R245',
    level: 'MUST',
    binds: 'agent',
    section,
    behaviour:
      'A plan entry has content, a priority of high, medium or low, and a status of pending, in_progress or completed',
    sources: ['agent plan', 'summary of the protocol', 'schema'],
  },
  {
    id: 'R246',
    level: 'MAY',
    binds: 'agent',
    section,
    behaviour: 'Entries may be added, removed, changed',
    sources: ['agent plan'],
  },
  {
    id: 'R247',
    level: 'MUST NOT',
    binds: 'agent',
    section,
    behaviour: 'Send plan_update/plan_removed unless the client advertised plan (fall back to plan)',
    sources: ['draft: agent plan'],
  },
];
