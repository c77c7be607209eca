import type { RequirementId, Subject } from '../requirements/requirement.ts';
import { requirements } from '../requirements/requirements.ts';
import type { ScenarioResult } from '../verdict/observation.ts';
import type { Scenario } from './scenario.ts';

type Looking = Pick<Scenario<never>, 'id' | 'covers'>;

/**
 * For each MUST and MUST NOT that one scenario alone looks at: that scenario.
 * @param audited what is looked at in every connection
 */
export function soleLooks(
  kind: Subject,
  scenarios: readonly Looking[],
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

/** Runs a scenario, and once more if it alone looks at a MUST and that was kept: one look may be luck. */
export async function lookedAtTwice<Kind extends Looking>(
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
