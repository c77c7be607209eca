import type { Subject } from '../requirements/requirement.ts';
import type { ScenarioResult } from './scenario-result.ts';
import type { Verdict } from './verdict.ts';

/** The result of judging a subject. */
export interface Judgement {
  /** The command, or another identification. */
  readonly subject: string;
  readonly kind: Subject;
  /** The name and version it reports, if it does: text of the peer. */
  readonly introduction?: Introduction;
  /** Why it could not be judged at all: it could not be started, or never answered. Nothing was exercised then. */
  readonly unreachable?: string;
  /** Its last output before it became unreachable: a few lines of text of the peer. */
  readonly lastWords?: string;
  readonly seed: number;
  /** In milliseconds. */
  readonly duration: number;
  /** One for each requirement that applies to the subject, in order. */
  readonly verdicts: readonly Verdict[];
  readonly results: readonly ScenarioResult[];
}

/** The name and version a side reports in `agentInfo` or `clientInfo`. */
export interface Introduction {
  readonly name: string;
  readonly version?: string;
}
