import { alwaysJudged } from '../audit/audited.ts';
import type { Subject } from '../requirements/requirement.ts';
import type { Judgement, Verdict } from '../verdict/verdict.ts';

/** A reason, and the requirements that were not exercised because of it. */
export interface Unexercised {
  readonly reason: string;
  readonly verdicts: readonly Verdict[];
}

/** Groups requirements that were not exercised by the first reason for each; the most frequent reasons come first. */
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
  return alwaysJudged(kind, requirement.profile === 'v2' ? 2 : 1).includes(requirement.id)
    ? 'no message of this kind was sent on any connection'
    : requirement.profile === 'remote'
      ? 'it concerns another transport: check it with an http:// address, or with a ws:// one'
      : 'none of the scenarios that ran observes it: name more with --only, or leave the option out to run all';
}
