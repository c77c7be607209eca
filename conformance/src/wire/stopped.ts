import type { RequirementId } from '../requirements/requirement.ts';
import type { JournalEntry } from './messages.ts';

/**
 * Thrown when a scenario cannot continue. With a `requirement`, the subject broke it. Without one, everything that the scenario has not
 * observed yet is `unseen`, for the reason in the message.
 */
export class Stopped extends Error {
  override readonly name = 'Stopped';
  readonly requirement: RequirementId | undefined;
  readonly evidence: readonly JournalEntry[];

  constructor(
    reason: string,
    broken?: { readonly requirement: RequirementId; readonly evidence?: readonly JournalEntry[] },
  ) {
    super(reason);
    this.requirement = broken?.requirement;
    this.evidence = broken?.evidence ?? [];
  }
}
