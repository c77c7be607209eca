import type { Unobservable } from '../../requirements/requirement.ts';

export const protocolUnobservable: Unobservable = {};
