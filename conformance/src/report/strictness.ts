import type { Level, Requirement } from '../requirements/requirement.ts';

/** From which level on a broken requirement speaks against its subject. What is broken below it is advice. */
export type Strictness = 'must' | 'should';

/** The levels, the strongest first: the order of reports. */
export const levels: readonly Level[] = ['MUST', 'MUST NOT', 'SHOULD', 'SHOULD NOT', 'DERIVED'];

const weakest: Readonly<Record<Strictness, Level>> = { must: 'MUST NOT', should: 'DERIVED' };

/**
 * Whether a requirement, when it is broken, speaks against its subject. What is derived, and what only proposals or documents of dialects
 * ask for, counts like what should be.
 */
export function countsAgainst({ level, profile }: Requirement, from: Strictness): boolean {
  const counted = profile === 'v1' ? level : 'DERIVED';
  return levels.indexOf(counted) <= levels.indexOf(weakest[from]);
}
