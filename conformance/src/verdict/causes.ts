import { asMessage, type JournalEntry } from '../wire/messages.ts';
import type { Observation, ScenarioResult } from './observation.ts';
import type { Verdict } from './verdict.ts';

/** A broken requirement, and others that are broken only by the same violations. */
export interface Cause {
  readonly verdict: Verdict;
  /** Broken requirements whose violations all belong to `verdict`. */
  readonly explains: readonly Verdict[];
}

/** A violation of a requirement in a scenario. */
interface Violation {
  readonly scenario: string;
  readonly observation: Observation;
}

/** A cause with its violations. */
interface CauseWithViolations extends Cause {
  readonly violations: readonly Violation[];
}

/**
 * Groups broken requirements by cause. One explains another if it shares each of its violations: the same scenario and message, or a
 * frame that could not be parsed at all.
 * @param failed the verdicts, the most important first. Of several that explain each other the first is the cause, unless an equally
 * important one explains more
 */
export function causesOf(failed: readonly Verdict[], results: readonly ScenarioResult[]): readonly Cause[] {
  let causes: readonly CauseWithViolations[] = [];
  for (const verdict of failed) {
    const found: CauseWithViolations = { verdict, explains: [], violations: violationsOf(verdict, results) };
    const cause = causes.find((each) => isExplained(found, each));
    const lesser = causes.filter((each) => isAsImportant(each.verdict, verdict) && isExplained(each, found));
    if (cause !== undefined) causes = replaced(causes, [cause], { ...cause, explains: [...cause.explains, verdict] });
    else if (lesser.length === 0) causes = [...causes, found];
    else
      causes = replaced(causes, lesser, {
        ...found,
        explains: lesser.flatMap((each) => [each.verdict, ...each.explains]),
      });
  }
  return causes;
}

/** Replaces the first of some causes, and removes the others. */
function replaced(
  causes: readonly CauseWithViolations[],
  [first, ...others]: readonly CauseWithViolations[],
  by: CauseWithViolations,
): readonly CauseWithViolations[] {
  return causes.filter((each) => !others.includes(each)).map((each) => (each === first ? by : each));
}

function isAsImportant({ requirement: one }: Verdict, { requirement: other }: Verdict): boolean {
  return one.level === other.level && one.basis === other.basis;
}

function isExplained({ violations }: CauseWithViolations, by: CauseWithViolations): boolean {
  return violations.length > 0 && violations.every((each) => by.violations.some((other) => isSame(each, other)));
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

/** Whether a frame is a message that can be judged: neither noise nor an answer without a proper result. */
function isUnderstood({ message, flaw }: JournalEntry): boolean {
  const { method, result, error } = asMessage(message) ?? {};
  if (flaw !== undefined) return false;
  return typeof method === 'string' || asMessage(result) !== undefined || asMessage(error) !== undefined;
}
