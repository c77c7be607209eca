import type { RequirementId } from '../requirements/requirement.ts';
import type { JournalEntry } from '../wire/messages.ts';

/** An observation about one requirement. */
export interface Observation {
  readonly requirement: RequirementId;
  /**
   * - `held`: it could have been broken, and was met
   * - `broken`: it was violated
   * - `broken once`: it was violated, but not when the scenario was run again alone
   * - `unseen`: its precondition did not occur; `message` has the reason
   */
  readonly outcome: 'held' | 'broken' | 'broken once' | 'unseen';
  /** The observation, as a sentence without a full stop. Contains text of the peer: clean it before printing it to a terminal. */
  readonly message: string;
  /** The evidence: the frames in question, in order. */
  readonly evidence: readonly JournalEntry[];
}

/** The result of one scenario. */
export interface ScenarioResult {
  /** The id of the scenario. */
  readonly scenario: string;
  readonly observations: readonly Observation[];
  /** The frames of each connection. */
  readonly journals: readonly (readonly JournalEntry[])[];
  /** In milliseconds. */
  readonly duration: number;
  /** Set after a harness error, which is never counted against the subject. */
  readonly harnessError?: string;
}
