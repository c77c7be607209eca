import type { RequirementId, Subject } from '../requirements/requirement.ts';
import { requirements } from '../requirements/requirements.ts';
import { rules } from './rules.ts';

/**
 * Requirements that are checked on every connection of an agent, where applicable: a scenario need only create the precondition. All but one
 * by the audit; whether its process lives (R368) shows in no frame, and is looked at by the stage.
 */
export const auditedInAgents: readonly RequirementId[] = [...audited('agent'), 'R368'];

/** What the audit judges of clients. */
export const auditedInClients: readonly RequirementId[] = audited('client');

function audited(side: Subject): readonly RequirementId[] {
  const spoken = rules
    .filter(({ judges }) => judges === side || judges === 'both')
    .flatMap((rule) => rule.requirements);
  const binding = requirements.filter(({ binds }) => binds === side || binds === 'both').map(({ id }) => id);
  return binding.filter((id) => spoken.includes(id));
}
