import { isRefusal, type Problem } from './problem.ts';

/** What a look at a value found. Nothing is changed before the whole is known to be repairable. */
export interface Finding {
  readonly problems: readonly Problem[];
  /** The repairs, in order. */
  readonly edits: readonly (() => void)[];
}

/** Nothing is wrong. */
export const sound: Finding = { problems: [], edits: [] };

/** Something is wrong that only an enclosing field can make up for. */
export function refused(path: string, expected: string, received: string): Finding {
  return { problems: [{ path, expected, received, action: 'refused' }], edits: [] };
}

/** Why a value cannot be kept; `undefined` if it can. */
export function refusal(finding: Finding): Problem | undefined {
  return finding.problems.find(isRefusal);
}

export function merged(findings: readonly Finding[]): Finding {
  const bad = findings.filter((finding) => finding !== sound);
  if (bad.length < 2) return bad[0] ?? sound;
  return { problems: bad.flatMap(({ problems }) => problems), edits: bad.flatMap(({ edits }) => edits) };
}
