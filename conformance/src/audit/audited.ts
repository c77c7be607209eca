import type { RequirementId, Subject } from '../requirements/requirement.ts';
import { requirements } from '../requirements/requirements.ts';
import { rules } from './rules.ts';

/** What the audit judges of agents in every connection, as far as there is an occasion: a scenario need only make one. */
export const auditedInAgents: readonly RequirementId[] = audited('agent');

/** What the audit judges of clients. */
export const auditedInClients: readonly RequirementId[] = audited('client');

function audited(side: Subject): readonly RequirementId[] {
  const spoken = rules
    .filter(({ judges }) => judges === side || judges === 'both')
    .flatMap((rule) => rule.requirements);
  const binding = requirements.filter(({ binds }) => binds === side || binds === 'both').map(({ id }) => id);
  return binding.filter((id) => spoken.includes(id));
}
