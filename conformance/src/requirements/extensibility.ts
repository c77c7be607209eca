import type { Requirement } from './requirement.ts';

const section = 'Extensibility';

export const extensibilityRequirements: readonly Requirement[] = [
  {
    id: 'R279',
    level: 'MAY',
    binds: 'both',
    section,
    behaviour: '_meta may be put on any type',
    sources: ['extensibility', 'overview', 'schema'],
  },
  {
    id: 'R280',
    level: 'MUST NOT',
    binds: 'both',
    section,
    behaviour: 'Add keys of their own at the root of types of the specification: they belong into `_meta`',
    sources: ['extensibility'],
  },
  {
    id: 'R281',
    level: 'MUST NOT',
    binds: 'both',
    section,
    behaviour: 'Assume anything about values of _meta keys',
    sources: ['schema'],
  },
  {
    id: 'R282',
    level: 'SHOULD',
    binds: 'both',
    section,
    behaviour: 'traceparent, tracestate, baggage at _meta root are reserved for W3C trace context',
    sources: ['extensibility', 'proposal: meta propagation'],
  },
  {
    id: 'R283',
    level: 'MUST',
    binds: 'both',
    section,
    behaviour: 'Custom methods start with `_`',
    sources: ['extensibility', 'overview'],
  },
  {
    id: 'R284',
    level: 'MUST',
    binds: 'both',
    section,
    behaviour: 'A custom request gets an answer with its id; unknown → -32601',
    sources: ['extensibility'],
  },
  {
    id: 'R285',
    level: 'SHOULD',
    binds: 'both',
    section,
    behaviour: 'Unknown custom notifications are ignored',
    sources: ['extensibility'],
  },
  {
    id: 'R286',
    level: 'SHOULD',
    binds: 'both',
    section,
    behaviour: 'Extensions are advertised in _meta of capability objects',
    sources: ['extensibility', 'overview'],
  },
];
