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

/** A cause, and by what it was found. */
interface Found extends Cause {
  readonly violations: readonly Violation[];
}

/**
 * Groups broken requirements by their causes. One is explained by another if each of its violations is also one of the other: in the same
 * scenario with the same words, or in a frame that could not be understood at all.
 * @param failed the verdicts, the most important first: the first of several that explain each other is the cause. One that is as important and
 *   explains more takes the place of those before it.
 */
export function causesOf(failed: readonly Verdict[], results: readonly ScenarioResult[]): readonly Cause[] {
  let causes: readonly Found[] = [];
  for (const verdict of failed) {
    const found: Found = { verdict, explains: [], violations: violationsOf(verdict, results) };
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

/** The causes with one in the place of the first of some, and without the others of them. */
function replaced(causes: readonly Found[], [first, ...others]: readonly Found[], by: Found): readonly Found[] {
  return causes.filter((each) => !others.includes(each)).map((each) => (each === first ? by : each));
}

function isAsImportant({ requirement: one }: Verdict, { requirement: other }: Verdict): boolean {
  return one.level === other.level && one.basis === other.basis;
}

function isExplained({ violations }: Found, by: Found): boolean {
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

/** Whether a frame is a message with something to judge in it: not an answer without a proper result, and not noise. */
function isUnderstood({ message, flaw }: JournalEntry): boolean {
  const { method, result, error } = asMessage(message) ?? {};
  if (flaw !== undefined) return false;
  return typeof method === 'string' || asMessage(result) !== undefined || asMessage(error) !== undefined;
}
