import type { Unobservable } from '../../requirements/requirement.ts';
import { unobservableInHosts } from './host.ts';
import { unobservableInClientProtocol } from './protocol.ts';

/** The reason why a requirement on clients cannot be observed from outside. */
export const unobservableInClients: Unobservable = { ...unobservableInClientProtocol, ...unobservableInHosts };
