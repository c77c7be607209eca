import fixes from './fixes.json' with { type: 'json' };
import type { Requirement } from './requirement.ts';

const known: Readonly<Record<string, string>> = fixes;

/** One line on what to change in a side that breaks a requirement: the advice for it, or else the required behaviour itself. */
export function fixOf({ id, sameAs = [], level, behaviour }: Requirement): string {
  const advice = [id, ...sameAs].map((each) => known[each]).find((each) => each !== undefined);
  if (advice !== undefined) return advice;
  const isForbidden = level.endsWith('NOT');
  const [first = '', ...rest] = behaviour;
  return isForbidden ? `Do not ${first.toLowerCase()}${rest.join('')}` : `Make this hold: ${behaviour}`;
}
