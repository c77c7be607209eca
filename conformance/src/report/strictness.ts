import type { Level, Requirement } from '../requirements/requirement.ts';

/** The level from which on a broken requirement counts against its subject. Anything below is advice. */
export type Strictness = 'must' | 'should';

/** The levels in the order of reports, the strongest first. */
export const levels: readonly Level[] = ['MUST', 'MUST NOT', 'SHOULD', 'SHOULD NOT', 'DERIVED'];

const weakest: Readonly<Record<Strictness, Level>> = { must: 'MUST NOT', should: 'DERIVED' };

/** Whether a broken requirement counts against its subject. Requirements of proposals and dialects count like derived ones. */
export function countsAgainst({ level, profile }: Requirement, from: Strictness): boolean {
  const counted = profile === 'v1' || profile === 'v2' ? level : 'DERIVED';
  return levels.indexOf(counted) <= levels.indexOf(weakest[from]);
}
