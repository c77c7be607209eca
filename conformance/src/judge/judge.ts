import { judgedRequirements, type Profiled } from '../requirements/judged-requirements.ts';
import type { RequirementId, Subject } from '../requirements/requirement.ts';
import type { Observation, ScenarioResult } from '../verdict/observation.ts';
import { type Judgement, verdictOn } from '../verdict/verdict.ts';

/** Options for running scenarios. */
export interface RunOptions extends Profiled {
  /** How many scenarios run at a time. Default 4. */
  readonly jobs?: number | undefined;
  /** Called with each scenario after its first run. */
  readonly onResult?: ((result: ScenarioResult) => void) | undefined;
  /** Ends everything that was started. The check then rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
}

/** A subject to judge, with its scenarios. */
export interface Trial<Scenario> {
  readonly subject: string;
  readonly kind: Subject;
  readonly seed: number;
  readonly scenarios: readonly Scenario[];
  /** Whether the subject is reached over a network: requirements of its transport then apply. Default false. */
  readonly isRemote?: boolean | undefined;
  /** Checks whether the subject responds, before anything is judged. */
  meet(): Promise<Pick<Judgement, 'introduction' | 'unreachable' | 'lastOutput'>>;
  /** Runs a scenario. Never rejects. */
  readonly run: (scenario: Scenario) => Promise<ScenarioResult>;
  /** Runs a scenario with a new home folder, without traces of other runs. Never rejects. Default: `run`. */
  readonly runAlone?: (scenario: Scenario) => Promise<ScenarioResult>;
}

/**
 * Runs all scenarios, some of them concurrently, and summarises the observations. A scenario with violations is run again, alone and with
 * a new home folder; a violation counts only if it occurs again. An unreachable subject is not judged.
 */
export async function judge<Scenario>(trial: Trial<Scenario>, options: RunOptions): Promise<Judgement> {
  const { subject, kind, seed, isRemote } = trial;
  const { profiles, version = 1 } = options;
  const judged = judgedRequirements({ kind, isRemote, profiles, version });
  const began = performance.now();
  const meeting = await trial.meet();
  options.signal?.throwIfAborted();
  const results =
    meeting.unreachable === undefined
      ? await confirm(trial, await runAll(trial, options), {
          judged: new Set(judged.map(({ id }) => id)),
          signal: options.signal,
        })
      : [];
  options.signal?.throwIfAborted();
  const duration = performance.now() - began;
  const verdicts = judged.map((requirement) => verdictOn(requirement, results, requirement.unobservable?.[kind]));
  return { subject, kind, version, ...meeting, seed, duration, verdicts, results };
}

export function anySeed(): number {
  return Math.floor(Math.random() * 2 ** 31);
}

/** Runs all scenarios and returns their results in the order of the catalogue. */
async function runAll<Scenario>(
  trial: Trial<Scenario>,
  { jobs = 4, onResult, signal }: RunOptions,
): Promise<readonly ScenarioResult[]> {
  const results: ScenarioResult[] = [];
  const queue = [...trial.scenarios.entries()];
  const work = async (): Promise<void> => {
    for (let next = queue.shift(); next !== undefined && signal?.aborted !== true; next = queue.shift()) {
      const [nth, scenario] = next;
      const result = await trial.run(scenario);
      results[nth] = result;
      onResult?.(result);
    }
  };
  await Promise.all(Array.from({ length: jobs }, work));
  return results;
}

/**
 * Confirms violations: each requirement counts as broken only if a scenario breaks it twice. One such scenario per requirement is enough.
 * The first repeated run that observes the requirement decides.
 */
async function confirm<Scenario>(
  { scenarios, run, runAlone = run }: Trial<Scenario>,
  results: readonly ScenarioResult[],
  { judged, signal }: { readonly judged: ReadonlySet<RequirementId>; readonly signal: AbortSignal | undefined },
): Promise<readonly ScenarioResult[]> {
  const certain = new Set<RequirementId>();
  const checked: ScenarioResult[] = [];
  for (const [nth, result] of results.entries()) {
    const scenario = scenarios[nth];
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

/** The observation of a requirement in the first run that observed it: a violation if there was one. */
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
