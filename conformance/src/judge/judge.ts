import type { RequirementId, Subject, Unobservable } from '../requirements/requirement.ts';
import { requirements } from '../requirements/requirements.ts';
import type { Judgement } from '../verdict/judgement.ts';
import type { Observation } from '../verdict/observation.ts';
import type { ScenarioResult } from '../verdict/scenario-result.ts';
import { type Verdict, verdictOn } from '../verdict/verdict.ts';

/** How scenarios are run. */
export interface RunOptions {
  /** How many run at a time. Default 4. */
  readonly jobs?: number | undefined;
  /** Receives each scenario when its first run is over. */
  readonly onResult?: ((result: ScenarioResult) => void) | undefined;
  /** Ends everything that was started. The check then rejects with its reason. */
  readonly signal?: AbortSignal | undefined;
}

/** A subject to judge, with its scenarios. */
export interface Trial<Scenario> {
  readonly subject: string;
  readonly kind: Subject;
  readonly seed: number;
  readonly scenarios: readonly Scenario[];
  readonly unobservable: Unobservable;
  /** It is reached over a network: what is asked of that applies to it. Default: it is not. */
  readonly isRemote?: boolean;
  /** Checks whether the subject responds, before anything is judged. */
  meet(): Promise<Pick<Judgement, 'introduction' | 'unreachable' | 'lastWords'>>;
  /** Never rejects. */
  run(scenario: Scenario): Promise<ScenarioResult>;
}

/**
 * Runs all scenarios, some concurrently, and summarises the observations. A scenario with violations is run again with no other beside it,
 * and a violation counts only if it occurs again. An unreachable subject is judged in nothing.
 */
export async function judge<Scenario>(trial: Trial<Scenario>, options: RunOptions): Promise<Judgement> {
  const { subject, kind, seed } = trial;
  const began = performance.now();
  const meeting = await trial.meet();
  options.signal?.throwIfAborted();
  const results =
    meeting.unreachable === undefined ? await confirmed(trial, await runAll(trial, options), options) : [];
  options.signal?.throwIfAborted();
  const duration = performance.now() - began;
  return { subject, kind, ...meeting, seed, duration, verdicts: verdictsOn(trial, results), results };
}

/** A default seed. */
export function anySeed(): number {
  return Math.floor(Math.random() * 2 ** 31);
}

/** The results, in the order of the scenarios. */
async function runAll<Scenario>(
  trial: Trial<Scenario>,
  { jobs = 4, onResult, signal }: RunOptions,
): Promise<readonly ScenarioResult[]> {
  const results: ScenarioResult[] = [];
  const waiting = [...trial.scenarios.entries()];
  const work = async (): Promise<void> => {
    for (let next = waiting.shift(); next !== undefined && signal?.aborted !== true; next = waiting.shift()) {
      const [place, scenario] = next;
      const result = await trial.run(scenario);
      results[place] = result;
      onResult?.(result);
    }
  };
  await Promise.all(Array.from({ length: jobs }, work));
  return results;
}

/** The results, in which what is broken was broken twice: by one scenario for each requirement, as that is enough to fail it. */
async function confirmed<Scenario>(
  trial: Trial<Scenario>,
  results: readonly ScenarioResult[],
  { signal }: RunOptions,
): Promise<readonly ScenarioResult[]> {
  const certain = new Set<RequirementId>();
  const checked: ScenarioResult[] = [];
  for (const [place, result] of results.entries()) {
    const scenario = trial.scenarios[place];
    const isDoubtful = brokenIn(result).some((requirement) => !certain.has(requirement));
    if (scenario === undefined || !isDoubtful || signal?.aborted === true) {
      checked.push(result);
      continue;
    }
    const again = await trial.run(scenario);
    for (const requirement of brokenIn(again)) certain.add(requirement);
    const isOnce = ({ outcome, requirement }: Observation): boolean =>
      outcome === 'broken' && !certain.has(requirement);
    const once = new Set(result.observations.filter(isOnce).map(({ requirement }) => requirement));
    const observations = [
      ...result.observations.map((each) => (isOnce(each) ? ({ ...each, outcome: 'broken once' } as const) : each)),
      ...again.observations.filter(({ outcome, requirement }) => outcome === 'held' && once.has(requirement)),
    ];
    checked.push({ ...result, observations, duration: result.duration + again.duration });
  }
  return checked;
}

function brokenIn({ observations }: ScenarioResult): readonly RequirementId[] {
  return observations.flatMap(({ outcome, requirement }) => (outcome === 'broken' ? [requirement] : []));
}

function verdictsOn<Scenario>(
  { kind, unobservable, isRemote = false }: Trial<Scenario>,
  results: readonly ScenarioResult[],
): readonly Verdict[] {
  return requirements
    .filter(({ binds, profile }) => (binds === kind || binds === 'both') && (isRemote || profile !== 'remote'))
    .map((requirement) => verdictOn(requirement, results, unobservable[requirement.id]));
}
