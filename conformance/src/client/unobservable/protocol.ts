import type { Unobservable } from '../../requirements/requirement.ts';

const drawn = 'What a client draws of it is not on the wire';

/** Framing, the handshake, logins, sessions, turns. */
export const unobservableInClientProtocol: Unobservable = {
  // Framing and JSON-RPC
  R015: 'Clients are judged over stdio here',
  R016: 'A matter of documentation',
  R028: drawn,
  // Initialization
  R051: drawn,
  // Sessions
  R123: 'What a client makes of a list in its memory is not on the wire; what it sends when it opens a session again is up to the user',
  // Turns
  R148: drawn,
  R156: drawn,
  R183: drawn,
  R195: drawn,
  // Compatibility
  R334: 'Which pictures and sounds people can give to a client is its own affair: the protocol names no types',
};
