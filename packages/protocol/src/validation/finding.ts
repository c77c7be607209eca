import { isRefusal, type Problem } from './problem.ts';
import { pathBelow } from './wording.ts';

/** What a look at a value found. Nothing is changed before the whole is known to be repairable. */
export interface Finding {
  /** Their paths begin at the value. */
  readonly problems: readonly Problem[];
  /** The repairs, in order. */
  readonly edits: readonly (() => void)[];
}

/** Nothing is wrong. */
export const sound: Finding = { problems: [], edits: [] };

/** Something is wrong that only an enclosing field can make up for. */
export function refused(expected: string, received: string): Finding {
  return { problems: [{ path: '', expected, received, action: 'refused' }], edits: [] };
}

/** Why a value cannot be kept; `undefined` if it can. */
export function refusal(finding: Finding): Problem | undefined {
  return finding.problems.find(isRefusal);
}

/** What was found of a member, as seen from what it is a member of: paths are written only of what is wrong. */
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
