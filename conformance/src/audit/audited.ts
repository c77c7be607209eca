import type { CheckedVersion, RequirementId, Subject } from '../requirements/requirement.ts';
import { requirementIn, requirements } from '../requirements/requirements.ts';
import { rules } from './rules.ts';

/**
 * Requirements that every connection is judged by: the audited ones, and for agents R368 (the process keeps running), which no frame
 * shows.
 */
export function alwaysJudged(side: Subject, version: CheckedVersion = 1): readonly RequirementId[] {
  return side === 'agent' ? [...audited(side, version), requirementIn(version, 'R368')] : audited(side, version);
}

/** Requirements that audit rules cover on every connection: a scenario need only create the precondition. */
function audited(side: Subject, version: CheckedVersion): readonly RequirementId[] {
  const spoken = rules[version]
    .filter(({ judges }) => judges === side || judges === 'both')
    .flatMap((rule) => rule.requirements.map((id) => requirementIn(version, id)));
  const binding = requirements
    .filter(({ binds, profile }) => (binds === side || binds === 'both') && (profile === 'v2') === (version === 2))
    .map(({ id }) => id);
  return binding.filter((id) => spoken.includes(id));
}
