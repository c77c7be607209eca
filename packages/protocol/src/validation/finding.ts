import { isRefusal, type Problem } from './problem.ts';
import { pathBelow } from './wording.ts';

/** The result of an inspection. Nothing is changed until all of the value is known to be repairable. */
export interface Finding {
  /** Their paths begin at the value. */
  readonly problems: readonly Problem[];
  /** The repairs, in order. */
  readonly edits: readonly (() => void)[];
}

/** Nothing is wrong. */
export const sound: Finding = { problems: [], edits: [] };

/** A mistake that only the rules of an enclosing field can repair. */
export function refused(expected: string, received: string): Finding {
  return { problems: [{ path: '', expected, received, action: 'refused' }], edits: [] };
}

/** Why a value cannot be kept; `undefined` if it can. */
export function refusal(finding: Finding): Problem | undefined {
  return finding.problems.find(isRefusal);
}

/** The finding of a member with paths from its owner. Only problems need paths. */
export function below(member: string | number, finding: Finding): Finding {
  if (finding === sound) return sound;
  const problems = finding.problems.map((problem) => ({ ...problem, path: pathBelow(member, problem.path) }));
  return { problems, edits: finding.edits };
}

export function merged(findings: readonly Finding[]): Finding {
  if (findings.length === 0) return sound;
  const bad = findings.filter((finding) => finding !== sound);
  if (bad.length < 2) return bad[0] ?? sound;
  return { problems: bad.flatMap(({ problems }) => problems), edits: bad.flatMap(({ edits }) => edits) };
}
