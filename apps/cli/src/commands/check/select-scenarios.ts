import {
  type AgentScenario,
  type Requirement,
  type RequirementId,
  requirements,
  type Subject,
  type Verdict,
} from '@turnwire/conformance';
import picomatch from 'picomatch';
import { exitCodes } from '../../exit-codes.ts';
import { CommandError } from '../../failure.ts';

/** The facts about a scenario that lists show. */
export type Listed = Pick<AgentScenario, 'id' | 'title' | 'covers' | 'versions'>;

/** The scenarios that `--only` selects, and the verdicts for the report. */
export interface Selection<Scenario> {
  readonly scenarios: readonly Scenario[];
  /** Whether a verdict belongs in the report. */
  readonly concerns: (verdict: Verdict) => boolean;
}

/**
 * Selects scenarios by ids, patterns of ids (`turns/*`, or the folder alone), or requirements. A requirement selects the scenarios that cover
 * it. A requirement that is checked in every connection selects all scenarios, unless others are named.
 * @throws CommandError, exit code 2, if a word matches nothing
 */
export function selectScenarios<Scenario extends Listed>(
  only: readonly string[],
  all: readonly Scenario[],
  kind: Subject,
): Selection<Scenario> {
  if (only.length === 0) return { scenarios: all, concerns: () => true };
  const chosen = new Set(only.flatMap((word) => scenariosFor(word, all, kind)));
  const scenarios = chosen.size > 0 ? all.filter((scenario) => chosen.has(scenario)) : all;
  const named = new Set(only.filter(isRequirementId));
  const isByScenario = named.size < only.length;
  const covered = new Set<string>(isByScenario ? scenarios.flatMap(({ covers }) => covers) : []);
  return {
    scenarios,
    concerns: ({ requirement: { id }, outcome }) => named.has(id) || covered.has(id) || outcome === 'failed',
  };
}

function scenariosFor<Scenario extends Listed>(
  word: string,
  all: readonly Scenario[],
  kind: Subject,
): readonly Scenario[] {
  if (isRequirementId(word)) return covering(word, all, kind);
  const fits = picomatch([word, `${word.replace(/\/$/, '')}/**`]);
  const found = all.filter(({ id }) => fits(id));
  if (found.length > 0) return found;
  throw usage(`--only ${word}: there is no such scenario. See turnwire check --list`);
}

function covering<Scenario extends Listed>(
  id: RequirementId,
  all: readonly Scenario[],
  kind: Subject,
): readonly Scenario[] {
  const requirement: Requirement | undefined = requirements.find((each) => each.id === id);
  if (requirement === undefined) throw usage(`--only ${id}: there is no such requirement. See turnwire check --list`);
  if (requirement.binds !== 'both' && requirement.binds !== kind)
    throw usage(`--only ${id}: this requirement binds the ${requirement.binds} only`);
  return all.filter(({ covers }) => covers.includes(id));
}

function isRequirementId(word: string): word is RequirementId {
  return /^[RV]\d{3}$/.test(word);
}

function usage(message: string): CommandError {
  return new CommandError(message, exitCodes.usage);
}
