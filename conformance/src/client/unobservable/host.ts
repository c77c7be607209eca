import type { Unobservable } from '../../requirements/requirement.ts';

/** Files, terminals, permission, questions, modes, options, plans and notices. */
export const unobservableInHosts: Unobservable = {};
