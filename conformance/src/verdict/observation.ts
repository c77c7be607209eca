import type { RequirementId } from '../requirements/requirement.ts';
import type { JournalEntry } from '../wire/journal.ts';

/** An observation about one requirement. */
export interface Observation {
  readonly requirement: RequirementId;
  /**
   * - `held`: it could have been broken, and was met
   * - `broken`: it was violated
   * - `broken once`: it was violated, but not when the scenario was run again with no other beside it
   * - `unseen`: its precondition did not occur; `message` has the reason
   */
  readonly outcome: 'held' | 'broken' | 'broken once' | 'unseen';
  /** The observation, as a sentence without its full stop. Contains text of the peer: clean it before printing it to a terminal. */
  readonly message: string;
  /** The evidence: the frames in question, in order. */
  readonly evidence: readonly JournalEntry[];
}
