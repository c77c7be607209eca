import type { Requirement } from './requirement.ts';

const section = 'Notices and compaction';

export const noticesAndCompactionRequirements: readonly Requirement[] = [
  {
    id: 'R315',
    level: 'MUST',
    binds: 'agent',
    section,
    behaviour: 'notice is sent only if clientCapabilities.session.notices is present',
    sources: ['schema'],
  },
  {
    id: 'R316',
    level: 'MUST',
    binds: 'agent',
    section,
    behaviour: 'severity (open enum info|warning|error) and non-empty title required; description optional plain text',
    sources: ['schema', 'draft: prompt turn'],
  },
  {
    id: 'R317',
    level: 'MUST NOT',
    binds: 'agent',
    section,
    behaviour: 'Carry something needed for correctness, authorisation or fatal errors only in a notice',
    sources: ['draft: prompt turn', 'proposal: session notices'],
  },
  {
    id: 'R318',
    level: 'MAY',
    binds: 'client',
    section,
    behaviour: 'Notices may be ignored, merged or dismissed locally; unknown severity shown generically',
    sources: ['proposal: session notices'],
  },
  {
    id: 'R319',
    level: 'MUST NOT',
    binds: 'agent',
    section,
    behaviour: 'Send compaction_* unless clientCapabilities.session.compaction is an object',
    sources: ['draft: prompt turn', 'schema'],
  },
  {
    id: 'R320',
    level: 'MUST',
    binds: 'agent',
    section,
    behaviour:
      'compaction_update first (fixes timeline position), chunks only between in_progress and a terminal status, one terminal status',
    sources: ['draft: prompt turn', 'proposal: session compaction'],
  },
  {
    id: 'R321',
    level: 'MUST',
    binds: 'client',
    section,
    behaviour: 'summary/error/_meta patch: absent keep, null clear, value replace; chunks append in order',
    sources: ['schema', 'proposal: session compaction'],
  },
  {
    id: 'R322',
    level: 'MUST',
    binds: 'agent',
    section,
    behaviour: 'A compactionId is never used twice; a summary comes only with completed, an error only with failed',
    sources: ['proposal: session compaction'],
  },
  {
    id: 'R323',
    level: 'MUST',
    binds: 'client',
    section,
    behaviour: 'Unknown statuses are kept and shown generically',
    sources: ['proposal: session compaction', 'schema'],
  },
];
