import type { Unobservable } from '../../requirements/requirement.ts';
import { unobservableInClientProtocol } from './protocol.ts';
import { unobservableInHosts } from './host.ts';

/** Why nobody can see from outside whether a client keeps a requirement. */
export const unobservableInClients: Unobservable = { ...unobservableInClientProtocol, ...unobservableInHosts };
