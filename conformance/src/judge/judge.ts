import { judgedRequirements, type Profiled } from '../requirements/judged-requirements.ts';
import type { RequirementId, Subject } from '../requirements/requirement.ts';
import type { Observation, ScenarioResult } from '../verdict/observation.ts';
import { type Judgement, verdictOn } from '../verdict/verdict.ts';

/** How scenarios are run. */
export interface RunOptions extends Profiled {
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
  /** It is reached over a network: what is asked of that applies to it. Default: it is not. */
  readonly isRemote?: boolean | undefined;
  /** Checks whether the subject responds, before anything is judged. */
  meet(): Promise<Pick<Judgement, 'introduction' | 'unreachable' | 'lastWords'>>;
  /** Never rejects. */
  readonly run: (scenario: Scenario) => Promise<ScenarioResult>;
  /** The same in a home of its own, where nothing is left of other runs. Never rejects. Default: the same. */
  readonly runAlone?: (scenario: Scenario) => Promise<ScenarioResult>;
}

/**
 * Runs all scenarios, some concurrently, and summarises the observations. A scenario with violations is run again with no other beside it, in
 * a home of its own, and a violation counts only if it occurs again. An unreachable subject is judged in nothing.
 */
export async function judge<Scenario>(trial: Trial<Scenario>, options: RunOptions): Promise<Judgement> {
  const { subject, kind, seed, isRemote } = trial;
  const judged = judgedRequirements({ kind, isRemote, profiles: options.profiles });
  const began = performance.now();
  const meeting = await trial.meet();
  options.signal?.throwIfAborted();
  const results =
    meeting.unreachable === undefined
      ? await confirmed(trial, await runAll(trial, options), {
          judged: new Set(judged.map(({ id }) => id)),
          signal: options.signal,
        })
      : [];
  options.signal?.throwIfAborted();
  const duration = performance.now() - began;
  const verdicts = judged.map((requirement) => verdictOn(requirement, results, requirement.unobservable?.[kind]));
  return { subject, kind, ...meeting, seed, duration, verdicts, results };
}

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

/**
 * The results, in which what is broken was broken twice: by one scenario for each requirement, as that is enough to fail it. Of the runs
 * alone the first decides that observes the requirement.
 */
async function confirmed<Scenario>(
  { scenarios, run, runAlone = run }: Trial<Scenario>,
  results: readonly ScenarioResult[],
  { judged, signal }: { readonly judged: ReadonlySet<RequirementId>; readonly signal: AbortSignal | undefined },
): Promise<readonly ScenarioResult[]> {
  const certain = new Set<RequirementId>();
  const checked: ScenarioResult[] = [];
  for (const [place, result] of results.entries()) {
    const scenario = scenarios[place];
    const doubtful = brokenIn(result).filter((requirement) => judged.has(requirement) && !certain.has(requirement));
    if (scenario === undefined || doubtful.length === 0 || signal?.aborted === true) {
      checked.push(result);
      continue;
    }
    const again = [await runAlone(scenario)];
    if (doubtful.some((requirement) => decisionOn(requirement, again) === undefined)) again.push(await run(scenario));
    const once = new Set<RequirementId>();
    for (const requirement of doubtful)
      (decisionOn(requirement, again)?.outcome === 'broken' ? certain : once).add(requirement);
    const decisions = [...once].flatMap((requirement) => decisionOn(requirement, again) ?? []);
    const observations = result.observations.map((each): Observation =>
      each.outcome === 'broken' && once.has(each.requirement) ? { ...each, outcome: 'broken once' } : each,
    );
    const duration = again.reduce((sum, each) => sum + each.duration, result.duration);
    checked.push({ ...result, observations: [...observations, ...decisions], duration });
  }
  return checked;
}

/** What the first run that observed a requirement has to say of it: broken, if it was, else held. */
function decisionOn(requirement: RequirementId, runs: readonly ScenarioResult[]): Observation | undefined {
  for (const { observations } of runs) {
    const observed = observations.filter((each) => each.requirement === requirement && each.outcome !== 'unseen');
    if (observed.length > 0) return observed.find(({ outcome }) => outcome === 'broken') ?? observed[0];
  }
  return undefined;
}

function brokenIn({ observations }: ScenarioResult): readonly RequirementId[] {
  return [...new Set(observations.flatMap(({ outcome, requirement }) => (outcome === 'broken' ? [requirement] : [])))];
}
