import type { Verdict } from '../verdict/verdict.ts';

/** Why some requirements were not exercised. */
export interface Unexercised {
  readonly reason: string;
  readonly verdicts: readonly Verdict[];
}

/** What was not exercised, by the first reason that was given for it; reasons that explain most first. */
export function unexercised(verdicts: readonly Verdict[]): readonly Unexercised[] {
  const byReason = new Map<string, Verdict[]>();
  for (const verdict of verdicts.filter(({ outcome }) => outcome === 'not exercised')) {
    const reason = reasonOf(verdict);
    byReason.set(reason, [...(byReason.get(reason) ?? []), verdict]);
  }
  return [...byReason]
    .map(([reason, all]) => ({ reason, verdicts: all }))
    .toSorted((a, b) => b.verdicts.length - a.verdicts.length);
}

/** Why a requirement was not exercised. */
export function reasonOf({ findings }: Verdict): string {
  return findings[0]?.message ?? 'no scenario that was run looks at it';
}
