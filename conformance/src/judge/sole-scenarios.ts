import type { RequirementId, Subject } from '../requirements/requirement.ts';
import { requirements } from '../requirements/requirements.ts';
import type { ScenarioResult } from '../verdict/observation.ts';
import type { Scenario } from './scenario.ts';

type Covering = Pick<Scenario<never>, 'id' | 'covers'>;

/**
 * Finds each MUST and MUST NOT that only one scenario observes, with the id of that scenario.
 * @param audited requirements that every connection is judged by
 */
export function soleScenarios(
  kind: Subject,
  scenarios: readonly Covering[],
  audited: readonly RequirementId[],
): ReadonlyMap<RequirementId, string> {
  const sole = new Map<RequirementId, string>();
  for (const { id, level, binds } of requirements) {
    if (!level.startsWith('MUST') || (binds !== kind && binds !== 'both') || audited.includes(id)) continue;
    const [first, ...others] = scenarios.filter(({ covers }) => covers.includes(id));
    if (first !== undefined && others.length === 0) sole.set(id, first.id);
  }
  return sole;
}

/** Runs a scenario. If it met a MUST that no other scenario observes, runs it once more: a single success may be luck. */
export async function repeatIfSole<Kind extends Covering>(
  scenario: Kind,
  { sole, run }: { sole: ReadonlyMap<RequirementId, string>; run: (scenario: Kind) => Promise<ScenarioResult> },
): Promise<ScenarioResult> {
  const first = await run(scenario);
  const isKept = first.observations.some(
    ({ outcome, requirement }) => outcome === 'held' && sole.get(requirement) === scenario.id,
  );
  if (!isKept) return first;
  const second = await run(scenario);
  return {
    ...second,
    observations: [...first.observations, ...second.observations],
    journals: [...first.journals, ...second.journals],
    duration: first.duration + second.duration,
    ...(first.harnessError !== undefined && { harnessError: first.harnessError }),
  };
}
