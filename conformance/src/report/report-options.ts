import type { Strictness } from './strictness.ts';

/** The context of a report. */
export interface ReportOptions {
  /** From which level on what is broken counts. */
  readonly from: Strictness;
  readonly madeAt: Date;
  /** The command that runs the check again. */
  readonly again?: string;
  /** The purposes of the scenarios, as sentences, by their ids. */
  readonly titles?: ReadonlyMap<string, string>;
}
