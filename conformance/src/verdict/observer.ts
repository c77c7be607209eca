import type { RequirementId } from '../requirements/requirement.ts';
import type { JournalEntry } from '../wire/messages.ts';
import type { Observation } from './observation.ts';

/** What shows a fault: frames, whatever has a frame, such as a reply, and lists of both. */
export type Shown = JournalEntry | { readonly entry: JournalEntry } | readonly Shown[] | undefined;

/** What is wrong, as a sentence without its full stop; `false` and undefined say that nothing is. */
export type Fault = string | false | undefined;

export class Observer {
  readonly observations: Observation[] = [];

  held(requirement: RequirementId, message = ''): void {
    this.observations.push({ requirement, outcome: 'held', message, evidence: [] });
  }

  broken(requirement: RequirementId, message: string, ...shown: readonly Shown[]): void {
    this.observations.push({ requirement, outcome: 'broken', message, evidence: framesIn(shown) });
  }

  unseen(requirement: RequirementId, reason: string): void {
    this.observations.push({ requirement, outcome: 'unseen', message: reason, evidence: [] });
  }

  /** `held` without a fault, else `broken`, with what shows it: each of some requirements. Returns whether they were kept. */
  check(judged: RequirementId | readonly RequirementId[], fault: Fault, ...shown: readonly Shown[]): boolean {
    const isKept = fault === undefined || fault === false;
    for (const requirement of typeof judged === 'string' ? [judged] : judged)
      if (isKept) this.held(requirement);
      else this.broken(requirement, fault, shown);
    return isKept;
  }

  knows(requirement: RequirementId): boolean {
    return this.observations.some((observation) => observation.requirement === requirement);
  }
}

function framesIn(shown: readonly Shown[]): readonly JournalEntry[] {
  return shown.flatMap((each): readonly JournalEntry[] => {
    if (each === undefined) return [];
    if ('entry' in each) return [each.entry];
    return 'from' in each ? [each] : framesIn(each);
  });
}
