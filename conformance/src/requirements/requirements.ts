import type { Requirement } from './requirement.ts';

/** Every requirement, in order. */
export const requirements: readonly Requirement[] = [];
