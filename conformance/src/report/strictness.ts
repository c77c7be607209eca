import type { Level } from '../requirements/requirement.ts';

/** From which level on a broken requirement speaks against its subject. What is broken below it is advice. */
export type Strictness = 'must' | 'should' | 'may';

/** The levels, the strongest first: the order of reports. */
export const levels: readonly Level[] = ['MUST', 'MUST NOT', 'SHOULD', 'SHOULD NOT', 'DERIVED', 'MAY'];

const first: Readonly<Record<Strictness, number>> = { must: 1, should: 4, may: 5 };

/** Whether a requirement of a level, when it is broken, speaks against its subject. What is derived counts like what should be. */
export function countsAgainst(level: Level, from: Strictness): boolean {
  return levels.indexOf(level) <= first[from];
}
