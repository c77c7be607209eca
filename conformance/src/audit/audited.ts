import type { RequirementId, Subject } from '../requirements/requirement.ts';
import { requirements } from '../requirements/requirements.ts';
import { rules } from './rules.ts';

/** Requirements that the audit checks on every agent connection, where applicable: a scenario need only create the precondition. */
export const auditedInAgents: readonly RequirementId[] = audited('agent');

/** What the audit judges of clients. */
export const auditedInClients: readonly RequirementId[] = audited('client');

/** What is looked at in every connection: what is audited, and whether the process of an agent lives (R368), which shows in no frame. */
export const alwaysSeen: Readonly<Record<Subject, readonly RequirementId[]>> = {
  agent: [...auditedInAgents, 'R368'],
  client: auditedInClients,
};

function audited(side: Subject): readonly RequirementId[] {
  const spoken = rules
    .filter(({ judges }) => judges === side || judges === 'both')
    .flatMap((rule) => rule.requirements);
  const binding = requirements.filter(({ binds }) => binds === side || binds === 'both').map(({ id }) => id);
  return binding.filter((id) => spoken.includes(id));
}
