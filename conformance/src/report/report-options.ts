import type { Strictness } from './strictness.ts';

/** What a report says besides what was found. */
export interface ReportOptions {
  /** From which level on what is broken counts. */
  readonly from: Strictness;
  readonly madeAt: Date;
  /** How the check is run again, as one types it. */
  readonly again?: string;
  /** What the scenarios show, as a sentence, by their ids. */
  readonly titles?: ReadonlyMap<string, string>;
}
