import type { RequirementId, Subject } from '../requirements/requirement.ts';
import { requirements } from '../requirements/requirements.ts';
import { rules } from './rules.ts';

/**
 * Requirements that every connection is judged by: the audited ones, and for agents R368 (the process keeps running), which no frame
 * shows.
 */
export const alwaysJudged: Readonly<Record<Subject, readonly RequirementId[]>> = {
  agent: [...audited('agent'), 'R368'],
  client: audited('client'),
};

/** Requirements that audit rules cover on every connection: a scenario need only create the precondition. */
function audited(side: Subject): readonly RequirementId[] {
  const spoken = rules
    .filter(({ judges }) => judges === side || judges === 'both')
    .flatMap((rule) => rule.requirements);
  const binding = requirements.filter(({ binds }) => binds === side || binds === 'both').map(({ id }) => id);
  return binding.filter((id) => spoken.includes(id));
}
