import type { Unobservable } from '../../requirements/requirement.ts';

const dialect = 'Part of a dialect that agents need not speak';

export const protocolUnobservable: Unobservable = {
  // Framing and JSON-RPC
  R015: 'Seen by running everything else over that transport: a separate scenario would not show more',
  R016: 'A matter of documentation',
  // Initialization
  R037: 'Shown by everything after initialize: all of it is judged as version 1',
  R051: 'What an agent shows people of its client is not on the wire',
  // Authentication
  R068: 'Somebody has to log in by hand to see it',
  // Cancelling requests
  R175: 'What makes an agent cancel something by itself is not known to its client',
  // Compatibility
  R324: dialect,
  R333: dialect,
  R335: 'Modes have the meaning an agent gives them; these three are of a dialect',
};
