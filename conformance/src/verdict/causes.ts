import { asMessage, type JournalEntry } from '../wire/messages.ts';
import type { Observation, ScenarioResult } from './observation.ts';
import type { Verdict } from './verdict.ts';

/** A violation, and the requirements that are broken by nothing else. */
export interface Cause {
  readonly verdict: Verdict;
  /** Broken requirements of which every violation is one of the same. */
  readonly explains: readonly Verdict[];
}

/** A violation of a requirement in a scenario. */
interface Violation {
  readonly scenario: string;
  readonly observation: Observation;
}

/**
 * Groups broken requirements by their causes. One is explained by another if each of its violations is also one of the other: in the same
 * scenario with the same words, or in a frame that could not be understood at all.
 * @param failed the verdicts, the most important first: the first of several that explain each other is the cause
 */
export function causesOf(failed: readonly Verdict[], results: readonly ScenarioResult[]): readonly Cause[] {
  const causes: { readonly verdict: Verdict; readonly explains: Verdict[]; readonly own: readonly Violation[] }[] = [];
  for (const verdict of failed) {
    const violations = violationsOf(verdict, results);
    const cause = causes.find(
      ({ own }) => violations.length > 0 && violations.every((each) => own.some((other) => isSame(each, other))),
    );
    if (cause === undefined) causes.push({ verdict, explains: [], own: violations });
    else cause.explains.push(verdict);
  }
  return causes;
}

function violationsOf({ requirement }: Verdict, results: readonly ScenarioResult[]): readonly Violation[] {
  return results.flatMap(({ scenario, observations }) =>
    observations
      .filter((each) => each.requirement === requirement.id && each.outcome === 'broken')
      .map((observation) => ({ scenario, observation })),
  );
}

function isSame(one: Violation, other: Violation): boolean {
  if (one.scenario !== other.scenario) return false;
  if (one.observation.message === other.observation.message) return true;
  const { evidence } = other.observation;
  return one.observation.evidence.some((entry) => !isUnderstood(entry) && evidence.includes(entry));
}

/** Whether a frame is a message with something to judge in it: not an answer without a proper result, and not noise. */
function isUnderstood({ message, flaw }: JournalEntry): boolean {
  const { method, result, error } = asMessage(message) ?? {};
  if (flaw !== undefined) return false;
  return typeof method === 'string' || asMessage(result) !== undefined || asMessage(error) !== undefined;
}
