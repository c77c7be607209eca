import type { RequirementId } from '../requirements/requirement.ts';
import type { JournalEntry } from '../wire/journal.ts';
import type { Observation } from './observation.ts';

/** Records what a scenario observes. */
export class Observer {
  readonly #observations: Observation[] = [];

  get observations(): readonly Observation[] {
    return this.#observations;
  }

  held(requirement: RequirementId, message = ''): void {
    this.#observations.push({ requirement, outcome: 'held', message, evidence: [] });
  }

  broken(requirement: RequirementId, message: string, evidence: readonly JournalEntry[] = []): void {
    this.#observations.push({ requirement, outcome: 'broken', message, evidence });
  }

  unseen(requirement: RequirementId, reason: string): void {
    this.#observations.push({ requirement, outcome: 'unseen', message: reason, evidence: [] });
  }

  /** `held` if `isKept`, else `broken`, with the evidence. Returns `isKept`. */
  check(requirement: RequirementId, isKept: boolean, { otherwise, evidence = [] }: Complaint): boolean {
    if (isKept) this.held(requirement);
    else this.broken(requirement, otherwise, evidence);
    return isKept;
  }

  /** Whether there is an observation about a requirement. */
  knows(requirement: RequirementId): boolean {
    return this.#observations.some((observation) => observation.requirement === requirement);
  }
}

/** The message for a broken requirement. */
export interface Complaint {
  readonly otherwise: string;
  readonly evidence?: readonly JournalEntry[];
}
