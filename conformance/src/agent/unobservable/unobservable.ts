import type { Unobservable } from '../../requirements/requirement.ts';
import { protocolUnobservable } from './protocol.ts';
import { sessionsUnobservable } from './sessions.ts';
import { turnsUnobservable } from './turns.ts';

/** What cannot be seen of an agent, and why. */
export const unobservableInAgents: Unobservable = {
  ...protocolUnobservable,
  ...sessionsUnobservable,
  ...turnsUnobservable,
};
