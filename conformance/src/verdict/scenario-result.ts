import type { JournalEntry } from '../wire/journal.ts';
import type { Observation } from './observation.ts';

/** The result of one scenario. */
export interface ScenarioResult {
  /** The scenario's id. */
  readonly scenario: string;
  readonly observations: readonly Observation[];
  /** Every connection of the scenario, each with all its frames. */
  readonly journals: readonly (readonly JournalEntry[])[];
  /** In milliseconds. */
  readonly duration: number;
  /** Set after a harness error, which is never counted against the subject. */
  readonly harnessError?: string;
}
