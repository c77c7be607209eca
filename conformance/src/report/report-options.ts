import type { Strictness } from './strictness.ts';

/** Options of a report. */
export interface ReportOptions {
  /** The level from which on broken requirements count. */
  readonly from: Strictness;
  readonly madeAt: Date;
  /** The command that repeats the check. */
  readonly again?: string;
  /** The titles of scenarios by id. */
  readonly titles?: ReadonlyMap<string, string>;
}
