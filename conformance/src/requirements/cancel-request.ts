import type { Requirement } from './requirement.ts';

const section = 'Cancelling requests';

export const cancelRequestRequirements: readonly Requirement[] = [
  {
    id: 'R169',
    level: 'MAY',
    binds: 'both',
    section,
    behaviour: 'Any side may cancel its own pending request with $/cancel_request{requestId}; support is optional',
    sources: ['cancellation'],
  },
  {
    id: 'R170',
    level: 'MAY',
    binds: 'both',
    section,
    behaviour: 'A receiver without support ignores it',
    sources: ['cancellation', 'proposal: request cancellation'],
  },
  {
    id: 'R171',
    level: 'MAY',
    binds: 'both',
    section,
    behaviour: 'The work and nested work may be cancelled, pending notifications may still be flushed',
    sources: ['cancellation'],
  },
  {
    id: 'R172',
    level: 'MUST',
    binds: 'both',
    section,
    behaviour:
      'A receiver that supports it still answers the request: with a valid, perhaps partial, result, or with error -32800',
    sources: ['cancellation', 'schema'],
  },
  {
    id: 'R173',
    level: 'MUST',
    binds: 'both',
    section,
    behaviour: 'If the request already finished, the normal answer stands and the notification is ignored',
    sources: ['proposal: request cancellation'],
  },
  {
    id: 'R174',
    level: 'MAY',
    binds: 'both',
    section,
    behaviour: 'The caller may wait for that answer',
    sources: ['cancellation'],
  },
  {
    id: 'R175',
    level: 'SHOULD',
    binds: 'both',
    section,
    behaviour: 'What is cancelled for an internal reason is answered in the same way, with -32800',
    sources: ['cancellation'],
  },
  {
    id: 'R176',
    level: 'SHOULD',
    binds: 'agent',
    section,
    behaviour: 'On session/cancel the agent cascades: cancels its own open client requests',
    sources: ['cancellation'],
  },
  {
    id: 'R177',
    level: 'DERIVED',
    binds: 'both',
    section,
    behaviour: 'Ids are per direction: a cancel only matches requests received from its sender',
    sources: ['derived', 'version 2'],
  },
  {
    id: 'R178',
    level: 'MAY',
    binds: 'both',
    section,
    behaviour: 'Feature-specific cancellation (such as session/cancel) exists beside the generic one',
    sources: ['cancellation'],
  },
];
