import { alwaysSeen } from '../audit/audited.ts';
import type { Subject } from '../requirements/requirement.ts';
import type { Judgement, Verdict } from '../verdict/verdict.ts';

/** Why some requirements were not exercised. */
export interface Unexercised {
  readonly reason: string;
  readonly verdicts: readonly Verdict[];
}

/** Requirements that were not exercised, by the first reason given; reasons that explain most first. */
export function unexercised({ verdicts, kind }: Pick<Judgement, 'verdicts' | 'kind'>): readonly Unexercised[] {
  const byReason = new Map<string, Verdict[]>();
  for (const verdict of verdicts.filter(({ outcome }) => outcome === 'not exercised')) {
    const reason = reasonOf(verdict, kind);
    byReason.set(reason, [...(byReason.get(reason) ?? []), verdict]);
  }
  return [...byReason]
    .map(([reason, all]) => ({ reason, verdicts: all }))
    .toSorted((a, b) => b.verdicts.length - a.verdicts.length);
}

/** Why a requirement was not exercised. */
export function reasonOf({ findings, requirement }: Verdict, kind: Subject): string {
  const [first] = findings;
  if (first !== undefined) return first.message;
  return alwaysSeen[kind].includes(requirement.id)
    ? 'nothing of the kind went over any connection'
    : 'no scenario that was run looks at it';
}
