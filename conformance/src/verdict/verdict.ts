import type { CheckedVersion, Requirement, Subject } from '../requirements/requirement.ts';
import type { JournalEntry } from '../wire/messages.ts';
import type { ScenarioResult } from './observation.ts';

/** The verdict on one requirement after all scenarios. */
export interface Verdict {
  readonly requirement: Requirement;
  /** `not exercised` is never a pass. `not observable`: it cannot be seen from outside. */
  readonly outcome: 'passed' | 'failed' | 'not exercised' | 'not observable';
  /** Each distinct violation, including those that occurred only once, or each distinct reason why nothing was observed. */
  readonly findings: readonly VerdictFinding[];
}

/** An observation about a requirement, with its scenario. */
export interface VerdictFinding {
  readonly scenario: string;
  readonly message: string;
  readonly evidence: readonly JournalEntry[];
}

/** The result of judging a subject. */
export interface Judgement {
  /** The command, or another identification. */
  readonly subject: string;
  readonly kind: Subject;
  /** The version of the protocol in which it was judged. */
  readonly version: CheckedVersion;
  /** The name and version that it reports, if any: text of the peer. */
  readonly introduction?: Introduction;
  /** Why it could not be judged at all: it could not be started, or did not answer. Then nothing was exercised. */
  readonly unreachable?: string;
  /** Its last output before it became unreachable: a few lines of text of the peer. */
  readonly lastOutput?: string;
  readonly seed: number;
  /** In milliseconds. */
  readonly duration: number;
  /** One verdict for each requirement that applies to the subject, in order. */
  readonly verdicts: readonly Verdict[];
  readonly results: readonly ScenarioResult[];
}

/** The name and version that a side reports in `agentInfo` or `clientInfo`. */
export interface Introduction {
  readonly name: string;
  readonly version?: string;
}

/**
 * Summarises the observations of a requirement: failed if it was broken in any scenario, passed if it held and was never broken,
 * otherwise not exercised or not observable.
 */
export function verdictOn(
  requirement: Requirement,
  results: readonly ScenarioResult[],
  unobservable?: string,
): Verdict {
  const said = results.flatMap(({ scenario, observations }) =>
    observations
      .filter((observation) => observation.requirement === requirement.id)
      .map(({ outcome, message, evidence }) => ({ outcome, finding: { scenario, message, evidence } })),
  );
  const all = (wanted: string): VerdictFinding[] =>
    said.filter(({ outcome }) => outcome === wanted).map(({ finding }) => finding);
  if (all('broken').length > 0) return { requirement, outcome: 'failed', findings: distinct(all('broken')) };
  const once = all('broken once').map((finding) => ({
    ...finding,
    message: `${finding.message}: only once, not when the scenario was run again alone`,
  }));
  if (all('held').length > 0) return { requirement, outcome: 'passed', findings: distinct(once) };
  if (unobservable === undefined)
    return { requirement, outcome: 'not exercised', findings: distinct([...once, ...all('unseen')]) };
  return { requirement, outcome: 'not observable', findings: [{ scenario: '', message: unobservable, evidence: [] }] };
}

/** Removes findings with the message of an earlier one. */
function distinct(findings: readonly VerdictFinding[]): VerdictFinding[] {
  const first = new Map<string, VerdictFinding>();
  for (const finding of findings) if (!first.has(finding.message)) first.set(finding.message, finding);
  return [...first.values()];
}
