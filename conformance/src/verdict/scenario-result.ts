import type { JournalEntry } from '../wire/journal.ts';
import type { Observation } from './observation.ts';

/** What came of one scenario. */
export interface ScenarioResult {
  /** The scenario's id. */
  readonly scenario: string;
  readonly observations: readonly Observation[];
  /** Every connection of the scenario, each with all that went over it. */
  readonly journals: readonly (readonly JournalEntry[])[];
  /** In milliseconds. */
  readonly duration: number;
  /** Set if the kit itself failed: a mistake of ours, never held against the subject. */
  readonly mishap?: string;
}
