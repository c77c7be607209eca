import type { Unobservable } from '../../requirements/requirement.ts';

/** Framing, the handshake, logins, sessions, turns. */
export const unobservableInClientProtocol: Unobservable = {};
