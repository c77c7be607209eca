import type { RequirementId } from '../requirements/requirement.ts';
import type { JournalEntry } from '../wire/journal.ts';

/** What was seen of one requirement, once. */
export interface Observation {
  readonly requirement: RequirementId;
  /**
   * - `held`: there was an occasion to break it, and it was kept
   * - `broken`: it was not kept
   * - `broken once`: it was not kept, but it was not broken when the scenario was run again with nothing beside it
   * - `unseen`: there was no occasion; `message` says why
   */
  readonly outcome: 'held' | 'broken' | 'broken once' | 'unseen';
  /** What was seen, as a sentence without its full stop. Holds text of the peer: clean it before it meets a terminal. */
  readonly message: string;
  /** What shows it: the frames in question, in order. */
  readonly evidence: readonly JournalEntry[];
}
