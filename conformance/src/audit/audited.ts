import type { RequirementId, Subject } from '../requirements/requirement.ts';
import { requirements } from '../requirements/requirements.ts';
import { rules } from './rules.ts';

/** What is looked at in every connection: what is audited, and whether the process of an agent lives (R368), which shows in no frame. */
export const alwaysSeen: Readonly<Record<Subject, readonly RequirementId[]>> = {
  agent: [...audited('agent'), 'R368'],
  client: audited('client'),
};

/** Requirements that the audit checks on every connection, where applicable: a scenario need only create the precondition. */
function audited(side: Subject): readonly RequirementId[] {
  const spoken = rules
    .filter(({ judges }) => judges === side || judges === 'both')
    .flatMap((rule) => rule.requirements);
  const binding = requirements.filter(({ binds }) => binds === side || binds === 'both').map(({ id }) => id);
  return binding.filter((id) => spoken.includes(id));
}
